"""Which measurements a run consists of, in which order, and how often each is repeated."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import anyio
import click
from rich.console import Console

from benchmarks.applications import CALCULATOR, PROGRAMS, Program
from benchmarks.conditions import conditions, load
from benchmarks.crowd import measure_crowd
from benchmarks.figures import Figure
from benchmarks.isolated import measure_desktops
from benchmarks.looking import measure_program
from benchmarks.report import print_report, write_json
from benchmarks.startup import measure_answers, measure_imports
from tactile.errors import TactileError

SECTIONS = ("start", "desktop", "look", "crowd")
WIDTH = 150  # columns of the table where stdout is no terminal


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How often each measurement is repeated."""

    pairs: int
    starts: int
    looks: int
    clicks: int
    programs: tuple[Program, ...]


FULL = Repeats(pairs=12, starts=10, looks=25, clicks=24, programs=PROGRAMS)
SHORT = Repeats(pairs=1, starts=1, looks=3, clicks=2, programs=(CALCULATOR,))

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


def measurements(section: str, repeats: Repeats, programs: tuple[Program, ...]) -> Iterator[Measurement]:
    """Yield the measurements of a section.

    Args:
        section: One of SECTIONS.
        repeats: How often.
        programs: Those that are installed.
    """
    if section == "start":
        yield "the first answer of a server", partial(measure_answers, repeats.pairs)
        yield "import and help", partial(measure_imports, repeats.pairs)
    elif section == "desktop":
        yield "isolated desktops", partial(anyio.run, measure_desktops, repeats.starts)
    elif section == "look":
        for program in programs:
            yield program.name, partial(anyio.run, measure_program, program, repeats.looks, repeats.clicks)
    else:
        name = f"{len(programs)} applications on one desktop"
        yield name, partial(anyio.run, measure_crowd, programs, repeats.looks, repeats.clicks)


def installed(run: Run, repeats: Repeats) -> tuple[Program, ...]:
    """Return the applications that are there; the others are noted as not measured."""
    missing = {program.name: program.missing() for program in repeats.programs}
    run.not_measured += [reason for reason in missing.values() if reason]
    return tuple(program for program in repeats.programs if not missing[program.name])


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--short", is_flag=True, help="Few repetitions and one application: shows that it runs, no more.")
@click.option("--only", type=click.Choice(SECTIONS), multiple=True, help="Only these sections.")
@click.option("--json", "json_path", type=click.Path(path_type=Path, dir_okay=False), help="Write all values here.")
def main(short: bool, only: tuple[str, ...], json_path: Path | None) -> None:
    """Measure what Tactile promises, on this machine, and print the figures with their conditions.

    Exit code 1 means that something could not be measured; a figure over its bound is printed, and is no failure.
    """
    repeats, run = SHORT if short else FULL, Run()
    around = {**conditions(), "load before": load()}
    sections = only or SECTIONS
    programs = installed(run, repeats) if {"look", "crowd"} & set(sections) else ()
    for section in sections:
        for name, measure in measurements(section, repeats, programs):
            run.do(name, measure)
    around["load after"] = load()
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    print_report(console, around, run.figures)
    for reason in run.not_measured:
        console.print(f"not measured: {reason}", highlight=False, markup=False)
    if json_path is not None:
        write_json(json_path, around, run.figures, run.not_measured)
    sys.exit(1 if run.not_measured else 0)
