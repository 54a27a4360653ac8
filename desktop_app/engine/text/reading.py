"""The door to all readers: finds out what a file is, reads it, and names it in any refusal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..errors import EnvironmentProblem, PasswordNeeded, UserError, said
from ..progress import CancelToken
from ..types import ReadDocument
from .docx import read_docx
from .epub import read_epub
from .html import read_html
from .md import read_md
from .pdf import read_pdf
from .refusal import MAX_FILE_BYTES
from .sniffing import sniff_format
from .tables import read_csv, read_jsonl
from .txt import read_txt

SUPPORTED_SUFFIXES: tuple[str, ...] = (
    ".pdf",
    ".epub",
    ".docx",
    ".txt",
    ".text",
    ".md",
    ".markdown",
    ".html",
    ".htm",
    ".xhtml",
    ".jsonl",
    ".ndjson",
    ".csv",
    ".tsv",
)
OnPage = Callable[[int, int], None]


def read_file(
    path: Path,
    *,
    password: str | None = None,
    cancel: CancelToken | None = None,
    on_page: OnPage | None = None,
) -> list[ReadDocument]:
    """Read a file; see `read_bytes`.

    Raises:
        UserError: it can't be read, with the reason and what to do.
        PasswordNeeded: it is an encrypted PDF.
        EnvironmentProblem: the disk or the rights stand in the way.
        Cancelled: the token was set.
    """
    try:
        if path.is_dir():
            raise UserError(f"“{path.name}” is a folder.", "Add the files inside.")
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            limit = MAX_FILE_BYTES // (1024 * 1024)
            raise UserError(
                f"“{path.name}” is too large ({size // (1024 * 1024)} MB).",
                f"Split it into files of at most {limit} MB.",
            )
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise UserError(f"“{path.name}” is not there any more.", "Look where it went.") from error
    except OSError as error:
        raise EnvironmentProblem(
            f"“{path.name}” can't be opened: {error.strerror or error}.",
            "Check that the disk is connected and that you may read the file.",
        ) from error
    return read_bytes(content, path.name, password=password, cancel=cancel, on_page=on_page)


def read_bytes(
    content: bytes,
    file_name: str,
    *,
    password: str | None = None,
    cancel: CancelToken | None = None,
    on_page: OnPage | None = None,
) -> list[ReadDocument]:
    """Return the documents in a file's content: one, or one a row of a table.

    What the content is decides; the name's extension only where contents look alike.
    `on_page(done, total)` is told of each page of a PDF.

    Raises:
        UserError: it can't be read, with the reason and what to do.
        PasswordNeeded: it is an encrypted PDF; `wrong` if a password was given.
        Cancelled: the token was set.
    """
    name = Path(file_name)
    try:
        if len(content) > MAX_FILE_BYTES:
            raise UserError("it is too large.", "Split it into several files.")
        return _read(content, name, password, cancel, on_page)
    except PasswordNeeded as error:
        message = said(f"“{name.name}” can't be opened: {error.message}")
        raise PasswordNeeded(message, error.hint, wrong=error.wrong) from error
    except UserError as error:
        raise UserError(f"“{name.name}” can't be read: {error.message}", error.hint) from error
    except (MemoryError, RecursionError) as error:
        raise UserError(
            f"“{name.name}” can't be read: it is too large or too deeply nested.",
            "Split it into smaller files.",
        ) from error


def _read(
    content: bytes,
    name: Path,
    password: str | None,
    cancel: CancelToken | None,
    on_page: OnPage | None,
) -> list[ReadDocument]:
    kind = sniff_format(content, name.suffix.lower())
    if kind == "pdf":
        return [read_pdf(content, name.stem, password=password, cancel=cancel, on_page=on_page)]
    if kind == "epub":
        return [read_epub(content, name.stem, cancel)]
    if kind == "jsonl":
        return read_jsonl(content, name.stem)
    if kind == "csv":
        return read_csv(content, name.stem)
    readers = {"docx": read_docx, "html": read_html, "md": read_md, "txt": read_txt}
    return [readers[kind](content, name.stem)]
