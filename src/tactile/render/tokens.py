"""Estimate what a text costs a model, without a tokenizer and never far too low."""

from __future__ import annotations

import re

_PIECE = re.compile(r"[A-Za-z]+|[0-9]+|[ ]+|[^A-Za-z0-9 ]")
LETTERS_PER_TOKEN = 4  # words of up to four letters are one token in today's vocabularies, longer ones mostly too
WORD_MAX = 12  # letters beyond this are no word: keys, hashes and noise cost a token every two letters
DIGITS_PER_TOKEN = 3


def estimate_tokens(text: str) -> int:
    """Return an upper-leaning estimate of the tokens in a text.

    Source:
        Rule of our own: runs of letters by four, beyond twelve by two; digits by three, each other sign one, a sign
        outside Latin-1 two; a single blank joins the next piece.
    """
    return sum(map(_cost, _PIECE.findall(text)))


def _cost(piece: str) -> int:
    first = piece[0]
    if first == " ":
        return 0 if len(piece) == 1 else 1
    if first.isascii() and first.isalpha():
        word, noise = min(len(piece), WORD_MAX), max(len(piece) - WORD_MAX, 0)
        return -(-word // LETTERS_PER_TOKEN) + -(-noise // 2)
    if first.isascii() and first.isdigit():
        return -(-len(piece) // DIGITS_PER_TOKEN)
    return 1 if ord(first) < 256 else 2
