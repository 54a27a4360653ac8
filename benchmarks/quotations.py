"""Finds damaged quotations again: the place that is named first, false finds, and the time.

The library has about 20 novels in English and Chinese, some of them twice, and PDFs: 20 million
characters. 200 sentences of it are each damaged in several ways: by errors of OCR (5 % of the
characters), other quotation marks and dashes, 15 % of the words dropped, 15 % replaced by others
of the same book, and a third in the middle cut out with an ellipsis. Chinese sentences are also
written in the other script, English ones broken into lines with hyphens. 100 sentences are of
books that the library lacks. Limits were chosen on the even sentences; the odd ones are reported.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz.fuzz import ratio

from desktop_app.engine.errors import UserError
from desktop_app.engine.file_content import BytesContent
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.services.library import Library
from desktop_app.engine.services.quotation_search import QuotationPlace, find_quotation
from desktop_app.engine.services.text_analysis.splitting import split_text
from desktop_app.engine.store import documents
from desktop_app.engine.store.db import Db
from desktop_app.engine.text.chunking import ChunkingSettings, split_sentences
from desktop_app.engine.text.folded_words import fold_letters, list_forms
from desktop_app.engine.text.reading import read_bytes
from desktop_app.engine.writing_systems import count_han

from .common import DATA, cache_folder, data_file, make_parser, print_result

VERSION = 1  # of the library that is made; raise it to have it made again
NOVELS = (
    *("alice", "christmas_carol", "dracula", "great_expectations", "pride_and_prejudice"),
    *("sherlock_holmes", "war_and_peace"),
)
CHINESE = ("honglou/honglou", "sanguo/sanguo", "shuihu/shuihu_120", "xiyou/xiyou")
ABSENT = (
    "en_novels/gutenberg/frankenstein.txt",
    "en_novels/litbank_full/155_the_moonstone.txt",
    "derived/rulin.big5.txt",
)
N_SENTENCES = {"English novels": 80, "Chinese novels": 70, "PDFs": 50}
N_ABSENT = {"en": 60, "zh": 40}
N_EDITION = 60
SAME_SENTENCE = 90.0  # percent of likeness from which another edition has the same sentence

_CONFUSED = {
    **{"e": "c", "c": "e", "l": "1", "i": "l", "o": "0", "h": "b", "b": "h", "n": "u", "u": "n"},
    **{"m": "rn", "a": "o", "s": "5", "t": "f", "f": "t", "g": "q", "w": "vv", "r": "i", "d": "cl"},
    **{"大": "太", "太": "大", "人": "入", "日": "曰", "未": "末", "己": "已", "天": "夫"},
    **{"王": "玉", "土": "士", "了": "丁", "干": "千", "宋": "末", "见": "贝", "里": "黑"},
}


def ensure_library() -> Path:
    """Return the library of the benchmark, made on the first call: texts and the word index."""
    path = cache_folder() / f"quotations-{VERSION}.inkgraph"
    if path.exists():
        return path
    fresh = path.with_name(f"making-{path.name}")
    fresh.unlink(missing_ok=True)
    library = Library(fresh)
    try:
        for file in list_files():
            try:
                _add(library.writer, file)
            except UserError:
                continue  # a scan without text
    finally:
        library.close()
    fresh.rename(path)
    return path


def list_files() -> list[Path]:
    """Return the files of the library: novels, then PDFs."""
    files = [data_file("en_novels", "gutenberg", f"{name}.txt") for name in NOVELS]
    files += sorted(DATA.glob("en_novels/litbank_full/[0-9]*.txt"))
    files += [data_file("zh_novels", f"{name}.txt") for name in CHINESE]
    files += [data_file("zh_novels", "trad_gutenberg", "shuihu_trad.txt")]
    files += [data_file("derived", "shuihu_full.pdf")]
    for folder in ("pdf_papers", "pdf_chinese", "pdf_big"):
        files += sorted(DATA.glob(f"files/{folder}/*.pdf"))
    return [file for file in files if not str(file).endswith(ABSENT)]


def _add(db: Db, file: Path) -> None:
    content = file.read_bytes()
    for read in read_bytes(content, file.name):
        body = read.body_start, read.body_end or len(read.text)
        split = split_text(
            read.text, read.outline, read.language, body, ChunkingSettings(), CancelToken()
        )
        with db.transaction():
            document_id = documents.add_waiting(
                db,
                title=read.title,
                file_name=file.name,
                source_path=str(file),
                content=BytesContent(b"-"),
                sha256=hashlib.sha256(content).hexdigest(),
            )
            documents.store_read(db, document_id, read, split.chunks, split.windows)
            documents.set_state(db, document_id, "ready")


# --- sentences and damages ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a document; `others` are words of the same document."""

    document_id: int
    start: int
    text: str
    group: str
    others: Sequence[str]

    @property
    def is_chinese(self) -> bool:
        return _is_chinese(self.text)


