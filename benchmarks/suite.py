"""Which measurements a run consists of, in which order, and how often each is repeated."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import anyio
import click
from rich.console import Console

from benchmarks import bulk, forms, subjects, witnesses
from benchmarks.accessibility import measure_subject
from benchmarks.applications import CALCULATOR, PROGRAMS, Program
from benchmarks.conditions import conditions, load
from benchmarks.crowd import measure_crowd
from benchmarks.figures import Figure
from benchmarks.isolated import measure_desktops
from benchmarks.looking import measure_program
from benchmarks.peers import NEED_PEERS, TOOLS, Tool, prepare_peers
from benchmarks.report import as_content, print_report, write_json
from benchmarks.startup import measure_answers, measure_imports
from benchmarks.stopped import measure_stopped
from benchmarks.toolkits import write_reference
from tactile.errors import TactileError

SECTIONS = ("start", "desktop", "look", "crowd")
LONG_SECTIONS = ("accessibility", "bulk")  # only when named: the first takes 20 minutes
WIDTH = 150  # columns of the table where stdout is no terminal


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How often each measurement is repeated."""

    pairs: int
    starts: int
    looks: int
    clicks: int
    programs: tuple[Program, ...]
    rounds: int
    stops: int
    subjects: tuple[subjects.Subject, ...]
    forms: tuple[str, ...]
    accounts: tuple[str, ...]


FULL = Repeats(
    pairs=12,
    starts=10,
    looks=25,
    clicks=24,
    programs=PROGRAMS,
    rounds=10,
    stops=4,
    subjects=subjects.SUBJECTS,
    forms=forms.TOOLKITS,
    accounts=witnesses.KINDS,
)
SHORT = Repeats(
    pairs=1,
    starts=1,
    looks=3,
    clicks=2,
    programs=(CALCULATOR,),
    rounds=2,
    stops=1,
    subjects=subjects.SHORT,
    forms=forms.TOOLKITS[:1],
    accounts=(),
)

Measurement = tuple[str, Callable[[], list[Figure]]]


@dataclass(slots=True, kw_only=True)
class Run:
    """What has been measured so far, and what could not be."""

    figures: list[Figure] = field(default_factory=list)
    not_measured: list[str] = field(default_factory=list)

    def do(self, name: str, measure: Callable[[], list[Figure]]) -> None:
        """Take one measurement; one that cannot be taken is named and leaves the others alone."""
        click.echo(f"measuring {name} (load {load()}) …", err=True)
        try:
            self.figures += measure()
        except (TactileError, RuntimeError, LookupError, OSError, ExceptionGroup) as error:
            self.not_measured.append(f"{name}: {_reason(error)}")
            click.echo(f"not measured: {self.not_measured[-1]}", err=True)


def _reason(error: BaseException) -> str:
    """Return what lies behind the groups in which the client's tasks wrap an error."""
    notes = list(getattr(error, "__notes__", ()))
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
        notes += getattr(error, "__notes__", ())
    return "\n".join([f"{type(error).__name__}: {error}", *notes])


def measurements(
    section: str, repeats: Repeats, programs: tuple[Program, ...], tools: tuple[Tool, ...]
) -> Iterator[Measurement]:
    """Yield the measurements of a section.

    Args:
        section: One of SECTIONS or LONG_SECTIONS.
        repeats: How often.
        programs: Those that are installed.
        tools: Those that Tactile is compared with.
    """
    if section == "start":
        yield "the first answer of a server", partial(measure_answers, repeats.pairs)
        yield "import and help", partial(measure_imports, repeats.pairs)
    elif section == "desktop":
        yield "isolated desktops", partial(anyio.run, measure_desktops, repeats.starts)
    elif section == "look":
        for program in programs:
            yield program.name, partial(anyio.run, measure_program, program, repeats.looks, repeats.clicks)
    elif section == "accessibility":
        yield from _readings(repeats, tools)
    elif section == "bulk":
        yield from _transports(repeats)
    else:
        name = f"{len(programs)} applications on one desktop"
        yield name, partial(anyio.run, measure_crowd, programs, repeats.looks, repeats.clicks)


def _readings(repeats: Repeats, tools: tuple[Tool, ...]) -> Iterator[Measurement]:
    for subject in repeats.subjects:
        yield subject.name, partial(anyio.run, measure_subject, subject, repeats.rounds, tools)
    yield "one stopped", partial(anyio.run, measure_stopped, repeats.stops, tools)
    for toolkit in repeats.forms:
        yield f"fixture {toolkit}", partial(forms.measure_form, toolkit)
    for kind in repeats.accounts:
        yield witnesses.NAMES[kind], partial(witnesses.measure_account, kind)


def _transports(repeats: Repeats) -> Iterator[Measurement]:
    with tempfile.TemporaryDirectory(prefix="tactile-bench-") as folder:
        page = Path(folder) / "page.html"
        bulk.write_page(page)
        for program in bulk.programs(page):
            if not program.missing():
                yield program.name, partial(anyio.run, bulk.measure_bulk, program, page, repeats.rounds)


def installed(run: Run, repeats: Repeats) -> tuple[Program, ...]:
    """Return the applications that are there; the others are noted as not measured."""
    missing = {program.name: program.missing() for program in repeats.programs}
    run.not_measured += [reason for reason in missing.values() if reason]
    return tuple(program for program in repeats.programs if not missing[program.name])


def usable_tools(run: Run) -> tuple[Tool, ...]:
    """Return the tools to compare with; what cannot be used is noted as not measured."""
    problem = prepare_peers()
    if problem:
        run.not_measured.append(problem)
    return tuple(tool for tool in TOOLS if not problem or tool not in NEED_PEERS)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--short", is_flag=True, help="Few repetitions and one application: shows that it runs, no more.")
@click.option("--only", type=click.Choice(SECTIONS + LONG_SECTIONS), multiple=True, help="Only these sections.")
@click.option("--json", "json_path", type=click.Path(path_type=Path, dir_okay=False), help="Write all values here.")
@click.option("--rounds", type=click.IntRange(1, 100), help="How often each tool is asked; 10, or 2 with --short.")
@click.option("--write-docs", is_flag=True, help="Write docs/reference/toolkits.md from what was measured.")
def main(short: bool, only: tuple[str, ...], json_path: Path | None, rounds: int | None, write_docs: bool) -> None:
    """Measure what Tactile promises, on this machine, and print the figures with their conditions.

    Exit code 1 means that something could not be measured; a figure over its bound is printed, and is no failure.
    """
    repeats, run = SHORT if short else FULL, Run()
    repeats = replace(repeats, rounds=rounds or repeats.rounds)
    around = {**conditions(), "load before": load(), "rounds of comparisons": str(repeats.rounds)}
    sections = only or SECTIONS
    programs = installed(run, repeats) if {"look", "crowd"} & set(sections) else ()
    tools = usable_tools(run) if "accessibility" in sections else ()
    for section in sections:
        for name, measure in measurements(section, repeats, programs, tools):
            run.do(name, measure)
    around["load after"] = load()
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    print_report(console, around, run.figures)
    for reason in run.not_measured:
        console.print(f"not measured: {reason}", highlight=False, markup=False)
    if json_path is not None:
        write_json(json_path, around, run.figures, run.not_measured)
    if write_docs:
        write_reference(as_content(around, run.figures, run.not_measured))
    sys.exit(1 if run.not_measured else 0)
