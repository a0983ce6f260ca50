"""Parse target strings: a ref, a locator, or a point of one observation."""

from __future__ import annotations

import re

from tactile.compile.resolve import role_named
from tactile.records import Locator, Point, PointTarget, RefTarget, Role, Target
from tactile.verify.grammar import Tokens

EXAMPLE = 'e12, button "Save", button "Save" in "Save As", or o7@612,80'
_REF = re.compile(r"[ew]\d{1,9}\Z")


def parse_target(text: str) -> Target:
    """Return the target that a string denotes.

    Args:
        text: A ref `e12`, a locator `button "Save" in "Save As"`, or a point `o7@612,80`.

    Raises:
        RequestError: It does not parse or names no known role; says where and gives an example.
    """
    tokens = Tokens(text, "target", EXAMPLE)
    target = take_target(tokens)
    if tokens.peek().kind != "end":
        raise tokens.error("the end of the target")
    return target


def take_target(tokens: Tokens) -> Target:
    """Take one target from the cursor.

    Raises:
        RequestError: As `parse_target`.
    """
    token = tokens.peek()
    if token.kind == "point":
        tokens.take()
        observation, _, place = token.text.partition("@")
        x, _, y = place.partition(",")
        return PointTarget(observation_id=observation, point=Point(x=int(x), y=int(y)))
    if token.kind == "word" and _REF.match(token.text):
        tokens.take()
        return RefTarget(ref=token.text)
    return _take_locator(tokens)


def _take_locator(tokens: Tokens) -> Locator:
    start = tokens.peek().place
    words: list[str] = []
    while tokens.peek().kind == "word":
        words.append(tokens.take().text)
    if not words:
        raise tokens.error("a ref, a role or a point")
    role = role_named(" ".join(words))
    if role is None:
        if re.fullmatch(r"-?\d+,-?\d+", words[0]):
            raise tokens.error("the observation of the point, such as o7@612,80,", start)
        raise tokens.error(f"a role such as button, entry or {_near_role(words[0])}", start)
    name = tokens.expect_quoted("the role")
    within = tokens.expect_quoted("in") if tokens.take_word("in") else None
    return Locator(role=role, name=name, within=within)


def _near_role(word: str) -> str:
    folded = word.casefold()
    return next((role.value for role in Role if folded[:3] and role.value.startswith(folded[:3])), Role.CHECK_BOX.value)
