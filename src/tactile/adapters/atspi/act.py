"""Our primitives to native calls: look up what is needed, then exactly one call that has an effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from dbus_fast import Variant

from tactile.adapters.atspi import bus, offers
from tactile.adapters.atspi.calls import Call, Line
from tactile.adapters.atspi.roles import Toolkit, states_of
from tactile.errors import ObjectGoneError, PlatformError, RequestError, UnsupportedError
from tactile.records.accessible import NativeRef
from tactile.records.vocabulary import State

ACTIONS_MAX = 32
OPTIONS_MAX = 500  # options of one combo box looked through
NARROW = 10.0  # a range below this is more likely one of fractions
ANYWHERE = 6  # ScrollTo's "wherever it can be seen"


class Target(NamedTuple):
    """An object on an open connection, the loop time at which to give up, and what speaks on the other side."""

    line: Line
    ref: NativeRef
    until: float
    toolkit: Toolkit = Toolkit.OTHER

    async def ask(self, sought: str, interface: str, member: str, signature: str = "", *body: Any) -> Any:
        """Make a call without effect and return its first value.

        Raises:
            PlatformError: As `bus.error_of` says.
        """
        values, error = await self._call(interface, member, signature, body)
        if values is None:
            raise bus.error_of(error, sought)
        return values[0] if values else None

    async def get(self, sought: str, interface: str, name: str) -> Any:
        """Read a property."""
        return await self.ask(sought, bus.PROPERTIES, "Get", "ss", interface, name)

    async def act(self, sought: str, interface: str, member: str, signature: str = "", *body: Any) -> bool | None:
        """Make the one call that has an effect.

        Raises:
            AppUnresponsiveError: No answer in time; the effect is possible.
            PlatformError: As `bus.error_of` says.
        """
        values, error = await self._call(interface, member, signature, body)
        if values is not None:
            return bool(values[0]) if values and isinstance(values[0], bool) else None
        problem = bus.error_of(error, sought)
        if not isinstance(problem, (ObjectGoneError, UnsupportedError)) and error not in bus.NOT_DELIVERED:
            problem.effect = "possible"
        raise problem

    def at(self, path: str) -> Target:
        """Return another object of the same application."""
        return self._replace(ref=NativeRef(application=self.ref.application, path=path))

    async def _call(
        self, interface: str, member: str, signature: str, body: Sequence[Any]
    ) -> tuple[Sequence[Any] | None, str]:
        call = Call(self.ref.application, self.ref.path, interface, member, signature, tuple(body))
        return await self.line.call(call, self.until)


async def perform(target: Target, primitive: str, argument: str) -> bool | None:
    """Do one primitive, once.

    Returns:
        The toolkit's own answer, None when it gave none.

    Raises:
        ObjectGoneError: The object no longer exists.
        AppUnresponsiveError: No answer in time; its `effect` says whether one is possible.
        UnsupportedError: The object cannot do it.
        RequestError: The argument does not fit.
    """
    _check_text(argument)
    await _check_attached(target)
    await _check_interface(target, primitive)
    if primitive.startswith(offers.ACTION_PREFIX):
        return await _action(target, primitive.removeprefix(offers.ACTION_PREFIX))
    if primitive == offers.VALUE_SET:
        return await _set_value(target, _number(argument))
    if primitive in {offers.VALUE_STEP_UP, offers.VALUE_STEP_DOWN}:
        return await _step(target, up=primitive == offers.VALUE_STEP_UP)
    if primitive == offers.TEXT_SET:
        return await _set_text(target, argument)
    if primitive == offers.TEXT_INSERT:
        return await _insert(target, argument)
    if primitive == offers.SELECT_CHILD:
        return await _select(target)
    if primitive == offers.COMBO_CHOOSE:
        return await _choose(target, argument)
    if primitive == offers.FOCUS:
        return await target.act("focus", bus.COMPONENT, "GrabFocus")
    if primitive == offers.SCROLL_TO:
        return await target.act("scroll into view", bus.COMPONENT, "ScrollTo", "u", ANYWHERE)
    raise UnsupportedError(
        f'sought primitive "{primitive}", AT-SPI has none of that name', hint="use one that is offered"
    )


async def _action(target: Target, name: str) -> bool | None:
    """Do the action of this machine name; its index is looked up now, as it may have moved."""
    count = min(int(await target.get(f'look up action "{name}"', bus.ACTION, "NActions")), ACTIONS_MAX)
    names = [str(await target.ask(f'look up action "{name}"', bus.ACTION, "GetName", "i", i)) for i in range(count)]
    if name not in names:
        found = ", ".join(names) or "none"
        raise UnsupportedError(f'sought action "{name}", found {found}; nothing was done', hint="observe again")
    return await target.act(f'do action "{name}"', bus.ACTION, "DoAction", "i", names.index(name))


def _check_text(argument: str) -> None:
    bad = next((character for character in argument if character == "\0" or "\ud800" <= character <= "\udfff"), None)
    if bad is not None:
        raise RequestError(
            f"sought text, found the character U+{ord(bad):04X}, which no text can hold; nothing was done",
            hint="leave it out",
        )


async def _check_attached(target: Target) -> None:
    """Refuse a removed object: GTK 3 and Qt still run the handler of a button that was taken out of its window."""
    states = await _alive(target, "GetState")
    if State.SHOWING in states_of(states) or target.toolkit is Toolkit.GTK4:
        return
    if int(await _alive(target, "GetIndexInParent")) < 0:
        raise ObjectGoneError(
            "sought the object, it was taken out of its window; nothing was done", hint="observe again"
        )


async def _alive(target: Target, member: str) -> Any:
    """Ask what every accessible answers; GTK 4 says UnknownMethod of one that is gone."""
    try:
        return await target.ask("look at the object", bus.ACCESSIBLE, member)
    except UnsupportedError as problem:
        raise ObjectGoneError(problem.message, hint="observe again") from problem


NEEDED = {
    offers.VALUE_SET: bus.VALUE,
    offers.VALUE_STEP_UP: bus.VALUE,
    offers.VALUE_STEP_DOWN: bus.VALUE,
    offers.TEXT_SET: bus.EDITABLE_TEXT,
    offers.TEXT_INSERT: bus.EDITABLE_TEXT,
}


async def _check_interface(target: Target, primitive: str) -> None:
    """Refuse what the object lacks: Qt answers true also for a button, GTK 3 only "Failed" (measured)."""
    needed = NEEDED.get(primitive)
    if needed is None:
        return
    interfaces = await target.ask("look at the object", bus.ACCESSIBLE, "GetInterfaces")
    if needed not in interfaces:
        what = needed.rpartition(".")[2]
        raise UnsupportedError(f"sought {what}, the object has none; nothing was done", hint="observe again")


async def _set_text(target: Target, text: str) -> bool | None:
    return await target.act("set the text", bus.EDITABLE_TEXT, "SetTextContents", "s", text)


def _number(argument: str) -> float:
    try:
        return float(argument)
    except ValueError:
        raise RequestError(f'sought a number, found "{argument[:40]}"', hint="give a decimal number") from None


async def _set_value(target: Target, number: float) -> bool | None:
    minimum, maximum = await _bounds(target)
    if not minimum <= number <= maximum:
        raise RequestError(
            f"sought value {number:g}, the range is {minimum:g} to {maximum:g}; nothing was done", hint="stay within it"
        )
    return await _write_value(target, number)


async def _write_value(target: Target, number: float) -> bool | None:
    value = Variant("d", number)
    return await target.act("set the value", bus.PROPERTIES, "Set", "ssv", bus.VALUE, "CurrentValue", value)


async def _bounds(target: Target) -> tuple[float, float]:
    """Return minimum and maximum; without limits where the toolkit says none."""
    minimum = float(await target.get("read the range", bus.VALUE, "MinimumValue"))
    maximum = float(await target.get("read the range", bus.VALUE, "MaximumValue"))
    return (minimum, maximum) if minimum < maximum else (float("-inf"), float("inf"))


async def _step(target: Target, *, up: bool) -> bool | None:
    """Move by one step.

    Where the toolkit names none (Qt and GTK 4 spin boxes): 1, or a hundredth of a range narrower than `NARROW`.
    """
    minimum, maximum = await _bounds(target)
    current = float(await target.get("read the value", bus.VALUE, "CurrentValue"))
    span = maximum - minimum
    step = await _increment(target) or (span / 100 if span < NARROW else 1.0)
    wanted = min(current + step, maximum) if up else max(current - step, minimum)
    return await _write_value(target, wanted)


async def _increment(target: Target) -> float:
    try:
        return max(float(await target.get("read the step", bus.VALUE, "MinimumIncrement")), 0.0)
    except UnsupportedError:
        return 0.0


async def _insert(target: Target, text: str) -> bool | None:
    caret = int(await target.get("find the caret", bus.TEXT, "CaretOffset"))
    states = states_of(await target.ask("find the focus", bus.ACCESSIBLE, "GetState"))
    if caret < 0 or State.FOCUSED not in states:  # a caret that nobody put there: text is appended
        caret = int(await target.get("find the end of the text", bus.TEXT, "CharacterCount"))
    body = (caret, text, _length(text, target.toolkit))
    answer = await target.act("insert text", bus.EDITABLE_TEXT, "InsertText", "isi", *body)
    if target.toolkit is Toolkit.GTK4:
        await _follow(target, caret, caret + len(text))
    return answer


async def _follow(target: Target, before: int, behind: int) -> None:
    """Put the caret behind inserted text: GTK 4's entries leave it before, where the next text would go."""
    try:
        if int(await target.get("find the caret", bus.TEXT, "CaretOffset")) == before:
            await target.act("move the caret", bus.TEXT, "SetCaretOffset", "i", behind)
    except UnsupportedError:  # a text view: it moves its caret by itself, later
        return
    except PlatformError as problem:
        problem.effect = "possible"  # the text is in
        raise


