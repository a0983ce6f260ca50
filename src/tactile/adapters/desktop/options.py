"""What a caller can choose about a desktop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tactile.errors import RequestError

SIZE_MIN, SIZE_MAX = 64, 16384  # px; X11 coordinates are 16 bits, toolkits misbehave far below this width


@dataclass(frozen=True, slots=True, kw_only=True)
class DesktopOptions:
    """Choose size, server and isolation of a desktop.

    Args:
        width: Of the screen.
        height: Of the screen.
        network: Share the machine's network; otherwise only the loopback of its own.
        server: "auto" prefers Xvnc, which can be viewed, to Xvfb.
        isolation: "auto" falls back to a plain private display and says so; "required" refuses instead; "none" never
            makes a sandbox.
        deadline_s: For the whole start.
        read_only: Files and folders of the machine to show inside at the same path, beside /usr, /etc and /opt.
        read_write: The same, writable.
        search_path: Folders in which the desktop's own programs are looked up.
        numbers: Display numbers to choose from.

    Units:
        Physical px; seconds.
    """

    width: int = 1280
    height: int = 800
    network: bool = False
    server: Literal["auto", "xvnc", "xvfb"] = "auto"
    isolation: Literal["auto", "required", "none"] = "auto"
    deadline_s: float = 10.0
    read_only: tuple[Path, ...] = ()
    read_write: tuple[Path, ...] = ()
    search_path: str = "/usr/local/bin:/usr/bin:/bin"
    numbers: Sequence[int] = range(100, 2000)

    def __post_init__(self) -> None:
        """Refuse what cannot be meant.

        Raises:
            RequestError: A size out of range, or a path to show that is relative or absent.
        """
        if not (SIZE_MIN <= self.width <= SIZE_MAX and SIZE_MIN <= self.height <= SIZE_MAX):
            raise RequestError(
                f"a desktop of {self.width}x{self.height} px was asked for",
                code="bad_request",
                hint=f"choose width and height between {SIZE_MIN} and {SIZE_MAX}",
            )
        for path in (*self.read_only, *self.read_write):
            if not path.is_absolute() or not path.exists():
                raise RequestError(
                    f"{path} cannot be shown in the desktop: it is not an existing absolute path",
                    code="bad_request",
                    hint="give absolute paths that exist",
                )
