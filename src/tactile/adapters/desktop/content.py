"""The files a desktop starts from: bus and window manager configuration, and the two services its bus may start."""

from __future__ import annotations

import shutil
from pathlib import Path
from xml.sax.saxutils import escape

from tactile.adapters.desktop.programs import ACCESSIBILITY_SERVICE, SERVICES, Programs

CHROMIUM_FLAGS = "chromium-flags"
INSIDE = Path(__file__).parent / "inside"
PACKAGE = "tactile.adapters.desktop.inside"
# What may be switched while the server runs, for taking over and giving back.
VIEWER_SWITCHES = "desktop,AcceptPointerEvents,AcceptKeyEvents,SendCutText,AcceptCutText,DisconnectClients"
# Only these: the services of a full session make the first GTK4 window late and cost memory (portals, file systems).
ACTIVATABLE = {ACCESSIBILITY_SERVICE: ("--launch-immediately", "--a11y=1"), "ca.desrt.dconf.service": ()}
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
 <type>session</type>
 <keep_umask/>
 <listen>unix:path={root}/rt/bus</listen>
 <auth>EXTERNAL</auth>
 <servicedir>{root}/svc</servicedir>
 <policy context="default">
  <allow send_destination="*" eavesdrop="true"/>
  <allow eavesdrop="true"/>
  <allow own="*"/>
 </policy>
</busconfig>
"""
# No key bindings: with them openbox grabs its keys again whenever the keyboard map changes and stops serving windows.
WINDOW_MANAGER = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
 <focus><focusNew>yes</focusNew></focus>
 <desktops><number>1</number></desktops>
 <keyboard></keyboard>
 <mouse>
  <context name="Titlebar">
   <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
  </context>
  <context name="Client">
   <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
  </context>
  <context name="Close">
   <mousebind button="Left" action="Click"><action name="Close"/></mousebind>
  </context>
 </mouse>
</openbox_config>
"""

# Read by Debian's start script. Without the flag Chromium shows the accessibility bus no page; no variable of the
# environment and no property of the bus makes it (measured, Chromium 156).
CHROMIUM = 'export CHROMIUM_FLAGS="$CHROMIUM_FLAGS --force-renderer-accessibility"\n'


def service(text: str, options: tuple[str, ...]) -> str:
    """Return a D-Bus service file without its systemd unit, which does not exist inside, and with further options."""
    lines = [line for line in text.splitlines() if not line.startswith("SystemdService=")]
    return "\n".join(" ".join((line, *options)) if line.startswith("Exec=") else line for line in lines) + "\n"


def server_command(programs: Programs, root: Path, number: int, size: tuple[int, int]) -> list[str]:
    """Return the X server's command line.

    Args:
        programs: Says which server.
        root: The desktop's folder.
        number: Of the display.
        size: Width and height of the screen.

    Units:
        Physical px.
    """
    width, height = size
    command = [programs.server_path, f":{number}"]
    if programs.server == "xvnc":
        command += ["-geometry", f"{width}x{height}", "-depth", "24", "-rfbunixpath", f"{root}/vnc.sock"]
        # No password: the socket is a file in a folder only its owner can enter.
        command += ["-rfbport", "-1", "-SecurityTypes", "None", "-AlwaysShared", "-AllowOverride", VIEWER_SWITCHES]
    else:
        command += ["-screen", "0", f"{width}x{height}x24"]
    # "local" is the abstract socket, which every user of the machine could reach; the one in the folder stays.
    return [*command, "-nolisten", "tcp", "-nolisten", "local", "-auth", f"{root}/xauth", "-noreset"]


def write(root: Path, services: Path = SERVICES) -> None:
    """Fill a desktop's folder."""
    (root / "bus.conf").write_text(BUS.format(root=escape(str(root))), encoding="utf-8")
    (root / "ob.xml").write_text(WINDOW_MANAGER, encoding="utf-8")
    (root / CHROMIUM_FLAGS).write_text(CHROMIUM, encoding="utf-8")
    for name, options in ACTIVATABLE.items():
        if (services / name).is_file():
            text = (services / name).read_text(encoding="utf-8")
            (root / "svc" / name).write_text(service(text, options), encoding="utf-8")
    # Under its full name, without the packages around it: inside, nothing else of Tactile can be imported.
    shutil.copytree(INSIDE, root / "lib" / Path(*PACKAGE.split(".")), ignore=shutil.ignore_patterns("__pycache__"))


def write_private(path: Path, content: bytes) -> None:
    """Write a file only its owner can read, replacing it as a whole."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.touch(mode=0o600)
    fresh.write_bytes(content)
    fresh.replace(path)
