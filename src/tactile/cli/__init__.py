"""The command line: thin commands over the same verbs; printing and exit codes live here only."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tactile.errors import TactileError

EXIT_FAILED, EXIT_REFUSED, EXIT_UNKNOWN = 1, 3, 4


class Group(click.Group):
    """Turns Tactile's errors into a message on stderr and the documented exit code."""

    def invoke(self, ctx: click.Context) -> object:
        """Run a command.

        Raises:
            SystemExit: 1 failed, 3 refused by policy, 4 outcome unknown.
        """
        try:
            return super().invoke(ctx)
        except TactileError as error:
            click.echo(f"tactile: {error.message}", err=True)
            for name in error.diagnosis.near_misses:
                click.echo(f"  there is: {name}", err=True)
            if error.hint:
                click.echo(f"  next: {error.hint}", err=True)
            sys.exit(exit_code(error))


def exit_code(error: TactileError) -> int:
    """Return the exit code that an error means."""
    if error.effect == "possible":
        return EXIT_UNKNOWN
    return EXIT_REFUSED if error.code in {"policy_denied", "approval_required", "approval_denied"} else EXIT_FAILED


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tactile-mcp", prog_name="tactile")
def main() -> None:
    """Hands and feet for computer-using agents: observe, ground, act, verify on a real desktop."""


DESKTOP = click.Choice(["isolated", "current"])


@main.command()
@click.option("--desktop", type=DESKTOP, default="isolated", show_default=True, help="Private, or the one of DISPLAY.")
@click.option("--size", default="1280x800", show_default=True, help="Of an isolated desktop, in px.")
@click.option("--network", is_flag=True, help="Let programs of an isolated desktop use the network.")
@click.option("--trace", type=click.Path(path_type=Path, file_okay=False), help="Record the run in this folder.")
@click.option(
    "--show", type=click.Path(path_type=Path, exists=True), multiple=True, help="Path to show inside, read-only."
)
@click.option(
    "--share", type=click.Path(path_type=Path, exists=True), multiple=True, help="Path to show inside, writable."
)
def serve(
    desktop: str, size: str, network: bool, trace: Path | None, show: tuple[Path, ...], share: tuple[Path, ...]
) -> None:
    """Serve MCP over stdio; an isolated desktop starts with the first call and ends with the server."""
    from tactile.cli.serve import serve_stdio

    serve_stdio(desktop=desktop, size=size, network=network, trace=trace, show=show, share=share)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="For machines.")
def apps(as_json: bool) -> None:
    """List the applications of the current desktop."""
    from tactile.cli.look import print_apps

    print_apps(as_json=as_json)


@main.command()
@click.argument("app", required=False)
@click.option("--mode", type=click.Choice(["auto", "ax"]), default="auto", show_default=True)
@click.option("--query", help="Words to look for; reaches hidden candidates.")
@click.option("--json", "as_json", is_flag=True, help="The full records.")
def state(app: str | None, mode: str, query: str | None, as_json: bool) -> None:
    """Show what can be acted on in APP (name or pid; default: the active window)."""
    from tactile.cli.look import print_state

    del mode  # both mean the same until text reading is part of the package
    print_state(app, query, as_json=as_json)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="For machines.")
def doctor(as_json: bool) -> None:
    """Say what works on this machine, one line each, with the fix for what does not."""
    from tactile.cli.doctor import print_checks

    sys.exit(print_checks(as_json=as_json))


@main.group()
def desktop() -> None:
    """Isolated desktops."""


@desktop.command(context_settings={"ignore_unknown_options": True})
@click.option("--size", default="1280x800", show_default=True, help="In px.")
@click.option("--network", is_flag=True, help="Let programs use the network.")
@click.option(
    "--show", type=click.Path(path_type=Path, exists=True), multiple=True, help="Path to show inside, read-only."
)
@click.option(
    "--share", type=click.Path(path_type=Path, exists=True), multiple=True, help="Path to show inside, writable."
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def run(size: str, network: bool, show: tuple[Path, ...], share: tuple[Path, ...], command: tuple[str, ...]) -> None:
    """Run COMMAND on a fresh isolated desktop and end the desktop with it."""
    from tactile.cli.desktop import run_command

    sys.exit(run_command(command, size=size, network=network, show=show, share=share))
