"""What every adapter keeps to, whatever is behind it; the form's own log is the ground truth."""

from __future__ import annotations

import pytest

from tactile.errors import (
    AppGoneError,
    AppUnresponsiveError,
    ObjectGoneError,
    PlatformError,
    RequestError,
    UnsupportedError,
)
from tactile.ports import Watch
from tactile.records import Action, Coordinates, Extents, NativeRef, Point, ReadLimits, Role, State
from tests.contract.worlds import SECRET, World, center_of

pytestmark = pytest.mark.parametrize("place", ["fake", "gtk3_form.py"], indirect=True, scope="module")

PATIENCE_S = 5.0
SLACK_S = 0.5  # beyond a deadline, on a loaded machine


# ---- reading


async def test_applications_have_name_pid_and_root(world: World) -> None:
    """Ports: applications."""
    found = {item.root: item for item in await world.accessibility.applications(2.0)}

    assert found[world.app.root].pid == world.app.pid
    assert found[world.app.root].is_responding
    assert found[world.app.root].name


async def test_a_tree_is_depth_first_and_whole(world: World) -> None:
    """Records: parents before children; the application root itself is not among them."""
    tree = await world.tree()
    place = {item.ref: index for index, item in enumerate(tree.accessibles)}

    assert tree.is_complete
    assert len(place) == len(tree.accessibles)
    assert world.app.root not in place
    path: list[object] = []
    for item in tree.accessibles:
        while path and path[-1] != item.parent:
            path.pop()  # a parent that is no longer on the path would be one that was left before
        assert path or item.parent is None
        assert item.toplevel in place
        assert item.parent is not None or item.toplevel == item.ref
        path.append(item.ref)


async def test_a_limit_ends_a_read_and_is_said(world: World) -> None:
    """Records: is_complete."""
    limits = ReadLimits(deadline_s=PATIENCE_S, accessibles_max=10)

    tree = await world.accessibility.read_tree(world.app.root, limits)

    assert not tree.is_complete
    assert 0 < len(tree.accessibles) <= 10


async def test_a_text_is_cut_at_the_limit_and_its_length_is_said(world: World) -> None:
    """Records: text, text_length."""
    limits = ReadLimits(deadline_s=PATIENCE_S, text_max=5)

    tree = await world.accessibility.read_tree(world.app.root, limits)

    (notes,) = [item for item in tree.accessibles if item.role is Role.TEXT]
    assert notes.text == "first"
    assert notes.text_length == len("first line\nsecond line\nthird line")


ROLES_AND_STATES: dict[str, tuple[Role, set[State], set[State]]] = {
    "Go": (Role.BUTTON, {State.ENABLED, State.SHOWING, State.FOCUSABLE}, {State.EDITABLE}),
    "Off": (Role.BUTTON, {State.SHOWING}, {State.ENABLED, State.SENSITIVE}),
    "Remember": (Role.CHECK_BOX, {State.ENABLED}, {State.CHECKED}),
    "Small": (Role.RADIO_BUTTON, {State.CHECKED}, {State.SELECTED}),
    "Name": (Role.ENTRY, {State.EDITABLE, State.SINGLE_LINE}, {State.MULTI_LINE}),
    "Fixed": (Role.ENTRY, {State.ENABLED}, {State.EDITABLE}),
    "Secret": (Role.PASSWORD_TEXT, {State.EDITABLE}, {State.MULTI_LINE}),
    "Notes": (Role.TEXT, {State.EDITABLE, State.MULTI_LINE}, {State.SINGLE_LINE}),
    "Count": (Role.SPIN_BUTTON, {State.EDITABLE}, {State.MULTI_LINE}),
    "Company": (Role.COMBO_BOX, {State.ENABLED}, {State.EDITABLE}),
}


async def test_roles_and_states_are_as_the_form_has_them(world: World) -> None:
    """Records: roles and states in AT-SPI's words, evened out."""
    found = {name: await world.find(name) for name in ROLES_AND_STATES}

    assert {name: item.role for name, item in found.items()} == {
        name: role for name, (role, _, _) in ROLES_AND_STATES.items()
    }
    for name, (_, has, lacks) in ROLES_AND_STATES.items():
        assert (has - found[name].states, lacks & found[name].states) == (set(), set()), name


