"""The applications that are measured: real ones, and the test suite's fixtures in each toolkit that can be read."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[1] / "tests" / "apps"
SYSTEM_PYTHON = "/usr/bin/python3"  # the fixtures' toolkits are Debian packages
IMPORT_S = 60.0  # for a toolkit to be imported on a busy machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One application.

    Attributes:
        name: In the table.
        command: For `open_app`: the name, then the arguments.
        needs: Python source that runs where the toolkit of a fixture is installed; empty for a real application.
        digits: Names of two buttons that each change the display, if it is a calculator.
        state_ms: What `get_app_state` must keep to; None when nothing is promised.
        click_ms: What a click with its receipt must keep to; None when nothing is promised.
    """

    name: str
    command: tuple[str, ...]
    needs: str = ""
    digits: tuple[str, str] | None = None
    state_ms: float | None = None
    click_ms: float | None = None

    def missing(self) -> str:
        """Return what is not installed, empty when it can be started."""
        if not self.needs:
            return "" if shutil.which(self.command[0]) else f"{self.command[0]} is not installed"
        done = subprocess.run([SYSTEM_PYTHON, "-c", self.needs], capture_output=True, timeout=IMPORT_S, check=False)
        return "" if done.returncode == 0 else f"the toolkit of {self.name} is not installed for {SYSTEM_PYTHON}"


def _fixture(name: str, needs: str, script: str, *arguments: str) -> Program:
    return Program(name=name, command=(SYSTEM_PYTHON, str(FIXTURES / script), *arguments), needs=needs)


CALCULATOR = Program(
    name="gnome-calculator (GTK4)", command=("gnome-calculator",), digits=("1", "2"), state_ms=150.0, click_ms=600.0
)
PROGRAMS = (
    CALCULATOR,
    Program(name="kcalc (Qt5/6)", command=("kcalc",), digits=("1", "2")),
    Program(name="mousepad (GTK3)", command=("mousepad",)),
    Program(name="thunar (GTK3)", command=("thunar",)),
    _fixture("fixture GTK3", 'import gi; gi.require_version("Gtk", "3.0")', "gtk3_form.py"),
    _fixture("fixture GTK4", 'import gi; gi.require_version("Gtk", "4.0")', "gtk4_form.py"),
    _fixture("fixture Qt5", "import PyQt5.QtWidgets", "qt_form.py"),
    _fixture("fixture Qt6", "import PyQt6.QtWidgets", "qt_form.py", "--qt", "6"),
)
