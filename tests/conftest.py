"""What all tests share: `--require` turns a skip into a failure."""

from __future__ import annotations

from collections.abc import Generator

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --require, which `./dev test` gives as "all"."""
    parser.addoption(
        "--require",
        action="store",
        default="none",
        metavar="WHAT",
        help="fail skipped tests: all, or those with this marker or in this folder or file (none: let them skip)",
    )


def _is_required(node: pytest.Collector | pytest.Item) -> bool:
    wanted = node.config.getoption("--require")
    if wanted == "none" or node.get_closest_marker("may_skip"):
        return False
    return wanted == "all" or wanted in node.keywords


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid} was skipped, and --require says that it has to run.\n{reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail a skipped test that is required; an expected failure is no skip."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and _is_required(item):
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail a module that skips itself as a whole."""
    report = yield
    if report.skipped and _is_required(collector):
        _refuse_skip(report)
    return report
