"""`--require` fails the skips that `./dev test` must not let through."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"
SKIPS = {
    "in the test": "import pytest\ndef test_a(): pytest.skip('no display')",
    "by a mark": "import pytest\n@pytest.mark.skip(reason='no display')\ndef test_a(): pass",
    "in a fixture": "import pytest\n@pytest.fixture\ndef desk(): pytest.skip('no display')\ndef test_a(desk): pass",
    "as a module": "import pytest\npytest.skip('no display', allow_module_level=True)",
}
ALLOWED = "import pytest\n@pytest.mark.may_skip\ndef test_a(): pytest.skip('no display')"
EXPECTED_FAILURE = "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_a(): assert False"


def run(folder: Path, source: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a test module in a folder of its own under the suite's conftest."""
    inner = folder / "integration"
    inner.mkdir()
    shutil.copy(CONFTEST, folder)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    may_skip\n", encoding="utf-8")
    (inner / "test_it.py").write_text(source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder, timeout=60)


@pytest.mark.parametrize("source", SKIPS.values(), ids=SKIPS.keys())
@pytest.mark.parametrize("wanted", ["all", "integration"])
def test_a_required_skip_fails_with_its_reason(tmp_path: Path, source: str, wanted: str) -> None:
    """House style: a skipped real-application test fails CI."""
    result = run(tmp_path, source, "--require", wanted)

    assert result.returncode in {1, 2}
    assert "was skipped, and --require says that it has to run" in result.stdout
    assert "no display" in result.stdout


@pytest.mark.parametrize("options", [(), ("--require", "none"), ("--require", "e2e")])
def test_a_skip_that_is_not_required_passes(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Our choice: pytest alone behaves as everywhere."""
    assert run(tmp_path, SKIPS["in the test"], *options).returncode == 0


@pytest.mark.parametrize("source", [ALLOWED, EXPECTED_FAILURE], ids=["allowed", "expected"])
def test_a_marked_skip_and_an_expected_failure_pass(tmp_path: Path, source: str) -> None:
    """Our choice: a test can declare that some machines cannot run it."""
    assert run(tmp_path, source, "--require", "all").returncode == 0