def _is_chinese(text: str) -> bool:
    return count_han(text) * 3 > len(text)


def draw_sentences(db: Db, seed: int) -> list[Sentence]:
    """Return sentences at random places, in an order that mixes the groups."""
    chance = random.Random(seed)
    groups = defaultdict[str, list[int]](list)
    for row in documents.fetch_documents(db):
        if row.format == "pdf":
            groups["PDFs"].append(row.id)
        elif row.n_chars:
            groups["Chinese novels" if row.language == "zh" else "English novels"].append(row.id)
    sentences: list[Sentence] = []
    for group, n in N_SENTENCES.items():
        ids = sorted(groups[group])
        texts = {i: documents.fetch_text(db, i) or "" for i in ids}
        spans = {i: [(s, e) for s, e, _ in documents.fetch_spans(db, i)] for i in ids}
        found: list[Sentence] = []
        while len(found) < n:
            document_id = chance.choice(ids)
            drawn = _draw(texts[document_id], spans[document_id], chance)
            if drawn is not None:
                start, text = drawn
                others = _split_words(texts[document_id][start - 3000 : start])
                found.append(Sentence(document_id, start, text, group, others or ["–"]))
        sentences += found
    chance.shuffle(sentences)
    return sentences


def draw_absent(seed: int) -> list[str]:
    """Return sentences of books that the library lacks."""
    chance = random.Random(seed)
    found: list[str] = []
    for language, n in N_ABSENT.items():
        files = [
            data_file(*path.split("/"))
            for path in ABSENT
            if ("rulin" in path) == (language == "zh")
        ]
        texts = [read_bytes(file.read_bytes(), file.name)[0] for file in files]
        drawn: list[str] = []
        while len(drawn) < n:
            read = chance.choice(texts)
            body = read.body_start, read.body_end or len(read.text)
            if (one := _draw(read.text, [body], chance)) is not None:
                drawn.append(one[1])
        found += drawn
    chance.shuffle(found)
    return found


def _draw(
    text: str, spans: Sequence[tuple[int, int]], chance: random.Random
) -> tuple[int, str] | None:
    """Return (start, text) of a sentence of fitting length, None if there is none at the place."""
    if not spans:
        return None
    first, last = chance.choice(spans)
    start = chance.randrange(first, max(first + 1, last - 200))
    piece = text[start : min(last, start + 3000)]
    language = "zh" if _is_chinese(piece) else "en"
    for a, b in split_sentences(piece, language)[1:-1]:
        sentence = piece[a:b].strip()
        n_han, n_words = count_han(sentence), len(re.findall(r"[^\W\d_]{2,}", sentence))
        fits = 15 <= n_han <= 80 if language == "zh" else 8 <= n_words <= 50 and not n_han
        if fits and "\n\n" not in sentence and "…" not in sentence and ". ." not in sentence:
            return start + a + piece[a:b].index(sentence), sentence
    return None


def _split_words(text: str) -> list[str]:
    if _is_chinese(text):
        return re.findall(r"[\u4e00-\u9fff]", text)
    return re.findall(r"[^\W\d_]+", text)


def damage_by_ocr(one: Sentence, chance: random.Random) -> str:
    made = []
    for char in one.text:
        if not char.isalnum() or chance.random() >= 0.05:
            made.append(char)
        elif one.is_chinese:
            made.append(_CONFUSED.get(char) or chance.choice([*one.others, ""]))
        else:
            made.append(chance.choice([_CONFUSED.get(char.lower(), "x"), "", char + "'"]))
    return "".join(made)


