"""Serve the test pages to a browser, and pass commands to them: ground truth about a page is the page's own account.

`/account.js` in a page asks `/next` for a script, runs it and posts what it returned. A control socket takes one JSON
request a line: `{"do": "run", "page": "/controls.html", "script": "account()"}` -> `{"ok": true, "value": ...}`;
`{"do": "pages"}` -> the pages that have asked so far; `{"do": "quit"}`. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import queue
import socketserver
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

PAGES = Path(__file__).resolve().parent / "pages"
ASK_S = 10.0  # a page that is asked to answer
POLL_S = 20.0  # a page that waits for something to do
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


class Mailbox:
    """Scripts for one page, and their results."""

    def __init__(self) -> None:
        self.scripts: queue.Queue[tuple[int, str]] = queue.Queue(maxsize=16)
        self.results: queue.Queue[tuple[int, Any]] = queue.Queue(maxsize=16)
        self.lock = threading.Lock()
        self.count = 0

    def run(self, script: str) -> Any:
        """Have the page run a script; one at a time, and a late result of an earlier one is dropped."""
        with self.lock:
            self.count += 1
            self.scripts.put((self.count, script), timeout=ASK_S)
            while True:
                number, value = self.results.get(timeout=ASK_S)
                if number == self.count:
                    return value


class Mailboxes(dict[str, Mailbox]):
    """A mailbox for each page that asks."""

    def __missing__(self, page: str) -> Mailbox:
        return self.setdefault(page, Mailbox())


def table(rows: int) -> str:
    """Make a page with a table of that many rows, a button in each tenth, and a button behind it."""
    cells = "".join(
        f"<tr><td>Cell {row}</td><td>{f'<button>Edit {row}</button>' if row % 10 == 0 else row}</td></tr>"
        for row in range(rows)
    )
    return _page(f"Table {rows}", f"<button data-t>First</button><table>{cells}</table><button data-t>Last</button>")


def controls(count: int) -> str:
    """Make a page with that many sections of a heading, a link, a button, a check box and a field."""
    parts = "".join(
        f"<section><h3>Part {number}</h3><a href='#{number}' data-t>Read {number}</a> "
        f"<button data-t>Open {number}</button> "
        f"<label><input type=checkbox data-t='Done {number}'>Done {number}</label> "
        f"<input aria-label='Note {number}' data-t='Note {number}'></section>"
        for number in range(count)
    )
    return _page(f"Controls {count}", f"<style>section{{display:inline-block;width:460px}}</style>{parts}")


def _page(title: str, body: str) -> str:
    script = "<script src='/account.js' async></script>"
    return f"<!doctype html><html lang=en><title>{title}</title>{body}{script}</html>"


GENERATED = {"/table.html": ("rows", table), "/many.html": ("count", controls)}


def handler(mailboxes: Mailboxes) -> type[BaseHTTPRequestHandler]:
    """Make the request handler."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            split = urlsplit(self.path)
            query = parse_qs(split.query)
            if split.path == "/next":
                self._next(mailboxes[query["page"][0]])
            elif split.path in GENERATED:
                name, make = GENERATED[split.path]
                self._send(make(int(query[name][0])).encode(), KINDS[".html"])
            elif (file := PAGES / split.path.lstrip("/")).is_file() and file.suffix in KINDS:
                self._send(file.read_bytes(), KINDS[file.suffix])
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            page, number = (parse_qs(urlsplit(self.path).query)[name][0] for name in ("page", "number"))
            body = self.rfile.read(int(self.headers["Content-Length"]))
            mailboxes[page].results.put((int(number), json.loads(body)))
            self._send(b"", "text/plain")

        def _next(self, mailbox: Mailbox) -> None:
            try:
                number, script = mailbox.scripts.get(timeout=POLL_S)
            except queue.Empty:
                number, script = 0, ""
            self._send(json.dumps({"number": number, "script": script}).encode(), "application/json")

        def _send(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    return Handler


def control(path: Path, mailboxes: Mailboxes, stop: threading.Event) -> socketserver.ThreadingUnixStreamServer:
    """Make the control socket."""

    class Control(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            for line in self.rfile:
                try:
                    reply = {"ok": True, **self._answer(**json.loads(line))}
                except (queue.Empty, queue.Full):
                    reply = {"ok": False, "error": f"the page did not answer; there are {sorted(mailboxes)}"}
                self.wfile.write(json.dumps(reply).encode() + b"\n")

        def _answer(self, do: str, page: str = "", script: str = "") -> dict[str, Any]:
            if do == "quit":
                stop.set()
                return {}
            return {"pages": sorted(mailboxes)} if do == "pages" else {"value": mailboxes[page].run(script)}

    server = socketserver.ThreadingUnixStreamServer(str(path), Control)
    server.daemon_threads = True
    return server


def main() -> None:
    """Serve until told to quit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--control", type=Path, required=True)
    options = parser.parse_args()
    mailboxes, stop = Mailboxes(), threading.Event()
    http = ThreadingHTTPServer(("127.0.0.1", options.port), handler(mailboxes))
    http.daemon_threads = True
    options.control.unlink(missing_ok=True)
    for server in (http, control(options.control, mailboxes, stop)):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    stop.wait()


if __name__ == "__main__":
    main()
