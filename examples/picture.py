"""Use the library: open two applications on an isolated desktop and draw every candidate's box over a screenshot.

.venv/bin/python examples/picture.py docs/candidates.png
"""

from __future__ import annotations

import asyncio
import struct
import sys
import zlib
from pathlib import Path

from tactile import Candidate, Extents, Options, View, open_session

COLOURS = {"button": (220, 50, 47), "entry": (38, 139, 210), "text": (38, 139, 210), "menu": (133, 153, 0)}
OTHER = (211, 130, 0)


def draw_box(pixels: bytearray, width: int, box: Extents, colour: tuple[int, int, int]) -> None:
    """Draw a one-pixel frame into RGB rows."""
    right, bottom = box.x + box.width - 1, box.y + box.height - 1
    edge = [(x, y) for x in range(box.x, right + 1) for y in (box.y, bottom)]
    edge += [(x, y) for y in range(box.y, bottom + 1) for x in (box.x, right)]
    for x, y in edge:
        place = (y * width + x) * 3
        pixels[place : place + 3] = bytes(colour)


def png(width: int, height: int, pixels: bytes) -> bytes:
    """Return RGB rows as a PNG file."""
    rows = b"".join(b"\0" + pixels[y * width * 3 : (y + 1) * width * 3] for y in range(height))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 9)))
    chunks = [struct.pack(">I", len(data)) + kind + data + _sum(kind + data) for kind, data in (*parts, (b"IEND", b""))]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _sum(data: bytes) -> bytes:
    return struct.pack(">I", zlib.crc32(data))


async def main(file: Path) -> None:
    """Draw the picture."""
    async with open_session(Options(width=1000, height=600)) as session:
        boxes: list[Candidate] = []
        for program in ("mousepad", "gnome-calculator"):
            receipt = await session.open_app(program)
            receipt.raise_for_verdict()
            state = await session.observe(View(), nonce="picture")
            boxes = [item for item in boxes if item.role.value == "menu"] + list(state.candidates.candidates)
        shot = await session.scene.desktop.screen.capture(Extents(x=0, y=0, width=1000, height=600))
    pixels = bytearray(shot.pixels)
    for item in boxes:
        if item.is_showing and item.extents is not None and item.role.value != "frame":
            draw_box(pixels, shot.area.width, item.extents, COLOURS.get(item.role.value, OTHER))
    file.write_bytes(png(shot.area.width, shot.area.height, bytes(pixels)))
    sys.stderr.write(f"{len(boxes)} candidates drawn into {file}\n")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
