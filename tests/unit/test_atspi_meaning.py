"""What the extra calls bring, what their failing costs (nothing else), and what follows without a call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from tactile.adapters.atspi.calls import Batch, Call, Reply
from tactile.adapters.atspi.details import Details
from tactile.adapters.atspi.meaning import HINT_MAX, TITLES_MAX
from tactile.adapters.atspi.node import Node, record
from tactile.adapters.atspi.roles import Toolkit
from tactile.adapters.atspi.tables import settle
from tactile.records.accessible import Accessible
from tactile.records.vocabulary import NameSource, Role, State

APP = ":1.5"
ERROR = "org.freedesktop.DBus.Error.Failed"
NULL = ("", "/org/a11y/atspi/null")
ENTRY, LINK, CELL, TREE_TABLE, TABLE, HEADING, SPIN, COMBO = 79, 88, 56, 66, 55, 83, 52, 11
HOSTILE = "\u202eevil\n" + "x" * 5000


class Scripted:
    """Answers calls at once, from a table by member and first argument."""

    def __init__(self, answers: dict[tuple[str, ...], Any], failing: str = "") -> None:
        self.answers = answers
        self.failing = failing
        self.asked: list[tuple[str, str]] = []

    def ask(self, call: Call, reply: Reply) -> None:
        """Answer, or refuse what fails or is not in the table."""
        name = str(call.body[1]) if call.member == "Get" else call.member
        self.asked.append((call.path, name))
        answer = self.answers.get((call.path, name), self.answers.get((name,)))
        if answer is None or name == self.failing:
            reply(None, ERROR)
        else:
            reply(answer if isinstance(answer, list) else [answer], "")


def node(number: int, path: str = "", parent: Node | None = None, **fields: Any) -> Node:
    """Make a node of which the basics are read."""
    made = Node(path=path or f"/{number}", parent=parent, depth=1, role_number=number, is_seen=True)
    for name, value in fields.items():
        setattr(made, name, value)
    if parent is not None:
        parent.children.append(made)
    return made


def read(one: Node, batch: Scripted, toolkit: Toolkit = Toolkit.GTK3) -> Accessible:
    """Ask for what role and interfaces promise, and make the record."""
    done: list[bool] = []
    Details(cast(Batch, batch), APP, toolkit, text_max=2000).specifics(one, lambda: done.append(True))
    assert one.waiting == 0
    return record(one, APP, toolkit)


@pytest.mark.parametrize("key", ["placeholder-text", "placeholder"])
def test_a_hint_is_read_from_the_attributes(key: str) -> None:
    """GTK says placeholder-text, Chromium says placeholder (measured)."""
    made = read(node(ENTRY, parent=node(23)), Scripted({("GetAttributes",): {key: "Street and number"}}))

    assert made.placeholder == "Street and number"


def test_chromium_says_where_a_name_comes_from() -> None:
    """A name made of the placeholder is one that vanishes from the screen with the first letter."""
    answers = Scripted({("GetAttributes",): {"name-from": "placeholder"}})
    made = read(node(ENTRY, parent=node(23), name="Search"), answers, Toolkit.CHROMIUM)

    assert (made.name_from, made.placeholder) == (NameSource.PLACEHOLDER, "Search")


@pytest.mark.parametrize(("said", "level"), [("2", 2), ("0", None), ("-1", None), ("9" * 400, None), ("²", None)])
def test_a_level_is_a_small_number_or_none(said: str, level: int | None) -> None:
    """Attributes are text of the page's author."""
    made = read(node(HEADING, parent=node(23)), Scripted({("GetAttributes",): {"level": said}}), Toolkit.GECKO)

    assert made.level == level


def test_qt_is_never_asked_for_attributes() -> None:
    """Qt 5.15 and 6.4 have none."""
    batch = Scripted({})
    read(node(ENTRY, parent=node(23)), batch, Toolkit.QT)

    assert "GetAttributes" not in {name for _, name in batch.asked}


