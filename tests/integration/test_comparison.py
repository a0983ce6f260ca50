"""The benchmark that reads applications beside other tools measures what it says; nothing here is timed."""

from __future__ import annotations

import anyio

from benchmarks.accessibility import measure_subject
from benchmarks.applications import FIXTURES, SYSTEM_PYTHON
from benchmarks.peers import DBUS_FAST, TACTILE
from benchmarks.subjects import Subject
from tests.e2e.desk import need_programs, need_toolkit


def test_an_application_is_read_beside_another_tool_and_messages_are_counted_by_the_bus() -> None:
    """The measurement itself, once, on a fixture: what Tactile says of its calls is what the bus has counted."""
    need_toolkit("gtk4")
    need_programs("dbus-monitor")
    command = (SYSTEM_PYTHON, str(FIXTURES / "gtk4_form.py"))
    subject = Subject(name="form", toolkit="GTK 4", command=lambda _folder: command, shows=(FIXTURES,))

    figures = {one.name: one for one in anyio.run(measure_subject, subject, 1, (TACTILE, DBUS_FAST))}

    ours, theirs = figures["form: full, Tactile"], figures["form: full, dbus-fast"]
    assert dict(ours.more)["objects"] == dict(theirs.more)["objects"]
    assert float(dict(ours.more)["objects"]) > 50
    assert dict(ours.more)["messages"] == dict(theirs.more)["messages"]
    told = dict(figures["form: showing, messages"].more)
    assert 0 <= float(told["counted by the bus"]) - float(told["said"]) <= 2  # the list of windows and the cache
