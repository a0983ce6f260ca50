"""Parse postconditions and decide whether they hold in a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tactile.compile.resolve import resolve_locator
from tactile.errors import RequestError, ResolveError
from tactile.policy.untrusted import clean
from tactile.records import Candidate, CandidateSet, Expectation, NativeRef, PointTarget, RefTarget, State, Window
from tactile.verify.grammar import Tokens
from tactile.verify.target import take_target

EXAMPLE = 'e5 is checked and window "Save As" gone'
CLAUSES_MAX = 8  # postconditions joined by "and" in one string
UNSEEN = "not seen, and reading stopped early"  # what was not read may still be there
_STATE_WORDS = {
    "unchecked": "not checked",
    "disabled": "not enabled",
    "hidden": "not showing",
    "gone": "not showing",
    "collapsed": "not expanded",
    "unselected": "not selected",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What judging knows of one moment.

    Attributes:
        candidates: None when the application could not be read.
        windows: All windows of the desktop.
        app_names: Names of the running applications, folded; None when they were not asked for.
        files: Content of the files that expectations name; None for a file that does not exist.
        failure: Why there are no candidates.
        exit_code: Of the application's process, negative for a signal; None while it runs or where it is not known.
    """

    candidates: CandidateSet | None
    windows: tuple[Window, ...] = ()
    app_names: frozenset[str] | None = None
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    failure: str = ""
    exit_code: int | None = None


def parse_expectation(text: str) -> tuple[Expectation, ...]:
    """Return the postconditions of a string, in order.

    Raises:
        RequestError: It does not parse; says where and gives an example.
    """
    tokens = Tokens(text, "postcondition", EXAMPLE)
    clauses = [_take_clause(tokens)]
    while tokens.take_word("and"):
        clauses.append(_take_clause(tokens))
    if tokens.peek().kind != "end":
        raise tokens.error('"and" or the end')
    if len(clauses) > CLAUSES_MAX:
        raise RequestError(f"{len(clauses)} postconditions were given; at most {CLAUSES_MAX} are judged at once.")
    return tuple(clauses)


def _take_clause(tokens: Tokens) -> Expectation:
    first, second = tokens.peek(), tokens.peek(1)
    word = first.text.casefold() if first.kind == "word" else ""
    if word == "file":
        return _take_file(tokens)
    is_bare = tokens.peek(2).text.casefold() in {"", "and", "gone"} and tokens.peek(2).kind in {"word", "end"}
    if word in {"text", "window", "app"} and second.kind == "quoted" and is_bare:
        tokens.take()
        name = tokens.take().text
        kind = "gone" if tokens.take_word("gone") else "present"
        return Expectation(
            subject="text" if word == "text" else "window" if word == "window" else "app",
            kind="gone" if kind == "gone" else "present",
            name=name,
            source=f'{word} "{name}"' + (" gone" if kind == "gone" else ""),
        )
    return _take_target_clause(tokens)


def _take_file(tokens: Tokens) -> Expectation:
    tokens.take()
    path = tokens.take()
    if path.kind not in {"word", "quoted"}:
        raise tokens.error("a path after file", path.place)
    if tokens.take_word("contains"):
        text = tokens.expect_quoted("contains")
        return Expectation(
            subject="file", kind="contains", name=path.text, argument=text, source=f'file {path.text} contains "{text}"'
        )
    if tokens.take_word("gone"):
        return Expectation(subject="file", kind="gone", name=path.text, source=f"file {path.text} gone")
    return Expectation(subject="file", kind="present", name=path.text, source=f"file {path.text}")


def _take_target_clause(tokens: Tokens) -> Expectation:
    start = tokens.peek().place
    target = take_target(tokens)
    if isinstance(target, PointTarget):
        raise tokens.error("a ref or a locator", start)
    if tokens.take_word("gone"):
        return Expectation(subject="target", kind="gone", target=target, source=_since(tokens, start))
    if tokens.take_word("contains"):
        text = tokens.expect_quoted("contains")
        return Expectation(
            subject="target", kind="contains", target=target, argument=text, source=_since(tokens, start)
        )
    if tokens.peek().kind == "equals":
        tokens.take()
        text = tokens.expect_quoted("=")
        return Expectation(subject="target", kind="value", target=target, argument=text, source=_since(tokens, start))
    if tokens.take_word("is"):
        return Expectation(
            subject="target", kind="state", target=target, argument=_take_state(tokens), source=_since(tokens, start)
        )
    raise tokens.error("is, =, contains or gone")


def _since(tokens: Tokens, start: int) -> str:
    return tokens.source[start : tokens.peek().place].strip()