def test_where_a_link_leads_is_read_and_bounded() -> None:
    """Hostile text: kept as it is, bounded, for `clean` to make harmless where it is shown."""
    answers = Scripted({("GetURI",): "javascript:" + HOSTILE})
    made = read(node(LINK, parent=node(23), name="Trap", interfaces=frozenset({"Hyperlink"})), answers)

    assert made.url.startswith("javascript:")
    assert len(made.url) == HINT_MAX


def test_a_link_in_a_gtk_3_label_is_named_by_the_words_it_covers() -> None:
    """Measured: it has no name of its own."""
    label = node(29, parent=node(23), name="See the site.")
    link = node(LINK, parent=label, interfaces=frozenset({"Hyperlink"}))
    answers = Scripted({("GetURI",): "https://a.example", ("StartIndex",): 4, ("EndIndex",): 12})

    assert read(link, answers).name == "the site"


def test_a_link_button_of_gtk_3_is_a_link() -> None:
    """It calls itself a push button; GTK 4 calls it a link."""
    made = node(43, parent=node(23), interfaces=frozenset({"Hyperlink", "Action"}))

    assert made.role(Toolkit.GTK3) is Role.LINK
    assert made.role(Toolkit.CHROMIUM) is Role.BUTTON  # there everything has the interface


def test_a_cell_asks_where_it_lies_and_its_column_is_asked_once() -> None:
    """The property Position fails for the first cell on GTK 3, so the method is used (measured)."""
    table = node(TABLE, "/t", node(23), interfaces=frozenset({"Table"}))
    answers: dict[tuple[str, ...], Any] = {("GetColumnHeader",): (APP, "/h"), ("/h", "Name"): "Price"}
    answers[("GetRowColumnSpan",)] = [2, 1, 1, 1]
    batch = Scripted(answers)
    details = Details(cast(Batch, batch), APP, Toolkit.GTK3, text_max=9)
    cells = [node(CELL, f"/c{one}", table, interfaces=frozenset({"TableCell"})) for one in range(2)]
    for cell in cells:
        details.specifics(cell, lambda: None)

    made = record(cells[0], APP, Toolkit.GTK3)
    assert (made.row, made.column, made.column_header) == (3, 2, "Price")
    assert [name for _, name in batch.asked].count("GetColumnHeader") == 1


def test_a_table_that_answers_nonsense_is_asked_for_few_headers() -> None:
    """Bounds: a page can claim any number of columns."""
    table = node(TABLE, "/t", node(23), interfaces=frozenset({"Table"}))
    batch = Scripted({("GetRowColumnSpan",): [0, TITLES_MAX, 1, 1]})
    made = read(node(CELL, parent=table, interfaces=frozenset({"TableCell"})), batch)

    assert made.column == TITLES_MAX + 1
    assert "GetColumnHeader" not in {name for _, name in batch.asked}


def test_a_row_of_a_gtk_3_tree_counts_the_rows_above_it_also_those_that_do_not_show() -> None:
    """Level by the relation "node child of", up to the tree itself."""
    tree = node(TREE_TABLE, "/tree", node(23), interfaces=frozenset({"Table"}), columns=1)
    row = node(CELL, "/core.c", tree, name="core.c")
    above = {"/core.c": "/lib", "/lib": "/src", "/src": "/tree"}
    answers: dict[tuple[str, ...], Any] = {(path, "GetRelationSet"): [[(7, [(APP, to)])]] for path, to in above.items()}
    read(row, Scripted(answers))
    settle([tree], Toolkit.GTK3)

    made = record(row, APP, Toolkit.GTK3)
    assert (made.level, made.role) == (3, Role.TREE_ITEM)


