"""Which documents have a title that says what they are about, and whose title stands where.

Texts are read once: what was found is handed on to the next index, which only reads what is new.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ...graph.linking import TitleScanner, name_key, strip_title
from ...store.db import Db
from ...store.search import SHORT_DOCUMENT_CHARS

LONG_ARTICLE_CHARS = 60_000  # beyond, a document is a book, whatever its title
HEAD_CHARS = 300  # an article names its subject at once
_BLOCK = 500
_SAYS_WHAT = re.compile(r"\b(?:is|was|are|were|refers to)\s+(?:an?|the|one|any)\b|[是為为]|指的?")
_TELLS = re.compile(r"\b(?:there|once|long ago|it)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TitleMentions:
    """Which titles stand in which titled chunks; `pairs` are (chunk id, document id)."""

    titles: dict[int, str]
    chunk_ids: frozenset[int]
    pairs: np.ndarray


NOTHING_READ = TitleMentions({}, frozenset(), np.zeros((0, 2), dtype=np.int64))


def find_titled(db: Db, chunks: list[tuple[int, int, str, int, int]]) -> np.ndarray:
    """Return which chunks belong to a text with a title of its own, bool, shape (n_chunks,).

    Short texts do; longer ones if their beginning speaks of what the title says, as an
    encyclopedia's articles do and a novel's or tale's first page hardly ever does.
    """
    articles = {
        document_id
        for document_id, title, head in db.rows(
            "SELECT d.id, d.title, substr(c.text, 1, ?) FROM document d"
            " JOIN chunk c ON c.document_id = d.id AND c.order_no ="
            " (SELECT min(order_no) FROM chunk WHERE document_id = d.id)"
            " WHERE d.n_chars > ? AND d.n_chars <= ?",
            (HEAD_CHARS, SHORT_DOCUMENT_CHARS, LONG_ARTICLE_CHARS),
        )
        if speaks_of(title, head)
    }
    return np.array([c[3] <= SHORT_DOCUMENT_CHARS or c[1] in articles for c in chunks], dtype=bool)


def speaks_of(title: str, head: str) -> bool:
    """Say whether a text begins by saying what its title is ("Lindau is a town on …").

    A tale begins under its title too, as a heading, and then tells: that is no article.
    """
    words = name_key(strip_title(title)).split()
    if not words or all(re.fullmatch(r"\d+", word) for word in words):
        return False
    for line in head.split("\n"):
        said = _SAYS_WHAT.search(line)
        if said is None or _TELLS.search(line[: said.start()]):
            continue
        before = set(name_key(line[: said.start()]).split())
        if 2 * sum(word in before for word in words) >= len(words):
            return True
    return False


def find_title_mentions(
    db: Db, chunk_ids: list[int], titles: dict[int, str], before: TitleMentions
) -> TitleMentions:
    """Return where titles stand in the texts of titled chunks.

    Args:
        titles: document id -> title without marks.
        before: what an earlier index read; its texts are only searched for new titles.
    """
    wanted = frozenset(chunk_ids)
    fresh = {d: t for d, t in titles.items() if before.titles.get(d) != t}
    unread = wanted - before.chunk_ids
    if wanted == before.chunk_ids and titles == before.titles:
        return before
    kept = before.pairs
    if len(kept):
        still = set(titles) - set(fresh)
        kept = kept[
            np.isin(kept[:, 0], np.fromiter(wanted, np.int64, len(wanted)))
            & np.isin(kept[:, 1], np.fromiter(still, np.int64, len(still)))
        ]
    found = [kept]
    if unread:
        found.append(_scan(db, sorted(unread), titles))
    if fresh and (read := wanted & before.chunk_ids):
        found.append(_scan(db, sorted(read), fresh))
    return TitleMentions(dict(titles), wanted, np.concatenate(found))


def _scan(db: Db, chunk_ids: list[int], titles: dict[int, str]) -> np.ndarray:
    scanner = TitleScanner((title, document_id) for document_id, title in titles.items())
    pairs: list[tuple[int, int]] = []
    for i in range(0, len(chunk_ids), _BLOCK):
        part = chunk_ids[i : i + _BLOCK]
        for chunk_id, text in db.rows(
            f"SELECT id, text FROM chunk WHERE id IN ({','.join(map(str, part))})"
        ):
            pairs += [(chunk_id, value) for value in scanner.scan(text)]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)
