"""Options of combo boxes and rows of lists: a click does what a person's click does."""

from __future__ import annotations

from tests.e2e.desk import Desk


def test_each_option_of_an_open_combo_box_is_the_one_that_is_chosen(shared_desk: Desk, toolkit: str) -> None:
    """Found in attack: the row above was chosen (GTK 4), or none (Qt), and the receipt said confirmed."""
    with shared_desk.opened(toolkit) as form:
        role = "menu_item" if toolkit == "gtk3" else "list_item"
        for option in ("Globex", "Initech", "Acme"):
            opened = shared_desk.call("click", target='combo_box "Company"')
            assert not opened.is_error, opened.text
            receipt = shared_desk.call("click", target=f'{role} "{option}"')
            assert receipt.verdict == "confirmed", receipt.text
            assert form.values()["Company"] == option


def test_a_click_on_a_row_fires_the_handler_of_the_application(shared_desk: Desk, toolkit: str) -> None:
    """Found in attack: selection by the accessibility bus is no click."""
    with shared_desk.opened(toolkit) as form:
        for row in ("Row 3", "Row 5"):
            receipt = shared_desk.call("click", target=f'list_item "{row}"')
            assert receipt.verdict == "confirmed", receipt.text
            chosen = [event["value"] for event in form.new_events() if event["event"] == "select"]
            assert chosen == [row]
            assert form.values()["Rows"]["selected"] == row