def _length(text: str, toolkit: Toolkit) -> int:
    """Return the length InsertText wants: bytes of UTF-8 on GTK, UTF-16 units on Qt (measured), else characters."""
    if toolkit in {Toolkit.GTK3, Toolkit.GTK4}:
        return len(text.encode())
    return len(text.encode("utf-16-le")) // 2 if toolkit is Toolkit.QT else len(text)


async def _select(target: Target) -> bool | None:
    """Select a child through its parent."""
    _, parent = await target.get("find the parent", bus.ACCESSIBLE, "Parent")
    index = int(await target.ask("find the place in the parent", bus.ACCESSIBLE, "GetIndexInParent"))
    if index < 0 or parent == bus.NULL_PATH:
        raise UnsupportedError("sought the place in the parent, it has none; nothing was done", hint="observe again")
    return await target.at(parent).act("select", bus.SELECTION, "SelectChild", "i", index)


async def _choose(target: Target, label: str) -> bool | None:
    """Choose an option of a combo box by its exact name."""
    names = await _option_names(target, 2)
    places = [index for index, name in enumerate(names) if name == label]
    if len(places) != 1:
        found = ", ".join(f'"{name}"' for name in names[:8]) or "none"
        raise RequestError(
            f'sought one option "{label[:80]}", found {len(places)} of that name among {found}; nothing was done',
            hint="give the name of one option exactly",
        )
    return await target.act("choose an option", bus.SELECTION, "SelectChild", "i", places[0])


async def _option_names(target: Target, depth: int) -> list[str]:
    """Return the names of the options, which lie in a menu or list below the combo box."""
    count = int(await target.get("count the options", bus.ACCESSIBLE, "ChildCount"))
    if count > OPTIONS_MAX:
        raise UnsupportedError(f"sought options, found {count}, too many to look through", hint="open it and scroll")
    children = await target.ask("list the options", bus.ACCESSIBLE, "GetChildren")
    if len(children) == 1 and depth > 0:
        inner = target.at(children[0][1])
        if int(await inner.get("count the options", bus.ACCESSIBLE, "ChildCount")) > 0:
            return await _option_names(inner, depth - 1)
    return [str(await target.at(path).get("read an option", bus.ACCESSIBLE, "Name")) for _, path in children]
