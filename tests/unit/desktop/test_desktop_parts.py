"""The pure parts of a private desktop: command lines, files, wire formats, the process tree."""

from __future__ import annotations

import os
import socket
import struct
import time
from pathlib import Path

import pytest

from tactile.adapters.desktop import DesktopOptions, probe
from tactile.adapters.desktop.content import server_command, service
from tactile.adapters.desktop.display import authority, claim_by_link, claim_by_name, remove_dead
from tactile.adapters.desktop.folder import Folder, abandoned, base_folder, display_of
from tactile.adapters.desktop.inside.bus import Bus, BusError, encode_call, encode_status
from tactile.adapters.desktop.inside.processes import Output, descendants
from tactile.adapters.desktop.inside.screen import ScreenError, wait_for_window_manager
from tactile.adapters.desktop.programs import Programs
from tactile.adapters.desktop.sandbox import arguments, environment
from tactile.errors import RequestError, SetupError

ROOT = Path("/tmp/tactile-d")


def pairs(argv: list[str]) -> list[tuple[str, ...]]:
    """Return the arguments three at a time, from every position."""
    return [tuple(argv[at : at + 3]) for at in range(len(argv))]


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Make a machine with a merged /usr, secrets and a resolver file."""
    (tmp_path / "etc/ssh").mkdir(parents=True)
    (tmp_path / "etc/shadow").write_text("root:secret")
    (tmp_path / "etc/gshadow").symlink_to("shadow")
    (tmp_path / "lib").symlink_to("usr/lib")
    (tmp_path / "bin").mkdir()
    return tmp_path


def test_the_sandbox_hides_tmp_before_it_shows_the_desktops_folder(machine: Path) -> None:
    """bwrap(1): mounts are made in the order of the arguments."""
    argv = arguments(ROOT, network=False, machine=machine)

    assert argv.index("/tmp") < argv.index(str(ROOT)) < argv.index("/tmp/.X11-unix")
    assert argv[:3] == ["--die-with-parent", "--new-session", "--as-pid-1"]
    assert "--unshare-net" in argv
    assert "--unshare-net" not in arguments(ROOT, network=True, machine=machine)
    assert ("--cap-drop", "ALL") in [pair[:2] for pair in pairs(argv)]


def test_debians_chromium_is_told_to_expose_its_pages(machine: Path) -> None:
    """Measured: without the flag Chromium 156 shows four accessibles; its start script reads the files of a folder."""
    before = arguments(ROOT, network=False, machine=machine)
    (machine / "etc/chromium.d").mkdir()
    own = machine / "etc/chromium.d/default-flags"
    own.write_text("")
    found = pairs(arguments(ROOT, network=False, machine=machine))

    assert not any("chromium.d" in argument for argument in before)
    assert ("--tmpfs", "/etc/chromium.d") in [pair[:2] for pair in found]
    assert ("--ro-bind", str(own), "/etc/chromium.d/default-flags") in found
    assert ("--ro-bind-try", f"{ROOT}/chromium-flags", "/etc/chromium.d/chromium-flags") in found


def test_existing_secrets_are_covered_and_links_are_left(machine: Path) -> None:
    """Our choice: a mount on a link would cover what it leads to, and /etc is read-only, so absent paths cannot be."""
    found = pairs(arguments(ROOT, network=False, machine=machine))

    assert ("--ro-bind", "/dev/null", "/etc/shadow") in found
    assert ("--tmpfs", "/etc/ssh") in [pair[:2] for pair in found]
    assert not any("/etc/gshadow" in pair or "/etc/sudoers" in pair for pair in found)


def test_merged_folders_are_links_and_others_are_shown(machine: Path) -> None:
    """Debian 12 and 13 have a merged /usr; older or other systems may not."""
    found = pairs(arguments(ROOT, network=False, machine=machine))

    assert ("--symlink", "usr/lib", "/lib") in found
    assert ("--ro-bind", f"{machine}/bin", "/bin") in found


def test_the_environment_is_made_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our choice: neither a token nor the caller's display may leak in."""
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("TOKEN", "secret")

    made = environment(ROOT, 123)

    assert made["DISPLAY"] == ":123"
    assert made["HOME"] == f"{ROOT}/home"
    assert "TOKEN" not in made


