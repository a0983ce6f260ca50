"""`python -m tactile`: the command line."""

from tactile.cli import main

main(prog_name="tactile")