def test_rows_that_lie_below_each_other_have_no_level() -> None:
    """A circle ends, and nothing is made up."""
    tree = node(TREE_TABLE, "/tree", node(23), interfaces=frozenset({"Table"}), columns=1)
    row = node(CELL, "/a", tree)
    answers: dict[tuple[str, ...], Any] = {
        ("/a", "GetRelationSet"): [[(7, [(APP, "/b")])]],
        ("/b", "GetRelationSet"): [[(7, [(APP, "/a")])]],
    }
    read(row, Scripted(answers))
    settle([tree], Toolkit.GTK3)

    assert record(row, APP, Toolkit.GTK3).level is None


def test_a_tree_of_several_columns_has_cells() -> None:
    """Only where a row is one cell is the cell the row."""
    tree = node(TREE_TABLE, "/tree", node(23), columns=2)

    assert node(CELL, "/a", tree).role(Toolkit.GTK3) is Role.TABLE_CELL


def test_cells_of_qt_are_placed_by_their_order() -> None:
    """Qt 5.15 and 6.4: a corner, the headers, then row by row with the row's header first; row numbers say nothing."""
    table = node(TABLE, parent=node(23), child_count=9, interfaces=frozenset({"Table"}))
    node(39, "/corner", table)
    for title in ("Item", "Price"):
        node(57, f"/{title}", table, name=title)
    for number, row in enumerate((("Apple", "3"), ("Pear", "4")), start=1):
        node(58, f"/r{number}", table, name=str(number))
        for text in row:
            node(CELL, f"/{text}", table, name=text)
    settle([table], Toolkit.QT)

    made = {one.name: record(one, APP, Toolkit.QT) for one in table.children if one.role_number == CELL}
    assert (made["4"].row, made["4"].column, made["4"].column_header, made["4"].row_header) == (2, 2, "Price", "")
    assert (made["Apple"].row, made["Apple"].column) == (1, 1)


def test_of_a_part_of_a_table_the_order_says_nothing() -> None:
    """What is not known stays unknown."""
    table = node(TABLE, parent=node(23), child_count=10_000)
    node(57, "/h", table, name="Item")
    cell = node(CELL, "/c", table)
    settle([table], Toolkit.QT)

    assert record(cell, APP, Toolkit.QT).row is None


def test_headers_that_do_not_show_name_no_column() -> None:
    """A Qt tree without headers has them nevertheless, named by number."""
    tree = node(65, parent=node(23), child_count=2, columns=1)
    node(57, "/h", tree, name="1", is_pruned=True)
    row = node(CELL, "/c", tree)
    settle([tree], Toolkit.QT)

    assert record(row, APP, Toolkit.QT).column_header == ""


def test_cells_of_gtk_4_know_their_column_and_not_their_row() -> None:
    """Its rows are reused as one scrolls, and do not say which they are (4.8 and 4.18)."""
    table = node(TREE_TABLE, parent=node(23))
    titles, rows = node(90, "/titles", table), node(31, "/list", table)
    for title in ("Item", "Price"):
        node(29, f"/l{title}", node(20, f"/{title}", titles), name=title)
    row = node(90, "/row", rows)
    cells = [node(CELL, f"/c{one}", row) for one in range(2)]
    settle([table], Toolkit.GTK4)

    made = record(cells[1], APP, Toolkit.GTK4)
    assert (made.row, made.column, made.column_header) == (None, 2, "Price")


def test_a_spin_button_without_a_range_has_a_text_and_no_number() -> None:
    """Qt's date fields say 0 of 0 to 0, Firefox's 0 of nothing to 0 (measured): setting that number would be wrong."""
    dates = (
        {"CurrentValue": 0.0, "MinimumValue": 0.0, "MaximumValue": 0.0},
        {"CurrentValue": 0.0, "MaximumValue": 0.0},
    )
    for numbers in dates:
        fields: dict[str, Any] = {"numbers": numbers, "text": "29 Feb 2024", "interfaces": frozenset({"Value"})}
        made = record(node(SPIN, "/s", node(23), **fields), APP, Toolkit.QT)

        assert (made.value, made.text) == (None, "29 Feb 2024")
        assert not any(offer.primitive.startswith("atspi.value") for offer in made.offers)