def damage_signs(one: Sentence, chance: random.Random) -> str:
    signs = chance.choice(
        (
            {"“": '"', "”": '"', "‘": "'", "’": "'", "—": " - ", "--": " – ", "「": "“", "」": "”"},
            {"“": "«", "”": "»", "’": "'", "'": "’", "—": "--", "--": "—", '"': "”"},
            {
                "“": "「",
                "”": "」",
                "‘": "『",
                '"': "'",
                "--": " - ",
                "，": ",",
                "。": ".",
                "：": ":",
            },
        )
    )
    return re.sub("--|.", lambda match: signs.get(match.group(), match.group()), one.text)


def damage_by_dropping(one: Sentence, chance: random.Random) -> str:
    return _change_words(one, chance, lambda word: "")


def damage_by_replacing(one: Sentence, chance: random.Random) -> str:
    return _change_words(one, chance, lambda word: chance.choice(one.others))


def _change_words(one: Sentence, chance: random.Random, change: Callable[[str], str]) -> str:
    pattern = r"[\u4e00-\u9fff]" if one.is_chinese else r"\w+"
    return re.sub(
        pattern, lambda m: change(m.group()) if chance.random() < 0.15 else m.group(), one.text
    )


def damage_by_cutting(one: Sentence, chance: random.Random) -> str:
    third = len(one.text) // 3
    first, last = third, len(one.text) - third
    if not one.is_chinese:  # whole words
        first = one.text.rfind(" ", 0, first + 1)
        last = one.text.find(" ", last)
    return f"{one.text[:first]} {chance.choice(['…', '...', '[…]', '……'])} {one.text[last:]}"


def write_in_other_script(one: Sentence, chance: random.Random) -> str:
    """Return a Chinese sentence in traditional characters, or simplified if it was traditional."""
    if not one.is_chinese:
        return ""
    is_simple = fold_letters(one.text) == "".join(c for c in one.text if c.isalnum())
    forms = {char: list_forms(char) for char in set(one.text)}
    if not is_simple:
        return "".join(forms[char][0] if len(forms[char]) > 1 else char for char in one.text)
    return "".join(chance.choice(forms[c][1:]) if len(forms[c]) > 1 else c for c in one.text)


def break_lines(one: Sentence, chance: random.Random) -> str:
    """Return an English sentence in lines of about 30 characters, most of them hyphenated."""
    if one.is_chinese:
        return ""
    made, width = "", 0
    for word in one.text.split():
        if width + len(word) > 30 and len(word) > 5 and word.isalpha():
            made += f"{word[:3]}-\n{word[3:]} "
            width = len(word) - 3
        else:
            made += word + " "
            width += len(word) + 1
    return made


KINDS: dict[str, Callable[[Sentence, random.Random], str]] = {
    "as it is": lambda one, chance: one.text,
    "ocr": damage_by_ocr,
    "signs": damage_signs,
    "dropped": damage_by_dropping,
    "replaced": damage_by_replacing,
    "ellipsis": damage_by_cutting,
    "script": write_in_other_script,
    "lines": break_lines,
}


# --- measuring ------------------------------------------------------------------------------------


def is_place(db: Db, found: QuotationPlace, one: Sentence) -> bool:
    """Return whether a place is that of the sentence, or of the same one in another edition."""
    end = one.start + len(one.text)
    common = min(end, found.end) - max(one.start, found.start)
    if found.document_id == one.document_id and common > 0.5 * len(one.text):
        return True
    text = documents.fetch_text(db, found.document_id) or ""
    other = fold_letters(text[found.start : found.end])
    return ratio(other, fold_letters(one.text)) >= SAME_SENTENCE


