"""The small grammar of targets and postconditions, split into tokens with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tactile.errors import RequestError

TEXT_MAX = 4000  # characters of one target or postcondition string
_TOKEN = re.compile(
    r"""\s*(?:
        "(?P<quoted>(?:[^"\\]|\\.)*)"
      | (?P<point>o\d+@-?\d+,-?\d+)
      | (?P<equals>=)
      | (?P<word>[^\s"=]+)
    )""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token: kind is quoted, point, equals, word or end."""

    kind: str
    text: str
    place: int


class Tokens:
    """A cursor over the tokens of one string.

    Raises:
        RequestError: A character begins no token, such as an unclosed quote.
    """

    def __init__(self, source: str, what: str, example: str) -> None:
        self.source, self.what, self.example = source, what, example
        if len(source) > TEXT_MAX:
            raise RequestError(
                f"The {what} is {len(source)} characters long; at most {TEXT_MAX} are read.", hint=f"Example: {example}"
            )
        self._tokens = self._split()
        self._index = 0

    def _split(self) -> list[Token]:
        tokens: list[Token] = []
        place = 0
        end = len(self.source.rstrip())
        while place < end:
            found = _TOKEN.match(self.source, place)
            if found is None:
                raise self.error("a closing quote or a word", place)
            kind = found.lastgroup or "word"
            text = found.group(kind)
            if kind == "quoted":
                text = re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
            tokens.append(Token(kind=kind, text=text, place=found.start(kind)))
            place = found.end()
        tokens.append(Token(kind="end", text="", place=end))
        return tokens

    def peek(self, ahead: int = 0) -> Token:
        """Return a coming token without taking it."""
        return self._tokens[min(self._index + ahead, len(self._tokens) - 1)]

    def take(self) -> Token:
        """Take the next token."""
        token = self.peek()
        self._index += 1
        return token

    def take_word(self, *words: str) -> bool:
        """Take the next token if it is one of these words; tell whether it was."""
        token = self.peek()
        if token.kind == "word" and token.text.casefold() in words:
            self._index += 1
            return True
        return False

    def expect_quoted(self, after: str) -> str:
        """Take a quoted text, or refuse."""
        token = self.take()
        if token.kind != "quoted":
            raise self.error(f"a quoted text after {after}", token.place)
        return token.text

    def error(self, sought: str, place: int | None = None) -> RequestError:
        """Return the refusal for something else than `sought` at a place."""
        where = self.peek().place if place is None else place
        found = self.source[where : where + 20] or "the end"
        return RequestError(
            f"The {self.what} does not parse at character {where + 1}: expected {sought}, found {found!r}.",
            hint=f"Example: {self.example}",
        )
