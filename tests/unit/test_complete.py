"""What is left out is counted where a reader looks for it."""

from __future__ import annotations

from tactile.compile.complete import Selection, listing
from tactile.records import CandidateSet, Completeness, Cut, Role
from tests.unit.building import candidate, native


def test_of_a_page_its_controls_are_counted_however_deep_they_lie() -> None:
    """Our choice: what is cut of a page is told by its controls; few of them are its direct children."""
    page = candidate(Role.DOCUMENT, "Shop", path="/page")
    deep = (native("/box"), native("/page"), native("/frame"))
    buttons = [candidate(Role.BUTTON, f"Buy {number}", parent=deep[0], containers=deep) for number in range(3)]
    text = candidate(Role.LABEL, "Fruit", parent=deep[0], containers=deep)
    candidates = CandidateSet(
        observation_id="o1",
        app_name="browser",
        pid=1,
        candidates=(page, *buttons, text),
        completeness=Completeness(showing=5, shown=0, in_tree=5),
    )

    found = listing(candidates, Selection(), (Cut(ref=native("/page"), what="document web", total=40, shown=3),))

    (group,) = found.groups
    assert (group.total, group.shown) == (40, 3)
