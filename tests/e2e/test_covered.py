"""A thing that something else of the same page covers is not clicked; the page's own log is the truth (case C51)."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.desk import desk, need_programs, wait_until

PAGE = """<!doctype html><title>Shop</title>
<button style="position:absolute;left:40px;top:40px;width:200px;height:40px" onclick="note('buy')">Buy</button>
<button style="position:absolute;left:40px;top:140px;width:200px;height:40px" onclick="note('other')">Other</button>
<div id="banner" role="dialog" aria-label="Cookies" onclick="note('banner')"
  style="position:fixed;left:0;top:20px;width:400px;height:90px;background:#ffd">
  <p style="margin:4px 260px 0 0">We use cookies</p><button style="position:absolute;right:8px;bottom:8px"
  onclick="event.stopPropagation();document.getElementById('banner').remove();note('closed')">Dismiss</button></div>
<script>const log = []; function note(word) { log.push(word); document.title = "Shop " + log.join(" "); }</script>
"""


def test_a_button_under_a_banner_is_refused_until_the_banner_is_closed(tmp_path: Path) -> None:
    """Both ways of acting meet it: the native press goes past what a person could not."""
    need_programs("chromium")
    with desk(tmp_path) as opened:
        page = opened.folder / "shop.html"
        page.write_text(PAGE, encoding="utf-8")
        flags = ["--no-sandbox", "--no-first-run", "--password-store=basic", "--disable-gpu"]
        flags += ["--force-renderer-accessibility", f"--user-data-dir={opened.folder / 'profile'}"]
        opened.call("open_app", name="chromium", args=[*flags, page.as_uri()])

        def names() -> set[str]:
            answer = opened.call("get_app_state", app="chromium", query="button", format="records")
            return {item["name"] for item in answer.data["candidates"]} if not answer.is_error else set()

        def titled(words: str) -> bool:
            windows = [one["title"] for app in opened.apps() for one in app["windows"]]
            return any(title.startswith(f"Shop {words}".strip()) for title in windows)

        wait_until(lambda: {"Buy", "Other", "Dismiss"} <= names(), "the page", 20.0)

        for count in (1, 2):  # the native press, and the pointer
            refused = opened.call("click", target='button "Buy"', count=count)
            assert refused.failure == "occluded", refused.text
            assert "Cookies" in refused.text or "We use cookies" in refused.text, refused.text
        assert opened.call("click", target='button "Other"').data["status"] == "executed"
        wait_until(lambda: titled("other"), "the button beside it")
        closed = opened.call("click", target='button "Dismiss"')
        assert closed.data["status"] == "executed", closed.text
        wait_until(lambda: titled("other closed"), "the banner closed")
        assert opened.call("click", target='button "Buy"').data["status"] == "executed"
        wait_until(lambda: titled("other closed buy"), "the button that was under it")
