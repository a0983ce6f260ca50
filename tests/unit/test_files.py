"""Files that postconditions look into: only plain ones, only below the desktop's home or what it shows."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tactile.adapters.files import HomeFiles
from tactile.errors import RequestError


async def test_a_file_is_read_by_its_name_from_the_home_and_by_its_path_in_a_shared_folder(tmp_path: Path) -> None:
    """Interface: `file ~/a.txt`; what is shared with the desktop has the same path inside and outside."""
    home, shared = tmp_path / "home", tmp_path / "shared"
    for folder, text in ((home / "docs", "one"), (shared, "two")):
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text(text)
    files = HomeFiles(home, (shared,))

    assert await files.read_file("~/docs/a.txt", 100) == b"one"
    assert await files.read_file("docs/a.txt", 2) == b"on"
    assert await files.read_file(str(home / "docs" / "a.txt"), 100) == b"one"
    assert await files.read_file(str(shared / "a.txt"), 100) == b"two"
    assert await HomeFiles(home, (shared / "a.txt",)).read_file(str(shared / "a.txt"), 100) == b"two"
    assert await files.read_file("~/none/a.txt", 100) is None


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "~/../secret", "~", "~/link", "~/folder-link/secret", "~/pipe", "~/a\0b"]
)
async def test_a_file_elsewhere_a_link_and_a_pipe_are_refused(path: str, tmp_path: Path) -> None:
    """Applications of the desktop are not trusted: a link of theirs must not be followed, nor a pipe be waited for."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret").write_text("outside")
    (home / "link").symlink_to(tmp_path / "secret")
    (home / "folder-link").symlink_to(tmp_path)
    os.mkfifo(home / "pipe")

    with pytest.raises(RequestError) as caught:
        await HomeFiles(home).read_file(path, 100)

    assert caught.value.hint