def measure_edition(db: Db, seed: int, half: slice, show: bool) -> tuple[int, int]:
    """Return how many sentences of one edition of 水浒传 are found in another, and of how many.

    The first is in traditional characters and has 70 chapters, the other in simplified ones and
    has 120; many sentences differ in some words, and some are in one edition only.
    """
    chance = random.Random(seed)
    rows = {row.file_name: row.id for row in documents.fetch_documents(db)}
    one, other = rows["shuihu_trad.txt"], rows["shuihu_120.txt"]
    text = documents.fetch_text(db, one) or ""
    spans = [(start, end) for start, end, _ in documents.fetch_spans(db, one)]
    drawn: list[str] = []
    while len(drawn) < N_EDITION:
        if (one_drawn := _draw(text, spans, chance)) is not None:
            drawn.append(one_drawn[1])
    n_found = 0
    for sentence in drawn[half]:
        found = find_quotation(db, sentence, 1, [other])
        n_found += bool(found)
        if show:
            best = f"{found[0].likeness:.2f} {found[0].text!r}" if found else "nothing"
            print(f"edition: {sentence!r}\n    {best}")
    return n_found, len(drawn[half])


def measure_cold(path: Path, sentences: Sequence[str]) -> list[float]:
    """Return the seconds of single searches, each after the library was dropped from memory."""
    seconds = []
    for sentence in sentences:
        with path.open("rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        library = Library(path)
        try:
            started = time.perf_counter()
            find_quotation(library.writer, sentence)
            seconds.append(time.perf_counter() - started)
        finally:
            library.close()
    return seconds


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--half", choices=("even", "odd", "both"), default="odd")
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    options = parser.parse_args()
    half = {"even": slice(0, None, 2), "odd": slice(1, None, 2), "both": slice(None)}[options.half]
    path = ensure_library()
    library = Library(path)
    db = library.writer
    sentences = draw_sentences(db, options.seed)
    library.close()
    cold = measure_cold(path, [one.text for one in sentences[:8]])
    library = Library(path)
    db = library.writer
    chance = random.Random(options.seed)
    damaged = [
        (kind, one, damage(one, chance)) for one in sentences for kind, damage in KINDS.items()
    ]
    chosen = set(map(id, sentences[half]))
    hits, wordings = defaultdict[str, list[bool]](list), defaultdict[str, list[str]](list)
    likeness, seconds, processor = defaultdict[str, list[float]](list), [], []
    for kind, one, text in damaged:
        if id(one) not in chosen or not text:
            continue
        started, used = time.perf_counter(), time.process_time()
        found = find_quotation(db, text)
        seconds.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
        hit = bool(found) and is_place(db, found[0], one)
        hits[kind].append(hit)
        if hit:
            wordings[kind].append(found[0].wording)
            likeness[kind].append(found[0].likeness)
        elif options.misses:
            best = f"{found[0].likeness:.2f} {found[0].text!r}" if found else "nothing"
            print(f"{kind}: {text!r}\n    instead: {best}")
    false = []
    for text in draw_absent(options.seed)[half]:
        started, used = time.perf_counter(), time.process_time()
        found = find_quotation(db, text)
        seconds.append(time.perf_counter() - started)
        processor.append(time.process_time() - used)
        if found:
            false.append(found[0].likeness)
            if options.misses:
                print(f"false: {text!r}\n    {found[0].likeness:.2f} {found[0].text!r}")
    for kind, all_hits in hits.items():
        named = {w: wordings[kind].count(w) for w in ("exact", "small", "similar")}
        lowest = sorted(likeness[kind])[:3]
        print(
            f"{kind:9} first place right {sum(all_hits):3} of {len(all_hits)}  {named}"
            f"  least likeness {', '.join(f'{x:.2f}' for x in lowest)}"
        )
    n_absent = len(draw_absent(options.seed)[half])
    print(f"not in the library: {len(false)} of {n_absent} found {sorted(false)[::-1][:5]}")
    n_edition, of_edition = measure_edition(db, options.seed, half, options.misses)
    print(f"another edition: {n_edition} of {of_edition} found")
    seconds.sort()
    print_result(
        "quotations",
        half=options.half,
        first_right={kind: round(statistics.mean(h), 3) for kind, h in hits.items()},
        false_finds=len(false),
        of_absent=n_absent,
        edition=n_edition / of_edition,
        median_s=round(statistics.median(seconds), 3),
        p95_s=round(seconds[int(0.95 * len(seconds))], 3),
        slowest_s=round(seconds[-1], 3),
        slowest_processor_s=round(max(processor), 3),
        cold_first_s=round(cold[0], 3),
        cold_slowest_s=round(max(cold), 3),
        mb=round(path.stat().st_size / 2**20),
    )
    library.close()


if __name__ == "__main__":
    main()