@pytest.mark.parametrize(
    ("toolkit", "states", "wanted"),
    [
        (Toolkit.QT, {State.EDITABLE, State.READ_ONLY}, {State.READ_ONLY}),
        (Toolkit.GTK3, {State.SINGLE_LINE}, {State.READ_ONLY}),
        (Toolkit.GECKO, set(), {State.READ_ONLY}),
        (Toolkit.GTK4, {State.EDITABLE}, {State.EDITABLE}),
    ],
)
def test_a_field_is_either_editable_or_read_only(toolkit: Toolkit, states: set[State], wanted: set[State]) -> None:
    """Measured on read-only fields of each toolkit."""
    made = record(node(ENTRY, parent=node(23), states=frozenset(states)), APP, toolkit)

    assert made.states & {State.EDITABLE, State.READ_ONLY} == wanted


def test_a_read_only_field_of_chromium_is_not_disabled() -> None:
    """It lacks ENABLED and SENSITIVE there, and can be focused, which a disabled one cannot (measured)."""
    states = frozenset({State.READ_ONLY, State.FOCUSABLE})

    assert State.ENABLED in record(node(ENTRY, parent=node(23), states=states), APP, Toolkit.CHROMIUM).states


def test_firefox_bullets_are_no_part_of_a_name() -> None:
    """Chromium has none in its names."""
    assert record(node(91, parent=node(23), name="• src"), APP, Toolkit.GECKO).name == "src"
    assert record(node(91, parent=node(23), name="•"), APP, Toolkit.GECKO).name == "•"


CALLS: Sequence[tuple[int, str, frozenset[str]]] = (
    (ENTRY, "GetAttributes", frozenset()),
    (LINK, "GetURI", frozenset({"Hyperlink"})),
    (LINK, "StartIndex", frozenset({"Hyperlink"})),
    (TREE_TABLE, "NColumns", frozenset({"Table"})),
    (CELL, "GetRowColumnSpan", frozenset({"TableCell"})),
    (CELL, "GetColumnHeader", frozenset({"TableCell"})),
    (CELL, "GetRelationSet", frozenset({"TableCell"})),
    (COMBO, "GetSelectedChild", frozenset({"Selection"})),
)
GOOD: dict[tuple[str, ...], Any] = {
    ("GetAttributes",): {"placeholder-text": "hint", "level": "1"},
    ("GetURI",): "https://a.example",
    ("StartIndex",): 0,
    ("EndIndex",): 1,
    ("NColumns",): 2,
    ("GetRowColumnSpan",): [0, 0, 1, 1],
    ("GetColumnHeader",): (APP, "/h"),
    ("GetRelationSet",): [[(7, [(APP, "/t")])]],
    ("GetSelectedChild",): (APP, "/o"),
    ("Name",): "Name",
}
NONSENSE: tuple[Any, ...] = (
    "",
    7,
    [],
    [7],
    {},
    {"level": 1},
    ["x", "y", "z", 1],
    (APP,),
    NULL,
    [[(7, [])]],
    "a" * 100_000,
)


@pytest.mark.parametrize(("number", "member", "interfaces"), CALLS)
def test_each_call_may_fail_alone_and_the_object_stays(number: int, member: str, interfaces: frozenset[str]) -> None:
    """Case C10: one error or one unexpected shape must not cost the observation anything else."""
    for answer in (None, *NONSENSE):
        table = node(TREE_TABLE, "/t", node(23), interfaces=frozenset({"Table"}), columns=2)
        one = node(number, "/x", table, interfaces=interfaces, states=frozenset({State.EDITABLE}))
        one.name = "" if number == LINK else "mine"
        made = read(one, Scripted({**GOOD, (member,): answer}))
        settle([table], Toolkit.GTK3)

        assert made.ref.path == "/x"
        assert made.name in {"mine", ""}
        assert max(len(text) for text in (made.url, made.placeholder, made.column_header)) <= HINT_MAX
