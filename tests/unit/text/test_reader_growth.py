"""Tests that readers and chunking take time in proportion to the size of a file, whatever is in it.

Each pattern is written into each format at one size and at twice that size. A quadratic step of
one regular expression costs about 10 ns, so at these sizes it takes seconds where the linear steps
take milliseconds.
"""

from __future__ import annotations

import csv
import io
import json
import time
import zipfile
from collections.abc import Callable
from html import escape

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.text.chunking import ChunkingSettings, chunk_text, split_windows
from desktop_app.engine.text.reading import read_bytes

MAX_GROWTH = 2.5
SIZE = 15_000  # characters of the smaller file
SURELY_LINEAR_S = 0.06  # a quadratic step over twice the size takes longer than this
N_MEASUREMENTS = 3

PATTERNS: dict[str, Callable[[int], str]] = {
    "words": lambda n: "some plain words " * (n // 17),
    "sentences": lambda n: "The miller went to the mill. " * (n // 29),
    "dots": lambda n: "." * n,
    "ellipses": lambda n: "…" * n,
    "dots and word": lambda n: "." * n + "x",
    "ellipses in Chinese": lambda n: "天" + "…" * n + "1",
    "spaced dots": lambda n: ". " * (n // 2),
    "full stops in Chinese": lambda n: "。" * n,
    "question marks": lambda n: "?!" * (n // 2) + "a",
    "emphasis": lambda n: "." + "*_" * (n // 2) + "a",
    "round brackets": lambda n: "(" * n,
    "closing brackets": lambda n: "." + ")" * n + "a",
    "square brackets": lambda n: "[" * n,
    "links": lambda n: "[a](" * (n // 4),
    "quotation marks": lambda n: '"' * n,
    "closing quotation marks": lambda n: "！" + "”" * n,
    "apostrophes": lambda n: "a'" * (n // 2),
    "comments": lambda n: "<!-- -->" * (n // 8),
    "open comments": lambda n: "<!--" * (n // 4),
    "entities": lambda n: "&amp;" * (n // 5),
    "open entities": lambda n: "&" * n,
    "tags": lambda n: "<b>" * (n // 3),
    "half tags": lambda n: "<a " * (n // 3),
    "attributes": lambda n: "<p " + " ".join(f"a{i}=1" for i in range(n // 8)) + ">x",
    "nested blocks": lambda n: "<div>" * (n // 3) + "x",
    "nested lists": lambda n: "<ul><li>" * (n // 4) + "x",
    "nested tables": lambda n: "<table><tr><td>" * (n // 15) + "x",
    "table cells": lambda n: "<table><tr>" + "<td>x" * (n // 5),
    "line breaks": lambda n: "a<br>" * (n // 5),
    "self-closed tags": lambda n: "<a b" * (n // 4) + "/>",
    "ids": lambda n: "".join(f"<a id=a{i}></a>" for i in range(n // 14)) + "x",
    "angle brackets": lambda n: "<" * n,
    "asterisks": lambda n: "*" * n,
    "backquotes": lambda n: "`" * n,
    "number signs": lambda n: "# " + "#" * n + "x",
    "heading with spaces": lambda n: "# a" + " " * n + "b",
    "heading of brackets": lambda n: "# " + "[" * n,
    "heading of angle brackets": lambda n: "# " + "<" * n,
    "spaces": lambda n: "a" + " " * n + "b",
    "tabs": lambda n: "a" + "\t" * n + "b",
    "blank lines": lambda n: "a" + "\n" * n + "b",
    "lines of spaces": lambda n: "a" + "\n \t" * (n // 3) + "b",
    "line ends": lambda n: "a\r" * (n // 2),
    "letter lines": lambda n: "a\n" * (n // 2),
    "one word": lambda n: "a" * n,
    "dotted word": lambda n: "a." * (n // 2) + "b",
    "numbers": lambda n: "1" * n,
    "numbered items": lambda n: "1. " * (n // 3),
    "Roman numbers": lambda n: "I" * n + "!",
    "chapters": lambda n: "Chapter 1\n\n" * (n // 11),
    "chapter words": lambda n: "CHAPTER " * (n // 8),
    "Chinese chapters": lambda n: "第一回" * (n // 3),
    "Gutenberg stars": lambda n: "*** START OF THE PROJECT GUTENBERG " * (n // 35),
    "Gutenberg head": lambda n: (
        "*** START OF THIS PROJECT GUTENBERG ***\nProduced by " + "a\n" * (n // 2)
    ),
    "hyphens": lambda n: "a-" * (n // 2),
    "dashes": lambda n: "-" * n + "a",
    "equals signs": lambda n: "a\n" + "=" * n + "b",
    "commas": lambda n: "," * n,
    "semicolons and bars": lambda n: ";|" * (n // 2),
    "combining characters": lambda n: "e" + "\u0301" * n,
    "ideographs": lambda n: "天地玄黄宇宙洪荒" * (n // 8),
    "one ideograph": lambda n: "天" * n,
    "book title marks": lambda n: "《" * n,
    "ideographic spaces": lambda n: "\u3000" * n + "天",
    "right to left": lambda n: "\u202e\u05d0" * (n // 2),
    "emoji": lambda n: "\U0001f468\u200d" * (n // 2),
    "braces": lambda n: "{" * n,
    "front matter": lambda n: "---\n" + "a: b\n" * (n // 5),
    "colons": lambda n: "a" + ":" * n,
    "by lines": lambda n: "by " * (n // 3),
    "slashes": lambda n: "/" * n,
    "backslashes": lambda n: "\\" * n,
}


def make_zip(parts: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return stream.getvalue()


def make_html(text: str) -> bytes:
    return f"<!doctype html><html><body><p>{text}</p></body></html>".encode()


def make_epub(text: str) -> bytes:
    return make_zip(
        {
            "META-INF/container.xml": '<container><rootfile full-path="b.opf"/></container>',
            "b.opf": '<package><manifest><item id="a" href="a.xhtml"'
            ' media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="a"/></spine></package>',
            "a.xhtml": f"<html><body><p>{text}</p></body></html>",
        }
    )


def make_docx(text: str) -> bytes:
    paragraphs = "".join(
        f'<w:p><w:r><w:t xml:space="preserve">{escape(line)}</w:t></w:r></w:p>'
        for line in text.split("\n")
    )
    return make_zip(
        {
            "word/document.xml": '<w:document xmlns:w="http://x/main"><w:body>'
            f"{paragraphs}</w:body></w:document>"
        }
    )


def make_csv(text: str) -> bytes:
    stream = io.StringIO()
    csv.writer(stream).writerows([["title", "text"], ["one", text]])
    return stream.getvalue().encode()


def make_pdf(text: str) -> bytes:
    """Return a PDF of one page with a line of text for each 80 characters."""
    latin = text.encode("latin-1", "replace").replace(b"\\", b"\\\\")
    latin = latin.replace(b"(", b"\\(").replace(b")", b"\\)").replace(b"\r", b"\n")
    lines = [line[i : i + 80] for line in latin.split(b"\n") for i in range(0, len(line) or 1, 80)]
    shown = b"".join(b"(" + line.rstrip(b"\\") + b") Tj 0 -10 Td\n" for line in lines)
    stream = b"BT /F1 9 Tf 50 800 Td\n" + shown + b"ET"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 14400]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body = b"".join(b"%d 0 obj%s endobj\n" % pair for pair in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>"


FORMATS: dict[str, Callable[[str], bytes]] = {
    "txt": str.encode,
    "md": str.encode,
    "html": make_html,
    "epub": make_epub,
    "docx": make_docx,
    "csv": make_csv,
    "jsonl": lambda text: json.dumps({"title": "one", "text": text}).encode(),
    "pdf": make_pdf,
}


def count_tokens(text: str) -> int:
    """Return about the number of tokens; the tokenizer itself is not what is measured."""
    return len(text) // 4 + 1


def read_and_chunk(content: bytes, suffix: str) -> None:
    try:
        documents = read_bytes(content, f"file.{suffix}")
    except UserError:
        return  # a refusal is an answer; its time counts too
    for found in documents:
        text, language = found.text, found.language
        for chunk in chunk_text(text, found.outline, language, ChunkingSettings(), count_tokens):
            split_windows(
                text, chunk.start, chunk.end, language, target_tokens=100, count_tokens=count_tokens
            )


def measure(content: bytes, suffix: str, times: int = 1) -> float:
    """Return the processor time of reading a file, in seconds: the best of `times`."""
    found = []
    for _ in range(times):
        began = time.process_time()
        read_and_chunk(content, suffix)
        found.append(time.process_time() - began)
    return min(found)


def growth(make: Callable[[int], bytes], suffix: str) -> float:
    """Return how many times longer a file of twice the size takes."""
    large = make(2 * SIZE)
    if measure(large, suffix) < SURELY_LINEAR_S:
        return 1.0
    small = make(SIZE)
    return measure(large, suffix, N_MEASUREMENTS) / measure(small, suffix, N_MEASUREMENTS)


@pytest.mark.parametrize("suffix", FORMATS)
def test_twice_the_text_takes_at_most_two_and_a_half_times_as_long(suffix: str) -> None:
    read_and_chunk(FORMATS[suffix]("The first file loads the libraries."), suffix)
    grown = {
        name: growth(lambda n, pattern=pattern: FORMATS[suffix](pattern(n)), suffix)
        for name, pattern in PATTERNS.items()
    }
    assert {name: round(g, 1) for name, g in grown.items() if g > MAX_GROWTH} == {}
