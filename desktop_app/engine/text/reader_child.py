"""The process that reads documents: `python -m desktop_app.engine.text.reader_child`.

Started by `reader_process`. Gets a file's name and bytes on stdin, answers on stdout with frames
(`reader_protocol`), and waits for the next file. It restricts itself (`child_sandbox`) before it
gets the first file, and it opens no file of the person.
"""

from __future__ import annotations

import json
import sys
from typing import IO, Any

from ..child_protocol import write_frame
from ..child_sandbox import limit_processor_time
from .parser_child import AliveReporter, read_request_bytes, serve
from .picture_pages import prepare_pictures
from .reader_protocol import encode_documents
from .reading import read_bytes


class _Reporter(AliveReporter):
    """Reports pages as progress, too."""

    def report_page(self, done: int, total: int) -> None:
        write_frame(self._answers, [{"page": [done, total]}])


def answer_request(requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]) -> None:
    """Read one file and send its documents; a refusal is sent by `parser_child`."""
    write_frame(answers, [{"begun": True}])
    limit_processor_time(request["processor_s"])
    reporter = _Reporter(answers)
    content = read_request_bytes(requests, request["size"])
    texts = read_request_bytes(requests, request["scanned"])
    documents = read_bytes(
        content,
        request["name"],
        password=request["password"] or None,
        cancel=reporter,
        on_page=reporter.report_page,
        scanned={place: dict(rows) for place, rows in json.loads(texts)} if texts else None,
    )
    del content
    for items in encode_documents(documents):
        write_frame(answers, items)
    write_frame(answers, [{"end": True}])


def prepare_readers() -> None:
    """Import what most files need, and read what the libraries of the others read of the system.

    Libraries for few files, such as workbooks, are imported with the first of them: a process may
    read its own packages, and they would take 0.9 s and 90 MB.
    """
    import mimetypes

    import pypdfium2  # noqa: F401

    prepare_pictures()
    mimetypes.init()  # openpyxl asks it, and it reads files of the system
    for name, content in (
        ("a.txt", "A story.\n潮水".encode("gb18030")),
        ("a.html", b"<html><title>A</title><p>story"),
        ("a.md", b"# A\n\nstory"),
        ("a.csv", b"title,text\nA,story\n"),
        ("a.jsonl", b'{"text": "story"}'),
    ):
        read_bytes(content, name)


def main() -> int:
    """Answer requests until stdin is closed."""
    return serve(prepare_readers, answer_request)


if __name__ == "__main__":
    sys.exit(main())
