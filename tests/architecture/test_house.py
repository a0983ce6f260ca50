"""The house rules hold in the tree, and each check is shown to fail on a source that breaks it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.architecture import rules
from tests.architecture.rules import Finding

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "tactile"
HEAVY_MODULES = ("cryptography", "dbus_fast", "mcp", "mss", "numpy", "pydantic", "rich", "xcffib")
UNREAD_FOLDERS = frozenset(
    {
        ".git",
        ".hypothesis",
        ".import_linter_cache",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".venv",
        "__pycache__",
    }
)


def modules(*packages: str) -> Iterator[Path]:
    """Yield the modules of the package, or those of the named parts that are there."""
    for path in sorted(SOURCES.rglob("*.py")):
        part = path.relative_to(SOURCES).parts[0].removesuffix(".py")
        if not packages or part in packages:
            yield path


def findings(check: Callable[[str], tuple[Finding, ...]], paths: Iterator[Path]) -> list[str]:
    """Run one check over files and name the places."""
    return [
        f"{path.relative_to(ROOT)}:{found.line}: {found.rule}"
        for path in paths
        for found in check(path.read_text(encoding="utf-8"))
    ]


def repository_files() -> Iterator[Path]:
    """Yield the files that git tracks or would track; all of them where there is no git or no repository."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout
    except (OSError, subprocess.CalledProcessError):
        paths = [path for path in ROOT.rglob("*") if not UNREAD_FOLDERS.intersection(path.parts)]
    else:
        paths = [ROOT / name for name in listed.split("\0") if name]
    yield from (path for path in sorted(paths) if path.is_file() and path.name != ".dev.lock")


def readable_files() -> Iterator[Path]:
    """Yield the repository's text files."""
    for path in repository_files():
        if b"\0" not in path.read_bytes()[:8192]:
            yield path


def test_the_pure_packages_touch_no_clock_no_file_and_no_loop() -> None:
    """ARCHITECTURE.md, rule 2: effects happen only in runtime and adapters."""
    assert findings(rules.impurities, modules(*rules.PURE_PACKAGES)) == []


def test_only_the_cli_prints() -> None:
    """House style: under tactile/mcp nothing prints, stdout is the protocol there."""
    silent = (path for path in modules() if path.relative_to(SOURCES).parts[0] not in {"cli", "cli.py"})

    assert findings(rules.prints, silent) == []


def test_no_module_and_no_function_is_too_long() -> None:
    """House style: 500 lines a module, 60 a function."""
    assert findings(rules.too_long, modules()) == []


def test_every_module_says_what_it_is() -> None:
    """House style: the first line of a module says which one idea it holds."""
    assert findings(rules.undocumented, modules()) == []


def test_no_module_is_a_drawer() -> None:
    """House style: no utils, helpers, common, manager, service."""
    names = (str(path.relative_to(SOURCES)) for path in modules())

    assert [name for name in names if rules.forbidden_names(name)] == []


def test_records_are_frozen_slotted_and_keyword_only() -> None:
    """House style, Values."""
    assert findings(rules.loose_records, modules("records", "errors")) == []


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    """Our choice: a checkout is the same everywhere."""
    assert findings(rules.machine_traces, readable_files()) == []


def test_import_of_the_package_loads_nothing_heavy() -> None:
    """ARCHITECTURE.md: `import tactile` is quick, adapters are loaded by name."""
    script = f"import sys, tactile; print(*sorted(set({HEAVY_MODULES!r}) & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": str(SOURCES.parent)}

    result = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=60
    )

    assert result.stdout.split() == []


IMPURE = {
    "async def f(): pass": "async",
    "async def f():\n    await g()": "async",
    "import time": "import time",
    "import os.path as p": "import os",
    "from random import choice": "import random",
    "from subprocess import run": "import subprocess",
    "def f():\n    import time": "import time",
    "def f():\n    global x": "global",
    "with open('a') as f: pass": "open()",
    "print('a')": "print()",
    "d = datetime.now()": ".now()",
    "d = datetime.datetime.now(tz)": ".now()",
    "t = Path('a').read_text()": ".read_text()",
    "f = Path('a').open()": ".open()",
}


@pytest.mark.parametrize(("source", "rule"), IMPURE.items(), ids=IMPURE.values())
def test_an_impure_source_is_found(source: str, rule: str) -> None:
    """Proof that the check can fail."""
    assert rule in {found.rule for found in rules.impurities(source)}


def test_words_that_only_look_impure_are_let_through() -> None:
    """Our choice: precise enough that nobody has to write around the check."""
    source = "import datetime\ntime = 3\nx = f(time=time)\nopen_now = a.opened\ndef f(now_s: float): return now_s"

    assert rules.impurities(source) == ()


@pytest.mark.parametrize("source", ["print(1)", "def f():\n    print()", "import sys\nsys.stdout.write('a')"])
def test_a_print_is_found(source: str) -> None:
    """Proof that the check can fail."""
    assert len(rules.prints(source)) == 1


def test_lengths_are_counted_to_the_line() -> None:
    """Proof that the check can fail, and not one line too early."""
    longest = "def f():\n" + "    pass\n" * 59
    assert rules.too_long(longest) == ()
    assert [found.rule for found in rules.too_long(longest + "    pass\n")] == ["f of 61 lines"]
    assert [found.rule for found in rules.too_long("@d\n" + longest)] == ["f of 61 lines"]
    assert rules.too_long("\n" * 500) == ()
    assert [found.rule for found in rules.too_long("\n" * 501)] == ["module of 501 lines"]


@pytest.mark.parametrize("source", ["", "import ast", "'''\n'''", "# a comment\nx = 1"])
def test_a_module_without_docstring_is_found(source: str) -> None:
    """Proof that the check can fail."""
    assert len(rules.undocumented(source)) == 1


@pytest.mark.parametrize("path", ["utils.py", "mcp/helpers.py", "common/a.py", "bus_manager.py", "x11/text_utils.py"])
def test_a_drawer_is_found(path: str) -> None:
    """Proof that the check can fail."""
    assert rules.forbidden_names(path)


LOOSE = (
    "class A: pass",
    "@dataclass\nclass A: pass",
    "@dataclass(frozen=True)\nclass A: pass",
    "@dataclass(frozen=True, slots=True, kw_only=False)\nclass A: pass",
    "class A(Generic[T]): pass",
)


@pytest.mark.parametrize("source", LOOSE)
def test_a_loose_record_is_found(source: str) -> None:
    """Proof that the check can fail."""
    assert [found.rule for found in rules.loose_records(source)] == ["A"]


def test_values_enumerations_and_exceptions_are_records() -> None:
    """Our choice: the closed vocabularies and the error tree live beside the records."""
    source = (
        "class R(StrEnum): pass\nclass E(TactileError): pass\n"
        "@dataclass(frozen=True, slots=True, kw_only=True, order=True)\nclass A: pass"
    )

    assert rules.loose_records(source) == ()


@pytest.mark.parametrize(
    "text",
    [
        "see https://" + "pypi" + ".org/simple",
        "deb http://" + "deb" + ".debian.org/debian trixie main",
        "cd /work" + "/main",
        "a\n/tmp/" + "bash_jobs.0/x",
        "/opt/" + "wheels",
    ],
)
def test_a_trace_of_a_machine_is_found(text: str) -> None:
    """Proof that the check can fail."""
    assert len(rules.machine_traces(text)) == 1
