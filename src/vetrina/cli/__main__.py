"""`python -m vetrina.cli`: the command where its script is not installed, and for processes that it starts."""

from . import main

main(prog_name="vetrina")
