"""The commands `undo` and `redo` of the last correction."""

from __future__ import annotations

import argparse

from ..engine.errors import UserError
from .command_context import open_library, show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """They have no arguments of their own."""


def run(options: argparse.Namespace) -> int:
    """Undo or redo the last correction."""
    from ..engine.services.editing.service import EditingService

    with open_library(options) as library:
        editing = EditingService(library.writer)
        undo = options.command == "undo"
        label, _ = editing.undo() if undo else editing.redo()
        if label is None:
            raise UserError("There is nothing to {command}.", command=options.command)
        show({options.command: label}, [f"{'Undone' if undo else 'Redone'}: {label}"], options.json)
    return 0
