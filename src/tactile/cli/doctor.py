"""`tactile doctor`: what works here, one line each, with the fix for what does not."""

from __future__ import annotations

import asyncio
import json
import os

import click

from tactile.connect import examine

MARKS = {True: "ok  ", False: "FAIL"}


def print_checks(*, as_json: bool) -> int:
    """Print the findings; return 0 when an isolated desktop can be used, else 1."""
    findings = asyncio.run(examine(dict(os.environ)))
    if as_json:
        click.echo(json.dumps([finding.as_dict() for finding in findings]))
    else:
        for finding in findings:
            click.echo(f"{MARKS[finding.is_ok]} {finding.name}: {finding.detail}")
            if finding.fix:
                click.echo(f"     fix: {finding.fix}")
    return 0 if all(finding.is_ok for finding in findings if finding.is_needed) else 1