async def test_a_number_has_its_bounds(world: World) -> None:
    """Records: ValueRange."""
    number = (await world.find("Count")).value

    assert number is not None
    assert (number.current, number.minimum, number.maximum) == (1, 0, 100)


async def test_a_password_is_nowhere_in_the_records(world: World) -> None:
    """Design: its content is never read; not its length either."""
    tree = await world.tree()
    (secret,) = [item for item in tree.accessibles if item.name == "Secret" and item.role is Role.PASSWORD_TEXT]

    assert secret.is_secure
    assert (secret.text, secret.text_length) == (None, None)
    assert SECRET not in repr(tree)


async def test_places_are_on_the_screen_and_follow_the_window(world: World) -> None:
    """Records: extents with their coordinates."""
    before = center_of(await world.find("Go"))
    window = await world.window("Form3")

    await world.do(do="move", x=window.extents.x + 40, y=window.extents.y + 30)

    end_s = world.now_s() + PATIENCE_S
    while (await world.find("Go")).extents == before and world.now_s() < end_s:
        await world.pause()
    item, moved = await world.find("Go"), await world.window("Form3")
    dx, dy = moved.extents.x - window.extents.x, moved.extents.y - window.extents.y
    assert (dx, dy) != (0, 0)
    assert item.coordinates is Coordinates.SCREEN
    assert item.extents == before.shifted(dx, dy)


async def test_what_is_at_a_point_is_in_the_tree_or_not_said(world: World) -> None:
    """Ports: at_point."""
    go = await world.find("Go")

    found = await world.accessibility.at_point(world.app.root, center_of(go).center)

    assert found in {go.ref, None}


# ---- changes


async def test_a_change_follows_an_act(world: World) -> None:
    """Ports: changes from the moment the stream was opened."""
    async with world.accessibility.changes(world.app.root) as stream:
        await world.do_offered("Go", Action.PRESS)
        change = await stream.next(PATIENCE_S)

    assert change is not None
    assert change.source.application == world.app.root.application


async def test_nothing_comes_when_nothing_changes(world: World) -> None:
    """Ports: None after the timeout, and not before."""
    async with world.accessibility.changes(world.app.root) as stream:
        while await stream.next(0.3) is not None:
            pass  # what a window that has just come up still has to say
        start_s = world.now_s()
        change = await stream.next(0.25)

    assert change is None
    assert 0.24 <= world.now_s() - start_s <= 0.25 + SLACK_S


async def test_a_new_name_is_told_and_read(world: World) -> None:
    """Ports: changes and read_tree agree."""
    async with world.accessibility.changes(world.app.root) as stream:
        await world.do(do="rename", name="Idle", to="Busy")
        assert await stream.next(PATIENCE_S) is not None

    assert (await world.find("Busy")).role is Role.BUTTON


async def told(watch: Watch) -> set[NativeRef]:
    """Return what a watch says has changed, whether it says the new name or not."""
    sweep = await watch.changed(PATIENCE_S)
    assert sweep.sources is not None
    return set(sweep.sources) | {ref for ref, _ in sweep.said}


async def test_a_watch_names_what_changed_and_only_once(world: World) -> None:
    """Ports: everything up to the answer is in it; the first time, anything may have changed."""
    idle = await world.find("Idle")
    watch = world.accessibility.watch(world.app.root)
    first = await watch.changed(PATIENCE_S)
    assert first.sources is None
    assert first.toplevels == (await world.tree()).toplevels
    while await told(watch):
        await world.pause()  # what a window that has just come up still has to say

    await world.do(do="rename", name="Idle", to="Busy")
    assert idle.ref in await told(watch)
    end_s = world.now_s() + PATIENCE_S
    while await told(watch):  # the new name takes another width
        assert world.now_s() < end_s
        await world.pause()


async def test_a_watch_tells_the_windows_there_are(world: World) -> None:
    """Ports: the toplevels of the moment, in the application's order."""
    watch = world.accessibility.watch(world.app.root)
    before = await watch.changed(PATIENCE_S)
    await world.do(do="window", title="Second")
    await world.window("Second")
    after = await watch.changed(PATIENCE_S)

    assert set(before.toplevels) < set(after.toplevels)
    assert after.toplevels == (await world.tree()).toplevels


