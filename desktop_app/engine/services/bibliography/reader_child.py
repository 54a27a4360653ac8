"""The process that reads bibliographies: `python -m …bibliography.reader_child`.

Started by `reader` for one file or folder. It may read that, and nothing else of the person
(`child_sandbox`).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, Any

from ...child_protocol import write_frame
from ...child_sandbox import limit_processor_time
from ...errors import UserError, cannot_read
from ...text.parser_child import serve
from .files import parse_bibtex, read_bibliography_file
from .folders import is_zotero_folder
from .protocol import encode_bibliography
from .zotero import read_zotero


def prepare() -> None:
    """Import what reads the formats, while files can still be read."""
    import latexcodec  # noqa: F401
    import rispy  # noqa: F401
    from selectolax.lexbor import LexborHTMLParser

    parse_bibtex("@misc{a, title={\\'e}, author={A B}}")
    LexborHTMLParser("<p>a</p>")


def answer(requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]) -> None:
    """Read one bibliography and send it in pieces."""
    write_frame(answers, [{"begun": True}])
    limit_processor_time(request["processor_s"])
    path = Path(request["path"])
    try:
        if path.is_dir():
            if not is_zotero_folder(path):
                raise UserError(
                    "“{name}” is no data folder of Zotero: it has no file “zotero.sqlite”.",
                    "Zotero names its data folder in its settings, under Advanced → Files.",
                    name=path.name,
                )
            found = read_zotero(path)
        else:
            try:
                found = read_bibliography_file(path)
            except UserError as error:
                raise UserError(
                    "“{name}” can't be read: {reason}",
                    error.hint,
                    name=path.name,
                    reason=error.message,
                ) from error
    except OSError as error:
        raise cannot_read(path, error) from error
    for items in encode_bibliography(found):
        write_frame(answers, items)
    write_frame(answers, [{"end": True}])


def main() -> int:
    """Answer requests until stdin is closed."""
    return serve(prepare, answer)


if __name__ == "__main__":
    sys.exit(main())
