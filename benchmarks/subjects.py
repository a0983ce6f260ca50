"""The real applications that are read, and how each is started so that it shows something worth reading."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.peers import PEERS_PYTHON, ROOT

WINDOWS = ROOT / "benchmarks" / "windows"
SWING_SOURCE = WINDOWS / "SwingWindow.java"
COMPILE_S = 120.0
ROWS = 460  # of the page: seven elements each
LINES = 400  # of the text file
WORDS = "The quick brown fox jumps over the lazy dog. "
PAGE, TEXT, LETTER = "page.html", "text.txt", "letter.html"
_BROWSER = (
    *("--no-sandbox", "--no-first-run", "--no-default-browser-check", "--password-store=basic", "--disable-gpu"),
    *("--force-renderer-accessibility", "--window-size=1500,950", "--window-position=20,20"),
)
_ASSISTED = "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper"
ATK_WRAPPER = Path("/usr/share/java/java-atk-wrapper.jar")  # of Debian's libatk-wrapper-java


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One application.

    Attributes:
        name: In tables.
        toolkit: As people call it.
        command: Arguments, made from the folder of documents.
        needs: Files that must be there to start it.
        is_compared: The promises of speed against other tools are made for it.
        is_page: Its bound of what shows is that of a large page.
        messages_max: Messages that a read of what shows may take; None without a promise.
        is_slow: Other tools take so long that they are asked only three times.
        prepare: Makes what it needs in the folder of documents.
        shows: Folders that its desktop must show.
    """

    name: str
    toolkit: str
    command: Callable[[Path], tuple[str, ...]]
    needs: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    is_compared: bool = True
    is_page: bool = False
    messages_max: int | None = None
    is_slow: bool = False
    prepare: Callable[[Path], None] = lambda _folder: None
    shows: tuple[Path, ...] = ()

    def missing(self) -> str:
        """Return what is not installed, empty when it can be started."""
        needed = (self.command(Path())[0], *self.needs)
        absent = [one for one in needed if not (shutil.which(one) or Path(one).exists())]
        return f"{', '.join(absent)} is not installed" if absent else ""


def _just(*command: str) -> Callable[[Path], tuple[str, ...]]:
    return lambda _folder: command


def _swing(folder: Path) -> tuple[str, ...]:
    return ("java", _ASSISTED, "-cp", f"{ATK_WRAPPER}:{folder}", "SwingWindow")


def _compile(folder: Path) -> None:
    subprocess.run(["javac", "-d", str(folder), str(SWING_SOURCE)], check=True, capture_output=True, timeout=COMPILE_S)


def _with(document: str, *command: str, as_uri: bool = False) -> Callable[[Path], tuple[str, ...]]:
    def build(folder: Path) -> tuple[str, ...]:
        path = folder / document
        return (*command, path.as_uri() if as_uri and path.is_absolute() else str(path))

    return build


def write_documents(folder: Path) -> None:
    """Write what the applications open."""
    _write_page(folder / PAGE)
    (folder / TEXT).write_text("".join(f"{number} {WORDS}\n" for number in range(LINES)), encoding="utf-8")
    paragraphs = "".join(f"<p>{number} {WORDS * 3}</p>" for number in range(LINES // 4))
    (folder / LETTER).write_text(f"<!doctype html><title>Letter</title><h1>Letter</h1>{paragraphs}", encoding="utf-8")


def _write_page(path: Path) -> None:
    """Write a page of which some 400 of 4,000 objects show: rows in two columns, most of them below the fold."""
    row = (
        '<p>Row {0}: <button>Press {0}</button> <a href="#r{0}">link {0}</a>'
        ' <label><input type="checkbox"> tick {0}</label>'
        ' <input size="8" aria-label="field {0}" value="text {0}">'
        ' <span role="img" aria-label="mark {0}">x</span></p>'
    )
    style = "<style>main { columns: 2 } p { margin: 16px 0 }</style>"
    body = "\n".join(row.format(number) for number in range(ROWS))
    path.write_text(f"<!doctype html><title>{ROWS} rows</title>{style}<main>{body}</main>", encoding="utf-8")


THUNAR = Subject(name="thunar", toolkit="GTK 3", command=_just("thunar"))
CALCULATOR = Subject(
    name="gnome-calculator", toolkit="GTK 4", command=_just("gnome-calculator"), is_compared=False, messages_max=60
)
KCALC = Subject(name="kcalc", toolkit="Qt 5 or 6", command=_just("kcalc"))
SWING = Subject(
    name="Swing window",
    toolkit="Java",
    command=_swing,
    prepare=_compile,
    needs=("javac", str(ATK_WRAPPER)),
    is_compared=False,
)
SUBJECTS = (
    THUNAR,
    Subject(name="gedit", toolkit="GTK 3", command=_with(TEXT, "gedit")),
    Subject(name="gtk4-demo", toolkit="GTK 4", command=_just("gtk4-demo")),
    CALCULATOR,
    KCALC,
    Subject(
        name="PySide6 window",
        toolkit="Qt 6",
        command=_just(PEERS_PYTHON, str(WINDOWS / "pyside_window.py")),
        environment={"QT_QPA_PLATFORM": "xcb"},
    ),
    Subject(
        name="LibreOffice Writer",
        toolkit="VCL (gtk3)",
        command=_with(LETTER, "soffice", "--writer", "--norestore", "--nologo"),
        environment={"SAL_USE_VCLPLUGIN": "gtk3"},
    ),
    Subject(
        name="Chromium, 3,000 elements",
        toolkit="Chromium",
        command=_with(PAGE, "chromium", *_BROWSER, as_uri=True),
        is_page=True,
    ),
    Subject(
        name="Firefox, 3,000 elements",
        toolkit="Gecko",
        command=_with(PAGE, "firefox-esr", "--new-instance", "--width", "1500", "--height", "950", as_uri=True),
        environment={"MOZ_DISABLE_CONTENT_SANDBOX": "1"},
        is_page=True,
    ),
    Subject(
        name="gimp",
        toolkit="GTK 2 or 3",
        command=_just("gimp", "--no-splash"),
        environment={"GTK_MODULES": "gail:atk-bridge"},  # GTK 2 comes onto the bus by these modules only
        is_compared=False,
        is_slow=True,
    ),
    SWING,
    Subject(
        name="xfce4-terminal",
        toolkit="VTE (GTK 3)",
        command=_just("xfce4-terminal", "--disable-server"),
        is_compared=False,
    ),
)
SHORT = (THUNAR, CALCULATOR, KCALC)