async def test_a_closed_watch_starts_anew(world: World) -> None:
    """Ports: what happened meanwhile was not heard."""
    watch = world.accessibility.watch(world.app.root)
    await watch.changed(PATIENCE_S)
    watch.close()
    watch.close()

    assert (await watch.changed(PATIENCE_S)).sources is None


async def test_a_watch_over_a_hung_application_fails_in_time_and_forgets_nothing(world: World) -> None:
    """Ports: an application that does not answer is not taken for an unchanged one."""
    watch = world.accessibility.watch(world.app.root)
    await watch.changed(PATIENCE_S)
    await world.do_offered("Go", Action.PRESS)
    try:
        await world.do_offered("Slow", Action.PRESS)
    except AppUnresponsiveError:
        pass  # some toolkits answer after the handler
    await world.until(lambda: ("click", "Slow", None) in world.log())

    start_s = world.now_s()
    with pytest.raises(AppUnresponsiveError):
        await watch.changed(0.3)
    failed_s = world.now_s() - start_s
    assert failed_s <= 0.3 + SLACK_S

    changed: set[NativeRef] = set()
    end_s = start_s + 2 * PATIENCE_S
    while not changed and world.now_s() < end_s:
        try:
            changed = await told(watch)
        except AppUnresponsiveError:
            await world.pause()  # its handler takes four seconds
    assert changed
    assert {ref.application for ref in changed} == {world.app.root.application}


# ---- acting through the platform


@pytest.mark.parametrize(
    ("name", "action", "argument", "logged"),
    [
        ("Go", Action.PRESS, "", ("click", "Go", None)),
        ("Remember", Action.TOGGLE, "", ("toggle", "Remember", True)),
        ("Large", Action.SELECT, "", ("toggle", "Large", True)),
        ("Name", Action.SET_VALUE, "Ada 中 é", ("change", "Name", "Ada 中 é")),
        ("Name", Action.TYPE, "Ada", ("change", "Name", "Ada")),
        ("Secret", Action.SET_VALUE, "new", ("change", "Secret", 3)),
        ("Count", Action.SET_VALUE, "7", ("change", "Count", 7.0)),
        ("Count", Action.INCREMENT, "", ("change", "Count", 2.0)),
        ("Count", Action.DECREMENT, "", ("change", "Count", 0.0)),
        ("Company", Action.SET_VALUE, "Globex", ("change", "Company", "Globex")),
        ("Notes", Action.SET_VALUE, "one\ntwo", ("change", "Notes", "one\ntwo")),
    ],
)
async def test_what_is_offered_works(
    world: World, name: str, action: Action, argument: str, logged: tuple[str, str, object]
) -> None:
    """Records: an offer is a promise."""
    await world.do_offered(name, action, argument)

    await world.until(lambda: logged in world.log())
    assert world.log()[-1] == logged


async def test_focus_that_is_offered_is_taken(world: World) -> None:
    """Records: an offer is a promise."""
    await world.do_offered("Name", Action.FOCUS)

    await world.until_focused("Name")


async def test_a_disabled_button_does_nothing_whatever_it_answers(world: World) -> None:
    """Facts: toolkits answer true."""
    item = await world.find("Off")
    go = await world.find("Go")
    press = next(offer.primitive for offer in go.offers if offer.action is Action.PRESS)
    try:
        await world.accessibility.perform(item.ref, press, "", PATIENCE_S)
    except UnsupportedError:
        pass  # as good an answer

    await world.do_offered("Go", Action.PRESS)  # whatever came before it has been handled when this is logged
    await world.until(lambda: ("click", "Go", None) in world.log())
    assert ("click", "Off", None) not in world.log()


async def test_acting_on_a_vanished_object_raises_and_does_nothing(world: World) -> None:
    """Ports: ObjectGoneError."""
    await world.do_offered("Open dialog", Action.PRESS)
    await world.window("Confirm")
    ok = await world.find("OK")
    await world.do_offered("Cancel", Action.PRESS)
    await world.until(lambda: any(kind == "closed" for kind, _, _ in world.log()))
    before = world.log()

    with pytest.raises(ObjectGoneError) as caught:
        await world.accessibility.perform(ok.ref, ok.offers[0].primitive, "", PATIENCE_S)

    assert caught.value.effect == "none"
    assert world.log() == before


