"""Text from the screen is harmless to read."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactile.policy.untrusted import NAME_MAX, clean, is_suspicious, quote

HOSTILE = (
    "ab \t\n\r\x00\x1b\x85\u200b\u200d\u202e\u2066"
    '\u2028\ufe0f\u20e3\u2800\u3164⟦⟧"\\1❤👩💻漢字é\U000e0041\ud800\ue000\u0301'
)
any_text = st.text(st.one_of(st.sampled_from(HOSTILE), st.characters()), max_size=60)


@given(any_text, st.integers(1, 40))
def test_cleaned_text_is_one_bounded_line_without_anything_hidden(text: str, limit: int) -> None:
    """Our choice: control, format, bidi, tag and fence characters never reach a reader; joiners only inside emoji."""
    line = clean(text, limit).text

    assert len(line) <= limit
    assert not {"⟦", "⟧", "\n", "\r"} & set(line)
    assert {unicodedata.category(one) for one in line if one != "\u200d"} <= {
        *("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"),
        *("Sm", "Sc", "Sk", "So", "Zs", "Cn"),
    }
    assert all(0x1F000 <= ord(one) < 0x1FB00 for one in line if unicodedata.category(one) == "Cn")
    assert not any(0xE0000 <= ord(one) <= 0xE01EF for one in line)


@given(any_text, st.integers(1, 40))
def test_cleaning_twice_is_cleaning_once(text: str, limit: int) -> None:
    """House style: passes are idempotent."""
    once = clean(text, limit)
    again = clean(once.text, limit)

    assert (again.text, again.hidden) == (once.text, 0)


@pytest.mark.parametrize(
    "emoji",
    [
        "👩\u200d💻",
        "❤\ufe0f\u200d🔥",
        "1\ufe0f\u20e3",
        "👩🏽\u200d💻",
        "🙂\u200d↔\ufe0f",
        "🏳\ufe0f\u200d🌈",
        "‼\ufe0f",
        "\U0001fae8",
    ],
)
def test_emoji_stay_whole_and_are_not_suspicious(emoji: str) -> None:
    """Unicode emoji sequences; the last one is younger than Python 3.11's tables."""
    assert clean(emoji).text == emoji
    assert not is_suspicious(emoji)


@pytest.mark.parametrize(
    "text",
    [
        "1\u200d2",
        "©\u200d©",
        "OK\u200b",
        "a\ufe0f",
        "❤\ufe0f\ufe0f",
        "\U000e0049gnore",
        "\u202egnp.exe",
        "a\u2800b",
        "\ud83d",
    ],
)
def test_what_a_person_cannot_see_is_removed_and_counted(text: str) -> None:
    """Invisible characters carry instructions and make two names look the same (public reports on tag characters)."""
    assert clean(text).hidden >= 1
    assert is_suspicious(text)


def test_a_huge_name_costs_no_more_than_its_limit() -> None:
    """Our choice: names of 5 kB and more are cut and marked."""
    line = clean("x" * 1_000_000)

    assert len(line.text) == NAME_MAX
    assert line.is_cut
    assert line.text.endswith("…")


@given(any_text)
def test_a_quoted_text_has_no_bare_quote_inside(text: str) -> None:
    """A name cannot end its own quotes and go on as our words."""
    inner = quote(text)[1:-1]
    bare = inner.replace("\\\\", "").replace('\\"', "")

    assert '"' not in bare
