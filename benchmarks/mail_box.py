"""A large mail box: made, added and read for a while; time, memory, and a search meanwhile.

Run as `python -m benchmarks.mail_box [--letters N] [--megabytes N] [--seconds N]`. The letters
have different texts and people; some have a text, a sheet or a picture attached, which makes up
the size. Indexing is cancelled after `--seconds`; the last line says how far it was.
"""

from __future__ import annotations

import base64
import os
import random
import resource
import tempfile
import threading
import time
from pathlib import Path
from typing import IO

from desktop_app.engine.child_process import find_peak_bytes
from desktop_app.engine.errors import Cancelled
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.document_import import add_files
from desktop_app.engine.services.indexing import IndexingService
from desktop_app.engine.services.library_reader import LibraryReader
from desktop_app.engine.text.reader_process import shared_reader

from .common import make_parser, open_scratch, print_result

_PEOPLE = ("Ann Grey", "Zhang Wei", "Clara Wren", "Bob Harker", "Li Na", "Marta Rossi")
_SUBJECTS = ("the gauge of Harwich", "the budget", "next week", "the survey of the coast")
_SENTENCES = (
    "The gauge of Harwich is broken again, and Clara Wren repairs it on Monday.",
    "Please send the table of heights to Bob Harker before the meeting.",
    "Zhang Wei has seen the ship in the harbour of Ningbo.",
    "I have read your report, and I agree with most of it.",
    "The train to Colchester leaves at nine.",
)


def write_mail_box(file: IO[bytes], n_letters: int, size_bytes: int) -> None:
    """Write a mail box of about a size; every tenth letter has an attachment."""
    rnd = random.Random(7)
    n_attached = max(1, n_letters // 10)
    padding = max(200, (size_bytes - n_letters * 900) // n_attached)
    picture = base64.encodebytes(rnd.randbytes(padding * 3 // 4))
    for number in range(n_letters):
        sender, receiver = rnd.sample(_PEOPLE, 2)
        body = "\n".join(rnd.choices(_SENTENCES, k=6)) + f"\nThis is letter {number}.\n"
        head = (
            "From x@example.org Mon May  3 10:15:00 1999\n"
            f"From: {sender} <{sender.replace(' ', '.').lower()}@example.org>\n"
            f"To: {receiver} <{receiver.replace(' ', '.').lower()}@example.org>\n"
            f"Subject: Re: {rnd.choice(_SUBJECTS)}\nMessage-ID: <{number}@example.org>\n"
            f"Date: Mon, {1 + number % 28:02} May 20{number % 24:02} 10:15:00 +0000\n"
        )
        if number % 10:
            file.write(f"{head}\n{body}\n".encode())
            continue
        is_text = number % 20 == 0
        kind, name = ("text/plain", "notes.txt") if is_text else ("image/png", "picture.png")
        attached = base64.encodebytes(f"Notes {number}.\n{body}".encode()) if is_text else b""
        file.write(
            f'{head}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n--b\n'
            f"Content-Type: text/plain\n\n{body}\n--b\nContent-Type: {kind}\n"
            "Content-Transfer-Encoding: base64\n"
            f'Content-Disposition: attachment; filename="{name}"\n\n'.encode()
        )
        file.write(attached or picture)
        if is_text:  # a second one makes up the size
            file.write(
                b"--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n"
                b'Content-Disposition: attachment; filename="scan.png"\n\n' + picture
            )
        file.write(b"\n--b--\n\n")


def main() -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--letters", type=int, default=60_000)
    parser.add_argument("--megabytes", type=int, default=2_000)
    parser.add_argument("--seconds", type=float, default=300.0, help="of indexing")
    options = parser.parse_args()
    result: dict[str, object] = {"letters": options.letters}
    with tempfile.TemporaryDirectory() as folder, open_scratch() as (library, _):
        path = Path(folder, "all mail.mbox")
        with path.open("wb") as file:
            write_mail_box(file, options.letters, options.megabytes * 1_000_000)
        result["megabytes"] = path.stat().st_size // 1_000_000
        before = _peak_mb()
        began = time.monotonic()
        added = add_files(library.writer, [path])
        result |= {
            "refused": [str(reason) for reason in added.refused.values()],
            "parts": len(added.documents),
            "add_s": round(time.monotonic() - began, 1),
            "add_memory_mb": _peak_mb() - before,
        }
        os.remove(path)
        token = CancelToken()
        timer = threading.Timer(options.seconds, token.cancel)
        began = time.monotonic()
        first_s = 0.0
        child_peak = 0

        def note(_: object) -> None:
            nonlocal first_s, child_peak
            first_s = first_s or time.monotonic() - began
            pid = shared_reader().child_pid
            child_peak = max(child_peak, find_peak_bytes(pid) if pid else 0)

        timer.start()
        try:
            IndexingService(library.writer, lambda: None).run(cancel=token, on_change=note)
        except Cancelled:
            result["cancelled_after_s"] = round(time.monotonic() - began - options.seconds, 2)
        timer.cancel()
        reader = LibraryReader(library.writer)
        rows = reader.list_documents()
        result |= {
            "first_letters_s": round(first_s, 1),
            "documents": len(rows),
            "ready": sum(row.state == "ready" for row in rows),
            "index_s": round(time.monotonic() - began, 1),
            "memory_mb": _peak_mb(),
            "reader_memory_mb": child_peak // 1_000_000,
        }
        began = time.monotonic()
        result["found"] = len(reader.find_documents_with_text("table of heights"))
        result["find_s"] = round(time.monotonic() - began, 2)
    print_result("mail_box", **result)
    return 0 if not result["refused"] else 1


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    raise SystemExit(main())