async def test_what_an_object_cannot_do_raises_and_does_nothing(world: World) -> None:
    """Ports: UnsupportedError; GTK 3 itself would only answer "Failed"."""
    go, count = await world.find("Go"), await world.find("Count")
    set_value = next(offer.primitive for offer in count.offers if offer.action is Action.SET_VALUE)

    with pytest.raises(UnsupportedError) as caught:
        await world.accessibility.perform(go.ref, set_value, "7", PATIENCE_S)

    assert caught.value.effect == "none"
    assert world.log() == []


async def test_an_unknown_primitive_raises_and_does_nothing(world: World) -> None:
    """Ports: UnsupportedError."""
    go = await world.find("Go")

    with pytest.raises(UnsupportedError):
        await world.accessibility.perform(go.ref, "nonsense", "", PATIENCE_S)

    assert world.log() == []


@pytest.mark.parametrize(("name", "argument"), [("Count", "101"), ("Company", "Umbrella")])
async def test_an_argument_that_does_not_fit_raises_and_does_nothing(world: World, name: str, argument: str) -> None:
    """Ports: RequestError."""
    with pytest.raises(RequestError):
        await world.do_offered(name, Action.SET_VALUE, argument)

    assert world.log() == []


# ---- applications that hang or end


async def test_a_hung_application_fails_in_time_and_holds_up_nobody(world: World) -> None:
    """Issue: a hung application never delays the others."""
    other = await world.start("Other")
    try:
        await world.do_offered("Slow", Action.PRESS)
    except AppUnresponsiveError:
        pass  # some toolkits answer after the handler
    await world.until(lambda: ("click", "Slow", None) in world.log())

    start_s = world.now_s()
    with pytest.raises(AppUnresponsiveError):
        await world.accessibility.read_tree(world.app.root, ReadLimits(deadline_s=0.5))
    failed_s = world.now_s() - start_s
    tree = await world.accessibility.read_tree(other.root, ReadLimits(deadline_s=1.5))
    listed = {item.root: item.is_responding for item in await world.accessibility.applications(1.0)}

    assert failed_s <= 0.5 + SLACK_S
    assert tree.is_complete
    assert listed[other.root]
    assert not listed[world.app.root]


async def test_an_application_that_ended_is_gone(world: World) -> None:
    """Ports: AppGoneError."""
    go = await world.find("Go")
    await world.do(do="quit")
    end_s = world.now_s() + PATIENCE_S
    while any(item.root == world.app.root for item in await world.accessibility.applications(1.0)):
        assert world.now_s() < end_s
        await world.pause()

    with pytest.raises(AppGoneError):
        await world.tree()
    with pytest.raises(PlatformError) as caught:
        await world.accessibility.perform(go.ref, go.offers[0].primitive, "", PATIENCE_S)
    assert caught.value.code in {"app_gone", "stale_detached"}
    assert caught.value.effect == "none"


# ---- windows


async def test_windows_come_lowest_first_with_the_active_one_marked(world: World) -> None:
    """Ports: windows."""
    first = await world.window("Form3")
    await world.do(do="window", title="Second")
    await world.window("Second")
    end_s = world.now_s() + PATIENCE_S
    while not (second := await world.window("Second")).is_active:
        assert world.now_s() < end_s
        await world.pause()
    windows = await world.screen.windows()

    assert [item.stacking for item in windows] == sorted(item.stacking for item in windows)
    assert second.stacking > (await world.window("Form3")).stacking
    assert [item.title for item in windows if item.is_active] == ["Second"]
    assert first.pid == second.pid == world.app.pid
    assert first.outer.intersect(first.extents) == first.extents


async def test_activation_is_confirmed_and_true(world: World) -> None:
    """Ports: activate."""
    await world.do(do="window", title="Second")
    await world.window("Second")
    form = await world.window("Form3")

    assert await world.screen.activate(form.native_id, PATIENCE_S)

    assert (await world.window("Form3")).is_active
    assert (await world.screen.windows())[-1].title == "Form3"