@pytest.mark.parametrize(("kind", "size"), [("xvnc", "1024x768"), ("xvfb", "1024x768x24")])
def test_the_server_listens_on_files_only(kind: str, size: str) -> None:
    """Our choice: no TCP port and no abstract socket, which any user of the machine could reach."""
    found = Programs(server="xvnc" if kind == "xvnc" else "xvfb", server_path="/usr/bin/X", openbox="", dbus_daemon="")

    command = server_command(found, ROOT, 120, (1024, 768))

    assert command[:2] == ["/usr/bin/X", ":120"]
    assert size in command
    assert [pair[1] for pair in pairs(command) if pair[0] == "-nolisten"] == ["tcp", "local"]
    assert ("-rfbport" in command) == (kind == "xvnc")


def test_a_service_loses_its_systemd_unit_and_gains_options() -> None:
    """There is no systemd inside, and dbus-daemon would wait for it."""
    text = "[D-BUS Service]\nName=org.a11y.Bus\nExec=/usr/libexec/x\nSystemdService=x.service\n"

    assert service(text, ("--now",)) == "[D-BUS Service]\nName=org.a11y.Bus\nExec=/usr/libexec/x --now\n"


def test_the_cookie_is_recorded_for_this_machine_and_for_any() -> None:
    """Xauth file format: big-endian family, then four counted fields."""
    raw = authority("desk", 7, b"C" * 16)

    tail = b"\0\x017\0\x12MIT-MAGIC-COOKIE-1\0\x10" + b"C" * 16
    assert raw == b"\x01\0\0\x04desk" + tail + b"\xff\xff\0\0" + tail


def test_a_display_number_is_given_once(tmp_path: Path) -> None:
    """Our choice: making the link is the lock."""
    numbers = range(59990, 59993)

    assert claim_by_link(numbers, ROOT, tmp_path) == 59990
    assert claim_by_link(numbers, ROOT, tmp_path) == 59991
    number, claim = claim_by_name(numbers, tmp_path)
    with claim:
        assert number == 59992
        with pytest.raises(SetupError, match="all display numbers"):
            claim_by_name(numbers, tmp_path)


def test_only_the_socket_of_a_dead_server_is_removed(tmp_path: Path) -> None:
    """Our choice: a living X server of somebody else is never touched."""
    with socket.socket(socket.AF_UNIX) as living:
        living.bind(f"{tmp_path}/X59990")
        living.listen()
        remove_dead(59990, tmp_path)
        assert (tmp_path / "X59990").exists()
    remove_dead(59990, tmp_path)
    assert not (tmp_path / "X59990").exists()


def test_a_long_or_foreign_runtime_folder_is_not_used(tmp_path: Path) -> None:
    """unix(7): a socket's path has at most 108 bytes."""
    (tmp_path / "short").mkdir()
    fits = len(str(tmp_path / "short")) <= 48

    assert base_folder("", 1) == (Path("/tmp"), "tactile-1-")
    assert base_folder("/" + "x" * 60, os.getuid())[0] == Path("/tmp")
    assert base_folder(str(tmp_path), os.getuid() + 1)[0] == Path("/tmp")
    assert base_folder(str(tmp_path / "short"), os.getuid())[0] == ((tmp_path / "short") if fits else Path("/tmp"))


def test_a_folder_is_abandoned_only_when_its_lock_is_free(tmp_path: Path) -> None:
    """Our choice: the kernel releases the lock with its owner, so no process id has to be trusted."""
    held = Folder.make(tmp_path, "tactile-")
    assert (held.root.stat().st_mode & 0o777) == 0o700
    assert list(abandoned(tmp_path, "tactile-", os.getuid())) == []

    (tmp_path / "tactile-left/a/b").mkdir(parents=True)
    (tmp_path / "tactile-left/a/b/file").touch()
    (tmp_path / "tactile-left/a/b").chmod(0o500)  # as module caches do
    (left,) = abandoned(tmp_path, "tactile-", os.getuid())
    left.remove()
    held.remove()
    held.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("make", ["nothing", "pipe", "link", "garbage"])