def _take_state(tokens: Tokens) -> str:
    is_negated = tokens.take_word("not")
    token = tokens.take()
    word = _STATE_WORDS.get(token.text.casefold(), token.text.casefold())
    if is_negated:
        word = word.removeprefix("not ") if word.startswith("not ") else f"not {word}"
    if word.removeprefix("not ") not in {state.value for state in State}:
        raise tokens.error("a state such as checked, enabled, focused, selected, expanded or showing", token.place)
    return word


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Whether one postcondition holds, and what was seen instead of or for it."""

    holds: bool
    seen: str


def holds(expectation: Expectation, picture: Picture, natives: Mapping[str, NativeRef]) -> Finding:
    """Decide one postcondition in one picture.

    Args:
        expectation: Parsed.
        picture: What was seen.
        natives: Platform objects behind the refs that expectations name.
    """
    if expectation.subject == "file":
        return _file_holds(expectation, picture)
    if expectation.subject == "window":
        titles = {clean(window.title, 500).text for window in picture.windows}
        is_there = clean(expectation.name, 500).text in titles
        return Finding(holds=is_there is (expectation.kind == "present"), seen="present" if is_there else "absent")
    if expectation.subject == "app":
        if picture.app_names is None:
            return Finding(holds=False, seen="not looked at")
        is_there = expectation.name.casefold() in picture.app_names
        return Finding(holds=is_there is (expectation.kind == "present"), seen="running" if is_there else "not running")
    if picture.candidates is None:
        is_gone = expectation.kind == "gone" or (expectation.kind == "state" and expectation.argument == "not showing")
        is_ended = picture.exit_code is not None  # nothing of a process that has ended is there any more
        return Finding(holds=is_ended and is_gone, seen=picture.failure or "not seen")
    if expectation.subject == "text":
        is_there = has_text(picture.candidates, expectation.name)
        if not is_there and not picture.candidates.is_complete:
            return Finding(holds=False, seen=UNSEEN)
        return Finding(holds=is_there is (expectation.kind == "present"), seen="present" if is_there else "absent")
    return _target_holds(expectation, picture.candidates, natives)


def _file_holds(expectation: Expectation, picture: Picture) -> Finding:
    if expectation.name not in picture.files:
        return Finding(holds=False, seen="not looked at")
    content = picture.files[expectation.name]
    if expectation.kind == "gone":
        return Finding(holds=content is None, seen="absent" if content is None else "present")
    if content is None:
        return Finding(holds=False, seen="absent")
    if expectation.kind == "present":
        return Finding(holds=True, seen=f"{len(content)} bytes")
    is_in = expectation.argument.encode("utf-8", "surrogatepass") in content
    return Finding(holds=is_in, seen=f"{len(content)} bytes, {'with' if is_in else 'without'} the text")


def has_text(candidates: CandidateSet, text: str) -> bool:
    """Tell whether a visible name or value holds the text, white space folded."""
    sought = clean(text, 4000).text
    return any(
        item.is_showing and (sought in clean(item.name, 4000).text or sought in clean(item.value or "", 4000).text)
        for item in candidates.candidates
    )


def _target_holds(expectation: Expectation, candidates: CandidateSet, natives: Mapping[str, NativeRef]) -> Finding:
    if isinstance(expectation.target, RefTarget) and expectation.target.ref not in natives:
        return Finding(holds=False, seen="no candidate of this run has that ref")
    try:
        item = _find(expectation, candidates, natives)
    except ResolveError as error:
        if error.code == "target_ambiguous":
            return Finding(holds=False, seen="several fit")
        item = None
    if item is None and not candidates.is_complete:
        return Finding(holds=False, seen=UNSEEN)
    if item is None or not item.is_showing:
        is_gone = expectation.kind == "gone" or expectation.argument == "not showing"
        return Finding(holds=is_gone, seen="gone" if item is None else "not showing")
    if expectation.kind == "gone":
        return Finding(holds=False, seen="showing")
    if expectation.kind == "state":
        return _state_holds(expectation.argument, item)
    if item.is_secure:
        return Finding(holds=False, seen="not readable: a secret field")
    value = shown_value(item)
    if expectation.kind == "contains":
        return Finding(holds=expectation.argument in value, seen=clean(value).text)
    return Finding(holds=value == expectation.argument, seen=clean(value).text)


def _find(expectation: Expectation, candidates: CandidateSet, natives: Mapping[str, NativeRef]) -> Candidate | None:
    if isinstance(expectation.target, RefTarget):
        native = natives.get(expectation.target.ref)
        return candidates.by_native(native) if native else None
    assert expectation.target is not None
    return resolve_locator(expectation.target, candidates)


def _state_holds(word: str, item: Candidate) -> Finding:
    is_negated = word.startswith("not ")
    name = word.removeprefix("not ")
    has = {"enabled": item.is_enabled, "showing": item.is_showing}.get(name)
    if has is None:
        has = State(name) in item.states or (name == "checked" and State.PRESSED in item.states)
    return Finding(holds=has is not is_negated, seen=name if has else f"not {name}")


def shown_value(item: Candidate) -> str:
    """Return what the candidate holds as a person would read it: its value, else its name."""
    return item.value if item.value is not None else "" if item.is_secure else item.name
