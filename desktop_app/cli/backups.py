"""The commands `backup`, `backups`, `restore` and `recover`: the way back to a library."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from ..engine import paths
from ..engine.errors import UserError
from .command_context import count_words, show
from .passphrase import hold_keys


def _library(options: argparse.Namespace) -> Path:
    """Return the library's path; the file may be damaged or missing."""
    from ..engine.services.library import complete_path

    return complete_path(options.library or paths.default_library())


def add_backup_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--to",
        type=Path,
        metavar="FILE",
        help="file of the backup; default: in the folder of the others. An earlier backup of this "
        "library is replaced, another file is not",
    )
    parser.add_argument(
        "--replace", action="store_true", help="replace whatever the file of --to is"
    )


def back_up(options: argparse.Namespace) -> int:
    """Make a verified backup of a library, which may be in use."""
    from ..engine.services.backups import BY_HAND, Backups
    from ..engine.services.library import write_backup

    library = _library(options)
    if not library.exists():
        raise UserError("There is no library at “{path}”.", "See: inkgraph backups", path=library)
    if options.replace and options.to is None:
        raise UserError("--replace is said of the file of --to.", "Give --to FILE.")
    with hold_keys(options, library):
        if options.to is not None:
            size = write_backup(library, options.to, may_replace=options.replace)
            path = options.to
        else:
            made = Backups(library).make(BY_HAND)
            size, path = made.size_bytes, made.path
    line = f"Backed up to “{path}” ({size / 1e6:,.1f} MB, verified)."
    show({"path": str(path), "size_bytes": size}, [line], options.json)
    return 0


def run_list(options: argparse.Namespace) -> int:
    """List the backups of a library, newest first."""
    from ..engine.services.backups import Backups, read_backup_content

    library = _library(options)
    found = Backups(library).list()
    with hold_keys(options, library, *(file.path for file in found)):
        files = [(file, read_backup_content(file.path)) for file in found]
    lines = [
        f"{format_time(file.created_at)}  {file.size_bytes / 1e6:>10,.1f} MB  "
        f"{content.problem or count_words(content.n_documents, 'document')}  "
        f"{file.reason}  {file.path}"
        for file, content in files
    ]
    value = [{"file": file, "content": content} for file, content in files]
    show(value, lines or [f"There are no backups of “{library}”."], options.json)
    return 0


def add_restore_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "backup", type=Path, nargs="?", help="file of a backup; default: the newest"
    )


def run_restore(options: argparse.Namespace) -> int:
    """Put a backup in the place of a library; the present file is kept under another name."""
    from ..engine.services.backups import Backups, read_backup_content, restore

    library = _library(options)
    found = [options.backup] if options.backup else [f.path for f in Backups(library).list()]
    with hold_keys(options, library, *found):
        backup = options.backup or next(
            (p for p in found if not read_backup_content(p).problem), None
        )
        if backup is None:
            raise UserError(
                "There are no backups of “{path}”.",
                "Name a file: inkgraph restore FILE, or see: inkgraph recover",
                path=library,
            )
        aside = restore(backup, library)
    lines = [f"“{library}” is again as in “{backup.name}”."]
    if aside is not None:
        lines.append(f"The file that was there is kept: “{aside}”.")
    value = {"library": str(library), "backup": str(backup), "set_aside": aside and str(aside)}
    show(value, lines, options.json)
    return 0


def add_recover_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--to",
        type=Path,
        metavar="FILE",
        help="file of the new library; default: beside the damaged one",
    )


def run_recover(options: argparse.Namespace) -> int:
    """Save what can be read of a damaged library in a new one; the damaged file is only read."""
    from ..engine.services.recovery import recover

    library = _library(options)
    if not library.exists():
        raise UserError("There is no library at “{path}”.", "See: inkgraph backups", path=library)
    with hold_keys(options, library):
        report = recover(library, options.to)
    saved = report.saved
    lines = [
        f"Recovered into “{report.path}”.",
        f"{count_words(len(saved.documents), 'document')}: {saved.count('complete'):,} complete, "
        f"{saved.count('read again'):,} to be read again from their files, "
        f"{saved.count('file lost'):,} with their text but without their file, "
        f"{saved.count('text incomplete'):,} with parts of their text, "
        f"{saved.count('lost'):,} lost.",
        f"{saved.n_corrections:,} corrections, {report.n_entities:,} names in the graph.",
    ]
    lines += [f"  {d.state}: {d.title}" for d in saved.documents if d.state != "complete"]
    if saved.incomplete:
        lines.append(f"Pages of these tables are lost: {', '.join(saved.incomplete)}.")
    if report.n_waiting:
        lines.append(
            f"{count_words(report.n_waiting, 'document')} to be read again: by inkgraph add, or "
            "when the library is opened in the window."
        )
    value = {
        "path": str(report.path),
        "documents": saved.documents,
        "corrections": saved.n_corrections,
        "entities": report.n_entities,
        "waiting": report.n_waiting,
        "rows": saved.n_rows,
        "rows_lost": saved.n_lost,
        "incomplete": saved.incomplete,
    }
    show(value, lines, options.json)
    return 0


def format_time(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