def test_what_programs_put_in_place_of_the_configuration_is_not_believed(tmp_path: Path, make: str) -> None:
    """Our choice: the folder of a killed desktop may hold anything."""
    path = tmp_path / "desktop.json"
    if make == "pipe":
        os.mkfifo(path)
    elif make == "link":
        (tmp_path / "other").write_text('{"environment": {"DISPLAY": ":5"}}')
        path.symlink_to(tmp_path / "other")
    elif make == "garbage":
        path.write_text('{"environment": [1]}')

    assert display_of(tmp_path) is None


def test_output_is_cut_at_its_limit(tmp_path: Path) -> None:
    """Our choice: the reader goes on reading, so that the writer never blocks."""
    reader, writer = os.pipe()
    output = Output(reader, str(tmp_path / "log"), limit=4)
    os.write(writer, b"abcdefgh")

    assert output.drain() == 8
    assert output.drain() == -1
    os.write(writer, b"more")
    os.close(writer)
    assert output.tail() == "abcd\n[more output was dropped]"
    assert output.drain() == 0
    output.close()
    assert output.tail() == "abcd\n[more output was dropped]"


def test_descendants_are_found_at_any_depth() -> None:
    """Killing a process group misses what called setsid; the tree does not."""
    assert descendants(1, {2: 1, 3: 2, 4: 3, 5: 9, 9: 0}) == {2, 3, 4}
    assert descendants(7, {2: 1}) == set()


def test_a_bus_call_is_laid_out_as_the_specification_says() -> None:
    """D-Bus Specification, Message Format: fields aligned to 8, header padded to 8, lengths little-endian."""
    message = encode_call(3, "a.b", "/c", "d.e", "F", "s", b"\x01\0\0\0x\0")

    kind, body, serial, fields = message[1], *struct.unpack("<III", message[4:16])
    assert (kind, body, serial) == (1, 6, 3)
    assert len(message) == 16 + fields + (-fields % 8) + body
    assert message[16 : 16 + fields].endswith(b"\x08\x01g\0\x01s\0")


def test_a_status_switch_is_laid_out_as_the_specification_says() -> None:
    """D-Bus Specification, Marshaling: a string is aligned to 4, a boolean in a variant is a 32-bit word."""
    body = encode_status("IsEnabled", value=True)

    assert body[:4] == struct.pack("<I", len("org.a11y.Status"))
    assert body.endswith(b"\x01b\0\0\0\0\x01\0\0\0")
    assert len(body) % 4 == 0


def test_a_silent_bus_and_a_silent_screen_end_at_the_deadline(tmp_path: Path) -> None:
    """Our choice: no wait without an end (a stopped process accepts and says nothing)."""
    path = str(tmp_path / "silent")
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(path)
        silent.listen()
        began = time.monotonic()
        with pytest.raises((BusError, TimeoutError)):
            Bus(f"unix:path={path}", began + 0.05)
        with pytest.raises((ScreenError, TimeoutError)):
            wait_for_window_manager(path, b"C" * 16, began + 0.1)
    assert time.monotonic() - began < 2


def test_impossible_options_are_refused() -> None:
    """Bad input: the error says what is allowed."""
    with pytest.raises(RequestError, match="0x800"):
        DesktopOptions(width=0)
    with pytest.raises(RequestError, match="no/such"):
        DesktopOptions(read_only=(Path("/no/such/path"),))


def test_doctor_names_what_is_missing_with_the_package(tmp_path: Path) -> None:
    """Issue 2, 3: doctor says that isolation is reduced and how to change that."""
    found = {check.name: check for check in probe(str(tmp_path))}

    assert not found["bwrap"].ok
    assert "reduced" in found["bwrap"].detail
    assert found["bwrap"].fix == "sudo apt-get install bubblewrap"
    assert found["openbox"].fix == "sudo apt-get install openbox"
    assert found["X server"].fix == "sudo apt-get install tigervnc-standalone-server"
