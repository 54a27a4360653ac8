"""The process that analyses texts: `python -m desktop_app.engine.services.text_analysis.child`.

Started by `process`. Gets a text, answers with its chunks and windows, or with the evidence of each
chunk, and waits for the next text. The tagger of a language is loaded with the first text in it.
"""

from __future__ import annotations

import sys
from typing import IO, Any

from ...child_protocol import write_frame
from ...extraction.instant import InstantExtractor
from ...model import ChunkSpan
from ...text.chunking import load_tiktoken_counter, split_sentences
from ...text.parser_child import AliveReporter, read_request_bytes, serve
from .evidence_protocol import encode_evidence
from .splitting import encode_split, split_as_requested


def answer(requests: IO[bytes], answers: IO[bytes], request: dict[str, Any]) -> None:
    """Split one text into chunks, or extract the evidence of its chunks."""
    text = read_request_bytes(requests, request["size"]).decode("utf-8", "surrogatepass")
    write_frame(answers, [{"begun": True}])
    reporter = AliveReporter(answers)
    if "settings" in request:
        for items in encode_split(split_as_requested(text, request, reporter)):
            write_frame(answers, items)
    else:
        _extract(answers, text, request, reporter)
    write_frame(answers, [{"end": True}])


def _extract(
    answers: IO[bytes], text: str, request: dict[str, Any], reporter: AliveReporter
) -> None:
    body = request["body"]
    evidence = InstantExtractor(split_sentences).extract(
        text,
        [ChunkSpan(order, start, end, 0, "") for order, start, end in request["chunks"]],
        request["language"],
        skip=frozenset(request["skip"]),
        cancel=reporter,
        body=(body[0], body[1]) if body else None,
        people=request["people"],
    )
    for items in encode_evidence(evidence):
        write_frame(answers, items)


def prepare() -> None:
    """Load what each text needs; the counter of tokens looks for a folder to write to."""
    load_tiktoken_counter()("Clara")
    text = "Clara Wren winds clocks."
    list(InstantExtractor(split_sentences).extract(text, [ChunkSpan(0, 0, len(text), 0, "")], "fr"))


def main() -> int:
    """Answer requests until stdin is closed."""
    return serve(prepare, answer)


if __name__ == "__main__":
    sys.exit(main())
