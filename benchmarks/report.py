"""Figures as a table for people and as JSON for machines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.figures import Figure


def print_report(console: Console, conditions: Mapping[str, str], figures: Sequence[Figure]) -> None:
    """Print the conditions and one line a figure."""
    for name, value in conditions.items():
        console.print(f"{name:12} {value}", highlight=False, markup=False)
    console.print(table(figures))


def table(figures: Sequence[Figure]) -> Table:
    """Return a table, a rule between sections."""
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for heading, is_number in (("what", False), ("n", True), ("median", True), ("quartiles", True), ("range", True)):
        drawn.add_column(heading, justify="right" if is_number else "left", no_wrap=is_number)
    drawn.add_column("bound", no_wrap=True)
    drawn.add_column("more")
    section = ""
    sections = list(dict.fromkeys(figure.section for figure in figures))
    for figure in sorted(figures, key=lambda one: sections.index(one.section)):
        if figure.section != section:
            section = figure.section
            drawn.add_section()
            drawn.add_row(f"[bold]{section}[/]")
        drawn.add_row(*cells(figure))
    return drawn


def cells(figure: Figure) -> tuple[str, ...]:
    """Return one row."""
    first, third = figure.quartiles
    return (
        f"  {figure.name}",
        str(len(figure.values)),
        f"{figure.median:.1f} {figure.unit}",
        f"{first:.1f}-{third:.1f}",
        f"{min(figure.values):.1f}-{max(figure.values):.1f}",
        _bound(figure),
        ", ".join(f"{name} {value}" for name, value in figure.more),
    )


def _bound(figure: Figure) -> str:
    if figure.is_within is None:
        return ""
    if figure.least is not None:
        return f"[green]≥ {figure.least:g}[/]" if figure.is_within else f"[red]under {figure.least:g}[/]"
    return f"[green]≤ {figure.bound:g}[/]" if figure.is_within else f"[red]over {figure.bound:g}[/]"


def as_content(conditions: Mapping[str, str], figures: Sequence[Figure], not_measured: Sequence[str]) -> dict[str, Any]:
    """Return everything, each repetition included, as plain values."""
    return {
        "conditions": dict(conditions),
        "figures": [figure.as_dict() for figure in figures],
        "not_measured": list(not_measured),
    }


def write_json(
    path: Path, conditions: Mapping[str, str], figures: Sequence[Figure], not_measured: Sequence[str]
) -> None:
    """Write everything, each repetition included, to one file."""
    content = as_content(conditions, figures, not_measured)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
