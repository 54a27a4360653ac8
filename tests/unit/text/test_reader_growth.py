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
from collections.abc import Callable, Sequence
from html import escape

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.extraction.instant import InstantExtractor
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.text.chunking import (
    ChunkingSettings,
    chunk_text,
    split_sentences,
    split_windows,
)
from desktop_app.engine.text.reading import read_bytes

MAX_GROWTH = 2.5
SIZE = 7_500  # characters of the smaller file
LARGER_SIZE = 15_000  # of formats whose parsers need a larger file for an even growth
LARGER = ("csv", "pdf")
# A quadratic step over twice the size takes longer than this for each character of the size.
SURELY_LINEAR_S = 4e-6
N_MEASUREMENTS = 5  # where twice the size takes long

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
    # tags as a parser reads them
    "attributes with angle brackets": lambda n: "<p " + "a<1 " * (n // 4) + ">x",
    "attributes with quotes": lambda n: "<p " + "a='>' " * (n // 6) + ">x",
    "attribute names": lambda n: "".join(f"<p a{i} b{i}>x" for i in range(n // 14)),
    "tag names": lambda n: "".join(f"<t{i}>x</t{i}>" for i in range(n // 14)),
    "closing tags": lambda n: "</p>" * (n // 4) + "x",
    "other closing tags": lambda n: "<p>x" + "".join(f"</t{i}>" for i in range(n // 7)),
    "open attribute value": lambda n: '<a href="' + "x " * (n // 2),
    "open attribute values": lambda n: '<a b="' * (n // 6),
    "spaces in a tag": lambda n: "<p" + " " * n + ">x",
    "slashes in a tag": lambda n: "<p" + "/" * n + ">x",
    "equals signs in a tag": lambda n: "<p " + "=" * n + ">x",
    "half comments": lambda n: "<!-" * (n // 3),
    "dashes in a comment": lambda n: "<!--" + "-" * n,
    "declarations": lambda n: "<!a>" * (n // 4),
    "question marks in tags": lambda n: "<?" * (n // 2),
    "data sections": lambda n: "<![CDATA[" * (n // 9),
    "scripts": lambda n: "<script>" * (n // 8),
    "vectors": lambda n: "<svg>" * (n // 5) + "x",
    "formulas": lambda n: "<math><mi>" * (n // 10),
    "emphasized text": lambda n: "<i><b>" * (n // 6) + "x",
    "mixed emphasis": lambda n: "<b><p>x</b>" * (n // 11),
    "anchors": lambda n: "<a>" * (n // 3) + "x",
    "headings": lambda n: "<h1>a</h1>" * (n // 10),
    "options": lambda n: "<select><option>" * (n // 16),
    "table parts": lambda n: "<table><td>x</table>" * (n // 20),
    "long entity": lambda n: "&" + "a" * n + ";",
    "numeric entities": lambda n: "&#x41;" * (n // 6),
    "definition lists": lambda n: "<dl><dt>a<dd>b" * (n // 14),
    "preformatted": lambda n: "<pre>" + "\n" * n + "x",
    # Markdown
    "fences": lambda n: "```\n" * (n // 4),
    "tildes": lambda n: "~" * n,
    "underlines": lambda n: "_a" * (n // 2),
    "images": lambda n: "![" * (n // 2),
    "link ends": lambda n: "](" * (n // 2),
    "references": lambda n: "[a]: b\n" * (n // 7),
    "footnotes": lambda n: "[^1]" * (n // 4),
    "quotations": lambda n: ">" * n + "a",
    "quotation lines": lambda n: "> a\n" * (n // 4),
    "bullets": lambda n: "- " * (n // 2),
    "indented bullets": lambda n: "\n".join(" " * (i % 60) + "- a" for i in range(n // 30)),
    "table rows": lambda n: "|a|b|\n" * (n // 6),
    "table bars": lambda n: "|" * n + "\n|-|\n",
    "underlined headings": lambda n: "a\n===\n" * (n // 6),
    "addresses": lambda n: "<http://a" * (n // 9),
    "hard breaks": lambda n: "a  \n" * (n // 4),
    # sentences, names, lines
    "abbreviations": lambda n: "Mr. " * (n // 4),
    "initials": lambda n: "A. B. " * (n // 6),
    "capitals": lambda n: "Ada Byron " * (n // 10),
    "one name": lambda n: "Ada " * (n // 4) + "went.",
    "numbered names": lambda n: " ".join(f"Ada{i}" for i in range(n // 7)),
    "titles": lambda n: "Lord Lady Sir " * (n // 14),
    "upper case": lambda n: "ADA BYRON\n" * (n // 10),
    "speech": lambda n: "“Come,” said Ada. " * (n // 18),
    "open speech": lambda n: "“Come " * (n // 6),
    "Chinese speech": lambda n: "“来”，柳三娘道。" * (n // 9),
    "Chinese names": lambda n: "柳三娘李逵" * (n // 5),
    "Chinese commas": lambda n: "天，" * (n // 2),
    "Chinese and Latin": lambda n: "天a" * (n // 2),
    "Chinese brackets": lambda n: "（" * n + "天",
    "years": lambda n: "1812, " * (n // 6),
    "times": lambda n: "12:30 " * (n // 6),
    "degrees": lambda n: "2.5.1 " * (n // 6),
    "dialogue dashes": lambda n: "—a" * (n // 2),
    "form feeds": lambda n: "a\x0c" * (n // 2),
    "line separators": lambda n: "a\u2028" * (n // 2),
    "zero-width": lambda n: "a" + "\u200b" * n + "b",
    "soft hyphens": lambda n: "a\u00ad" * (n // 2),
    "replacement characters": lambda n: "\ufffd" * n,
    "private use": lambda n: "\ue000" * n,
    "Hangul": lambda n: "가나다 " * (n // 4),
    "Thai": lambda n: "กข" * (n // 2),
    "accents": lambda n: "é" * n,
    "long words": lambda n: "abcdefghij" * (n // 10) + " b",
    "words with apostrophes": lambda n: "o'clock " * (n // 8),
    "possessives": lambda n: "Ada's " * (n // 6),
    "column lines": lambda n: "a        b\n" * (n // 11),
    "contents": lambda n: "Chapter ...... 12\n" * (n // 18),
    "page numbers": lambda n: "\n\n12\n\n" * (n // 6),
    "hyphenated lines": lambda n: "ex-\nample " * (n // 10),
}

MARKUP = [name for name, pattern in PATTERNS.items() if "<" in pattern(100)]
TEXT = [name for name in PATTERNS if name not in MARKUP]
READ_MARKUP = ("md", "html")  # to all other formats, tags are unusual words
# The other formats hold plain text: what they do with it depends on its lines, its fields and its
# words, and the text itself is taken apart as that of "txt", a page of "epub" as that of "html".
# `-m slow` writes all patterns.
HOLDERS = ("epub", "docx", "csv", "jsonl", "pdf")
HELD = (
    *("words", "dots", "quotation marks", "commas", "semicolons and bars", "backslashes"),
    *("spaces", "tabs", "blank lines", "lines of spaces", "line ends", "letter lines"),
    *("one word", "ideographs", "accents", "table rows", "column lines", "form feeds"),
)
NAMED = TEXT[TEXT.index("abbreviations") :]  # sentences, names and lines; not single characters


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


def compare(once: float, twice: float, measure_at: Callable[[int, int], float]) -> float:
    """Return how many times longer twice the size takes.

    Where that is much, it is measured again, because the first time fills caches. Then four times
    the size is measured as well: a busy machine or one more collection of garbage can push a
    single doubling over the limit, while a quadratic step takes sixteen times as long for four
    times the size.

    Args:
        once: the time of the size; `twice` is that of twice the size.
        measure_at: the time of 1, 2 or 4 times the size, the best of so many measurements.
    """
    grown = twice / once
    if grown > MAX_GROWTH:
        grown = measure_at(2, 1) / once
    if grown > MAX_GROWTH:
        grown = (measure_at(4, N_MEASUREMENTS) / measure_at(1, N_MEASUREMENTS)) ** 0.5
    return grown


def growth(make: Callable[[int], bytes], suffix: str) -> float:
    """Return how many times longer a file of twice the size takes."""
    size = LARGER_SIZE if suffix in LARGER else SIZE
    twice = measure(make(2 * size), suffix)
    if twice < SURELY_LINEAR_S * size:
        return 1.0
    return compare(
        measure(make(size), suffix),
        twice,
        lambda factor, times: measure(make(factor * size), suffix, times),
    )


def check_growth(suffix: str, names: list[str]) -> None:
    read_and_chunk(FORMATS[suffix]("The first file loads the libraries."), suffix)
    grown = {
        name: growth(lambda n, name=name: FORMATS[suffix](PATTERNS[name](n)), suffix)
        for name in names
    }
    assert {name: round(g, 1) for name, g in grown.items() if g > MAX_GROWTH} == {}


# The last ones go through a kept parser into plain text as the others do; each takes seconds.
SLOW_FORMATS = ("csv", "docx", "jsonl")


@pytest.mark.parametrize(
    "suffix",
    [
        pytest.param(suffix, marks=[pytest.mark.slow] if suffix in SLOW_FORMATS else [])
        for suffix in FORMATS
    ],
)
def test_twice_the_text_takes_at_most_two_and_a_half_times_as_long(suffix: str) -> None:
    check_growth(suffix, list(PATTERNS if suffix in READ_MARKUP else choose_texts(suffix)))


def choose_texts(suffix: str) -> Sequence[str]:
    return HELD if suffix in HOLDERS else TEXT


@pytest.mark.slow
@pytest.mark.parametrize("suffix", HOLDERS)
def test_twice_any_text_takes_at_most_two_and_a_half_times_as_long(suffix: str) -> None:
    check_growth(suffix, [name for name in TEXT if name not in HELD])


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [suffix for suffix in FORMATS if suffix not in READ_MARKUP])
def test_twice_the_markup_takes_at_most_two_and_a_half_times_as_long(suffix: str) -> None:
    check_growth(suffix, MARKUP)


# --- names and relations --------------------------------------------------------------------------

NAMES_SIZE = 1_000
SURELY_LINEAR_NAMES_S = 0.15  # the taggers alone take 20 to 70 µs for a character


def measure_names(text: str, times: int = 1) -> float:
    """Return the processor time of finding names and relations in a text."""
    language = "zh" if "\u4e00" <= max(text[:20]) < "\ua000" else "en"
    spans = chunk_text(text, (), language, ChunkingSettings(), count_tokens)
    found = []
    for _ in range(times):
        extractor = InstantExtractor(split_sentences)
        began = time.process_time()
        for _evidence in extractor.extract(
            text, spans, language, skip=frozenset(), cancel=CancelToken(), body=(0, len(text))
        ):
            pass
        found.append(time.process_time() - began)
    return min(found)


def names_growth(pattern: Callable[[int], str]) -> float:
    size = NAMES_SIZE
    twice = measure_names(pattern(2 * size))
    if twice < SURELY_LINEAR_NAMES_S:
        return 1.0
    while (once := measure_names(pattern(size))) < SURELY_LINEAR_NAMES_S / 4:
        size *= 2  # short texts are not tagged
        twice = measure_names(pattern(2 * size))
    return compare(once, twice, lambda factor, times: measure_names(pattern(factor * size), times))


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(NAMED[::4], id="sentences"),
        pytest.param(NAMED[2::4], id="more sentences", marks=pytest.mark.slow),
        pytest.param(NAMED[1::2], id="other sentences", marks=pytest.mark.slow),
        pytest.param(TEXT[: -len(NAMED)], id="characters", marks=pytest.mark.slow),
        pytest.param(MARKUP, id="markup", marks=pytest.mark.slow),
    ],
)
def test_names_in_twice_the_text_take_at_most_two_and_a_half_times_as_long(
    names: list[str],
) -> None:
    measure_names("The first text loads the models.")
    grown = {name: names_growth(PATTERNS[name]) for name in names}
    assert {name: round(g, 1) for name, g in grown.items() if g > MAX_GROWTH} == {}