async def test_activation_of_no_window_is_not_confirmed(world: World) -> None:
    """Ports: activate."""
    try:
        assert not await world.screen.activate(0x7FFFFF, 0.3)
    except PlatformError:
        pass  # as good an answer


async def test_a_modal_dialog_is_marked(world: World) -> None:
    """Records: is_modal."""
    await world.do_offered("Open dialog", Action.PRESS)

    assert (await world.window("Confirm")).is_modal
    assert not (await world.window("Form3")).is_modal


async def test_pixels_have_the_size_that_was_asked_for(world: World) -> None:
    """Ports: capture."""
    screen = await world.screen.screen()
    shot = await world.screen.capture(Extents(x=10, y=20, width=30, height=40))

    assert len(shot.pixels) == 30 * 40 * 3
    with pytest.raises(RequestError):
        await world.screen.capture(Extents(x=screen.width - 5, y=0, width=10, height=10))


# ---- pointer and keys


async def test_a_click_hits_the_pixel(world: World) -> None:
    """Ports: click exactly this pixel."""
    point = center_of(await world.find("Go")).center

    await world.input.click(point, button="left", count=1, modifiers=())

    await world.until(lambda: ("click", "Go", None) in world.log())
    (press,) = [value for kind, _, value in world.log() if kind == "press"]
    assert isinstance(press, dict)
    assert (press["x"], press["y"]) == (point.x, point.y)


async def test_a_click_outside_the_screen_is_refused(world: World) -> None:
    """Issue: bad input."""
    screen = await world.screen.screen()

    with pytest.raises(RequestError):
        await world.input.click(Point(x=screen.width, y=5), button="left", count=1, modifiers=())

    assert world.log() == []


async def test_a_click_with_an_unknown_modifier_is_refused(world: World) -> None:
    """Issue: bad input."""
    with pytest.raises(RequestError):
        await world.input.click(Point(x=100, y=100), button="left", count=1, modifiers=("hyper",))

    assert world.log() == []


@pytest.mark.parametrize("keys", ["ctrl+nokey", "", "hyper+a"])
async def test_an_unknown_chord_is_refused(world: World, keys: str) -> None:
    """Issue: bad input."""
    with pytest.raises(RequestError):
        await world.input.press(keys)

    assert world.log() == []


async def test_typed_text_arrives(world: World) -> None:
    """Ports: type_text goes to what has the focus."""
    await world.click_into("Name")

    outcome = await world.input.type_text("Ada Lovelace, 1815", deadline_s=PATIENCE_S)

    assert outcome.delivered == 18
    await world.until(lambda: ("change", "Name", "Ada Lovelace, 1815") in world.log())


async def test_text_that_no_key_types_is_refused(world: World) -> None:
    """Ports: nothing was sent."""
    await world.do_offered("Name", Action.FOCUS)

    with pytest.raises(RequestError):
        await world.input.type_text("a\x00b", deadline_s=PATIENCE_S)

    assert not [line for line in world.log() if line[0] == "key"]


async def test_all_is_selected_and_deleted_by_keys(world: World) -> None:
    """Runtime: set_value by keys."""
    await world.do_offered("Name", Action.SET_VALUE, "old")
    await world.click_into("Name")

    await world.input.press("ctrl+a")
    await world.input.press("Delete")

    await world.until(lambda: ("change", "Name", "") in world.log())


async def test_return_is_pressed_in_the_field(world: World) -> None:
    """Runtime: type_text with submit."""
    await world.click_into("Name")

    await world.input.press("Return")

    await world.until(lambda: ("activate", "Name", "") in world.log())


# ---- programs and files


async def test_an_unknown_program_is_refused(world: World) -> None:
    """Ports: launch."""
    with pytest.raises(RequestError):
        await world.launcher.launch(["no-such-program-anywhere"])


async def test_files_of_the_home_are_read_and_bounded(world: World) -> None:
    """Ports: read_file."""
    world.put_file("note.txt", b"0123456789")

    assert await world.files.read_file("~/note.txt", 4) == b"0123"
    assert await world.files.read_file("~/absent.txt", 4) is None
