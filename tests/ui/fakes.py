"""A context for tests of screens: real lanes, theme and messages; services made of plain data.

The services answer from two short texts of our own, one English and one Chinese, and from a
list of documents in every state. `FakeContext(n_documents=10_000)` gives a long library.
"""

from __future__ import annotations

import itertools
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from desktop_app.engine.changes import NOTHING, ChangeNotice
from desktop_app.engine.errors import UserError
from desktop_app.engine.figures import find_mentions
from desktop_app.engine.llm.catalogue import Suggestion, load_catalogue
from desktop_app.engine.llm.link_download import UnfinishedDownload
from desktop_app.engine.llm.machine import Machine
from desktop_app.engine.llm.model_checks import CheckResult
from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.messages import NO_MESSAGE, Message
from desktop_app.engine.model import (
    Answer,
    ChatRow,
    Citation,
    DocumentId,
    DocumentRow,
    EntityCard,
    EntityRow,
    EventRow,
    Heading,
    LibraryOverview,
    MentionRow,
    MessageRow,
    Page,
    Passage,
    Reference,
    RelationRow,
    RetrievalResult,
    Subgraph,
)
from desktop_app.engine.progress import CancelToken, Progress
from desktop_app.engine.query import QueryParam
from desktop_app.engine.scanned_pages import ScannedPage
from desktop_app.engine.scheduler import WorkScheduler
from desktop_app.engine.services.capability_results import ModelCapabilities, Share
from desktop_app.engine.services.collections import CollectionRow
from desktop_app.engine.services.covers import Cover
from desktop_app.engine.services.documents import TrashRow
from desktop_app.engine.services.editing.previews import DeletePreview
from desktop_app.engine.services.exporting.references import reference_of
from desktop_app.engine.services.library_models import LibraryModels
from desktop_app.engine.services.library_reader import NamedPart
from desktop_app.engine.services.model_capabilities import CapabilityProgress
from desktop_app.engine.services.model_servers import ModelServers, ServerKeys
from desktop_app.engine.services.provenance import EntityProvenance
from desktop_app.engine.services.quotation_search import QuotationPlace, check_quotation
from desktop_app.engine.services.system_keyring import SystemKeyring
from desktop_app.engine.store.chats import ChatHit, WaitingQuestion
from desktop_app.engine.store.figure_descriptions import DescriptionCount
from desktop_app.engine.store.figures import StoredFigure
from desktop_app.engine.store.sheet_drafts import DraftKey, SheetDraft
from desktop_app.engine.text.literal_search import find_literally
from desktop_app.engine.text.page_renderer import FigurePixels
from desktop_app.session import Hub
from desktop_app.ui.messages import Messages
from desktop_app.ui.sheet_drafts import SheetDraftKeeper
from desktop_app.ui.theme.theme import Theme
from desktop_app.workers.background_jobs import QueueRunner
from desktop_app.workers.lane import Lane
from desktop_app.workers.library_server import LibraryServer
from tests.ui.fake_annotations import FakeAnnotationService
from tests.ui.fake_enrichment import FakeEnrichmentService

ENGLISH = """Chapter 1. The ferry

Ada Merrow was the ferrywoman of Harrow Ford, and she had never learned to swim. Every morning \
Tobias Quill came down from the Lantern Company with a bag of letters. "You will drown one day, \
Miss Merrow," said Tobias Quill. Ada laughed and took his penny.

The Lantern Company owned the mill, the inn and the only bridge. Old Mrs Vane, who kept the inn, \
said that the bridge was cursed. Nobody in Harrow Ford believed Mrs Vane until the Great Flood.

Chapter 2. The flood

In the night of the Great Flood the brass lamp on the bridge went out. Tobias Quill swam to the \
ferry with the brass lamp in his teeth. Ada Merrow pulled him aboard and asked for his penny. \
The Lantern Company never built another bridge, and Mrs Vane never said another word about it.
"""
CHINESE = """第一回 青石镇

林秋白是顺昌票号的账房,住在青石镇东头。每逢初一,林秋白都到渡口等沈老三的船。沈老三不识字,却记得\
青石镇每一家的账。

第二回 失印

那年冬天,顺昌票号丢了一方铜印。掌柜周德海疑心沈老三,林秋白却不信。林先生在青石镇走访了三日,\
终于在周德海的米缸里找到了铜印。从此周德海见了林秋白便低头。
"""
NAMES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Ada Merrow", "person", ("Miss Merrow", "Ada")),
    ("Tobias Quill", "person", ()),
    ("Mrs Vane", "person", ("Old Mrs Vane",)),
    ("Harrow Ford", "place", ()),
    ("Lantern Company", "organisation", ()),
    ("Great Flood", "event", ()),
    ("brass lamp", "object", ()),
    ("林秋白", "person", ("林先生",)),
    ("沈老三", "person", ()),
    ("周德海", "person", ()),
    ("青石镇", "place", ()),
    ("顺昌票号", "organisation", ()),
    ("铜印", "object", ()),
)
DAY = 86_400.0


def sample_documents(now: float) -> list[DocumentRow]:
    """Return documents in every state, in English and Chinese."""

    def row(number: int, title: str, file_name: str, language: str, state: str, **more):
        return DocumentRow(
            number, title, file_name, file_name[-4:].strip("."), language, state, **more
        )

    return [
        row(1, "The Ferry at Harrow Ford", "ferry.txt", "en", "ready", author="A. Nonymous",
            n_chars=len(ENGLISH), size_bytes=1_400, n_chunks=2, n_chunks_done=2, n_windows=9,
            n_embedded=9, n_mentions=21, n_entities=7, added_at=now - 3 * DAY),
        row(2, "青石镇旧事", "青石镇旧事.txt", "zh", "ready", author="佚名", n_chars=len(CHINESE),
            size_bytes=980, n_chunks=2, n_chunks_done=2, n_windows=5, n_embedded=5,
            n_mentions=17, n_entities=6, added_at=now - 2 * DAY),
        row(3, "水浒传", "shuihu_quanben_utf8.txt", "zh", "indexing", author="施耐庵",
            n_chars=868_000, size_bytes=2_560_000, n_chunks=120, n_chunks_done=34,
            n_mentions=4_210, n_entities=812, added_at=now - 3_600),
        row(4, "A Christmas Carol", "pg46.epub", "en", "ready", author="Charles Dickens",
            n_chars=161_000, size_bytes=214_000, n_chunks=60, n_chunks_done=60, n_windows=900,
            n_embedded=360, n_mentions=2_100, n_entities=143, added_at=now - 1_800),
        row(5, "Attention and its discontents: a survey of very long titles in the literature "
            "of the last forty years, with an appendix", "survey-final-v3.pdf", "en", "reading",
            n_pages=48, size_bytes=3_800_000, added_at=now - 600),
        row(6, "scan-1987", "scan-1987.pdf", "und", "failed", size_bytes=18_000_000, n_pages=212,
            reason=Message("No page of this PDF has text. It looks like a scan."),
            notes=(Message("212 of 212 pages have no text"),), added_at=now - 500),
        row(7, "红楼梦", "红楼梦.docx", "zh", "waiting", size_bytes=1_900_000, added_at=now - 400),
        row(8, "A Christmas Carol (copy)", "carol.txt", "en", "ready", n_chars=161_000,
            size_bytes=165_000, n_chunks=60, n_chunks_done=60, n_windows=10, n_embedded=10,
            n_entities=143, duplicate_of=4, added_at=now - 300),
        row(9, "Notes on ferries", "notes.md", "en", "paused", n_chars=8_000, size_bytes=8_100,
            n_chunks=4, n_chunks_done=1, set_aside=True, added_at=now - 200),
    ]  # fmt: skip


def many_documents(count: int, now: float) -> list[DocumentRow]:
    return [
        DocumentRow(
            i,
            f"水浒传 第{i}回" if i % 2 else f"Chapter {i} of a long book",
            f"{i:05}.txt",
            "txt",
            "zh" if i % 2 else "en",
            "ready",
            n_chars=1000 + i,
            n_chunks=3,
            n_chunks_done=3,
            n_entities=i % 97,
            added_at=now - i * 60,
        )
        for i in range(1, count + 1)
    ]


class FakeLibraryReader:
    """Answers from the two texts; `fail_with` makes the next call raise."""

    def __init__(self, documents: list[DocumentRow], chats: list[ChatRow]) -> None:
        self.documents = documents
        self.chats = chats
        self.texts = {1: ENGLISH, 2: CHINESE} if documents else {}
        self.collections: list[CollectionRow] = []
        self.members: dict[int, list[int]] = {}
        self.fail_with: BaseException | None = None
        self.calls: list[str] = []
        self.events: list[EventRow] = []
        self._build_graph()

    def fetch_covers(self, ids: Sequence[int]) -> dict[int, Cover | None]:
        return dict.fromkeys(ids)

    def fetch_references(self, ids: Sequence[int]) -> list[Reference]:
        found = {row.id: reference_of(row) for row in self.documents}
        return [found[i] for i in ids if i in found]

    def find_quotation(self, text: str, limit: int = 10) -> list[QuotationPlace]:
        quotation, places = check_quotation(text), []
        for document_id, whole in self.texts.items():
            for found in quotation.align(whole, 0, 0.6):
                places.append(
                    QuotationPlace(
                        document_id=document_id,
                        title=self.documents[document_id - 1].title,
                        start=found.start,
                        end=found.end,
                        page="",
                        chapter="Chapter 1. The ferry" if document_id == 1 else "第一回",
                        share=found.start / len(whole),
                        found=found.found,
                        likeness=found.likeness,
                        wording="exact" if found.is_exact else "small",
                        text=whole,
                        text_start=0,
                        parts=found.parts,
                    )
                )
        return places[:limit]

    def preview_delete(self, ids: list[int]) -> DeletePreview:
        title = next(d.title for d in self.documents if d.id == ids[0])
        return DeletePreview(title, 120, 9000, (), 812, 40, 3204, len(ids))

    def _build_graph(self) -> None:
        self._mentions: dict[int, list[MentionRow]] = {}
        self._sentences: dict[tuple[int, int], set[int]] = {}
        for entity_id, (name, _, aliases) in enumerate(NAMES, 1):
            pattern = "|".join(
                re.escape(n) for n in sorted((name, *aliases), key=len, reverse=True)
            )
            found = []
            for document_id, text in self.texts.items():
                for match in re.finditer(pattern, text):
                    start, end = sentence_around(text, match.start())
                    self._sentences.setdefault((document_id, start), set()).add(entity_id)
                    found.append(
                        MentionRow(
                            document_id,
                            self.documents[document_id - 1].title if self.documents else "",
                            document_id * 100,
                            match.group(),
                            match.start(),
                            match.end(),
                            text[start:end],
                            start,
                            heading="Chapter 1" if document_id == 1 else "第一回",
                        )
                    )
            self._mentions[entity_id] = found
        pairs: Counter[tuple[int, int]] = Counter()
        best: dict[tuple[int, int], tuple[int, int]] = {}
        for place, ids in self._sentences.items():
            for pair in itertools.combinations(sorted(ids), 2):
                pairs[pair] += 1
                best.setdefault(pair, place)
        self._relations = []
        for number, (pair, count) in enumerate(pairs.most_common(), 1):
            document_id, place = best[pair]
            start, end = sentence_around(self.texts[document_id], place)
            source, target = pair
            self._relations.append(
                RelationRow(
                    number, source, target, NAMES[source - 1][0], NAMES[target - 1][0],
                    float(count), count, sentence=self.texts[document_id][start:end],
                    document_id=document_id, sentence_start=start, sentence_end=end,
                )
            )  # fmt: skip
        degree = Counter(i for r in self._relations for i in (r.source_id, r.target_id))
        self.entities = {
            i: EntityRow(i, name, kind, len(self._mentions[i]), degree[i], 1)
            for i, (name, kind, _) in enumerate(NAMES, 1)
        }

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if self.fail_with is not None:
            error, self.fail_with = self.fail_with, None
            raise error

    # --- library ---------------------------------------------------------------------------------

    def overview(self, before: LibraryOverview | None = None) -> LibraryOverview:
        self._called("overview")
        full = bool(self.documents)
        return LibraryOverview(
            path="/tmp/Novels and papers.inkgraph",
            name="Novels and papers",
            size_bytes=48_000_000 if full else 90_000,
            n_documents=len(self.documents),
            n_entities=3_412 if full else 0,
            n_relations=9_871 if full else 0,
            n_mentions=41_200 if full else 0,
            n_chunks=1_240 if full else 0,
            n_windows=11_000 if full else 0,
            n_embedded=9_000 if full else 0,
            n_chats=len(self.chats),
        )

    def list_equal_titles(self) -> list[tuple[int, str, str, str]]:
        titles = Counter(row.title for row in self.documents)
        return [
            (row.id, row.title, row.format, row.file_name)
            for row in self.documents
            if titles[row.title] > 1
        ]

    def list_documents(self) -> list[DocumentRow]:
        self._called("list_documents")
        return list(self.documents)

    def get_document(self, document_id: int) -> DocumentRow:
        self._called("get_document")
        for row in self.documents:
            if row.id == document_id:
                return row
        raise UserError("This document is no longer in the library.")

    def list_chats(self) -> list[ChatRow]:
        return list(self.chats)

    def find_start(self, document_id: int) -> int:
        return 0

    def fetch_text(self, document_id: int) -> str:
        self._called("fetch_text")
        return self.texts.get(document_id, "")

    def fetch_scanned_pages(self, document_id: int) -> dict[int, ScannedPage]:
        return {}

    def find_inner_place(self, document_id: int) -> str:
        return ""

    def fetch_original(self, document_id: int) -> bytes:
        return self.texts.get(document_id, "").encode()

    def fetch_pages(self, document_id: int) -> list[Page]:
        return []

    def fetch_outline(self, document_id: int) -> list[Heading]:
        text = self.texts.get(document_id, "")
        return [
            Heading(1, match.group(), match.start())
            for match in re.finditer(r"^(Chapter \d.*|第.回.*)$", text, re.M)
        ]

    # --- names ----------------------------------------------------

    def top_entities(self, limit: int = 200, type: str = "") -> list[EntityRow]:
        self._called("top_entities")
        rows = [r for r in self.entities.values() if not type or r.type == type]
        return sorted(rows, key=lambda r: -r.n_mentions)[:limit]

    def entities_of_document(self, document_id: int, limit: int) -> list[EntityRow]:
        self._called("entities_of_document")
        own = [
            replace(r, n_mentions=sum(m.document_id == document_id for m in self._mentions[r.id]))
            for r in self.entities.values()
        ]
        return sorted((r for r in own if r.n_mentions), key=lambda r: -r.n_mentions)[:limit]

    def list_subjects(self, document_id: int, limit: int) -> list[EntityRow]:
        return self.entities_of_document(document_id, limit)

    def list_pairs(self, document_id: int, subjects) -> list[tuple[EntityRow, EntityRow]]:
        people = [row for row in subjects if row.type == "person"]
        return [(people[0], people[1])] if len(people) > 1 else []

    def fetch_entities(self, entity_ids) -> list[EntityRow]:
        self._called("fetch_entities")
        return [self.entities[i] for i in entity_ids if i in self.entities]

    def find_entities(self, text: str, limit: int = 20) -> list[EntityRow]:
        self._called("find_entities")
        wanted = text.casefold()
        found = [
            (not name.casefold().startswith(wanted), i)
            for i, (name, _, aliases) in enumerate(NAMES, 1)
            if any(wanted in n.casefold() for n in (name, *aliases))
        ]
        return [self.entities[i] for _, i in sorted(found)][:limit]

    def list_introductions(self, entity_id: int) -> list[MentionRow]:
        return self._mentions[entity_id][:4]

    def propose_description(self, entity_id: int) -> str:
        return f"{self.entities[entity_id].name} is a lighthouse."

    def suggest_connections(
        self, entity_id: int, limit: int = 12
    ) -> tuple[list[EntityRow], list[str]]:
        others = [row for row in self.top_entities() if row.id != entity_id]
        return others[:limit], ["family"]

    def get_entity(self, entity_id: int) -> EntityCard:
        self._called("get_entity")
        if entity_id not in self.entities:
            raise UserError("This name is no longer in the library.")
        mentions = self._mentions[entity_id]
        text = mentions[0].sentence if mentions else ""
        aliases = NAMES[entity_id - 1][2]
        card = EntityCard(self.entities[entity_id], aliases, text, tuple(mentions[:1]))
        return replace(card, is_quoted=True)

    def fetch_mentions(self, entity_id: int, limit: int = 200, offset: int = 0):
        return self._mentions.get(entity_id, [])[offset : offset + limit]

    def fetch_mention_spread(self, entity_id: int):
        spread: dict[int, list[float]] = {}
        for mention in self._mentions.get(entity_id, []):
            text = self.texts[mention.document_id]
            spread.setdefault(mention.document_id, []).append(mention.start / len(text))
        return [(d, self.documents[d - 1].title, places) for d, places in spread.items()]

    def has_several_documents(self) -> bool:
        return len(self.documents) > 1

    def fetch_chapters(self, document_ids):
        return {}

    def fetch_relations(self, entity_id: int, limit: int = 100) -> list[RelationRow]:
        ties = [r for r in self._relations if entity_id in (r.source_id, r.target_id)]
        return ties[:limit]

    def fetch_relation_evidence(self, relation_id: int, limit: int = 50) -> list[MentionRow]:
        relation = self._relations[relation_id - 1]
        both = {relation.source_id, relation.target_id}
        return [
            m
            for m in self._mentions[relation.source_id]
            if both <= self._sentences[(m.document_id, m.sentence_start)]
        ][:limit]

    # --- provenance ----------------------------------------------

    def list_communities_of(self, entity_id: int) -> list:
        return []

    def list_history_of(self, entity_id: int) -> list:
        return []

    def find_by_names(self, names: list[str]) -> int | None:
        return None

    def describe_provenance(self, entity_id: int) -> EntityProvenance:
        row = self.entities.get(entity_id)
        return EntityProvenance(kinds=(("", row.n_relations),) if row else ())

    def fetch_claims(self, entity_id: int, limit: int = 200) -> list:
        return []

    def list_events(self, entity_id: int, limit: int = 2000) -> list[EventRow]:
        return [e for e in self.events if entity_id in {part.entity_id for part in e.parts}]

    def list_rejected_names(self) -> list:
        return []

    def find_documents_with_text(self, text: str) -> list[int]:
        return [i for i, whole in self.texts.items() if text.casefold() in whole.casefold()]

    def list_collections(self) -> list[CollectionRow]:
        return list(self.collections)

    def list_collections_of(self, document_id: int) -> list[str]:
        members = self.members
        return [c.name for c in self.collections if document_id in members.get(c.id, ())]

    def list_collection_documents(self, collection_id: int) -> list[int]:
        return list(self.members.get(collection_id, []))

    def top_graph(self, limit: int = 60) -> Subgraph:
        return self._subgraph({r.id for r in self.top_entities(limit)})

    def neighbourhood(self, entity_ids, limit: int = 40) -> Subgraph:
        ids = set(entity_ids)
        for relation in self._relations:
            if len(ids) < limit and ids & {relation.source_id, relation.target_id}:
                ids |= {relation.source_id, relation.target_id}
        return self._subgraph(ids)

    def _subgraph(self, ids: set[int]) -> Subgraph:
        rows = tuple(self.entities[i] for i in sorted(ids) if i in self.entities)
        ties = tuple(r for r in self._relations if {r.source_id, r.target_id} <= ids)
        return Subgraph(rows, ties, len(self.entities))

    def mentions_in(self, document_id: int, start: int, end: int):
        return [
            (m.start, m.end, i, NAMES[i - 1][0], NAMES[i - 1][1])
            for i, mentions in self._mentions.items()
            for m in mentions
            if m.document_id == document_id and start <= m.start < end
        ]

    def find_in_document(self, document_id: int, text: str, limit: int = 500, **options: bool):
        return list(find_literally(self.texts.get(document_id, ""), text, **options))[:limit]


def sentence_around(text: str, place: int) -> tuple[int, int]:
    """Return the bounds of the sentence at an offset of a sample text."""
    start = max(text.rfind(mark, 0, place) + len(mark) for mark in ("\n", ". ", "。", '" '))
    ends = [text.find(mark, place) for mark in (".", "。", "\n")]
    end = min([e + 1 for e in ends if e >= 0], default=len(text))
    return min(start, place), end


class FakeChats:
    def __init__(self, rows: list[ChatRow]) -> None:
        self.rows = rows
        self.messages: dict[int, list[MessageRow]] = {row.id: [] for row in rows}
        self.answers: dict[int, Answer] = {}  # by the number of their message
        self.kept: dict[tuple[int, int], list[MessageRow]] = {}  # other versions of a question
        self.shown: list[tuple[int, int]] = []
        self._ids = itertools.count(100)
        self.drafts: dict[int, str] = {}
        self.waiting: list[WaitingQuestion] = []

    def list_chats(self) -> list[ChatRow]:
        return list(self.rows)

    def fetch_messages(self, chat_id: int, *, whole: bool = False) -> list[MessageRow]:
        return list(self.messages.get(chat_id, []))

    def fetch_answer(self, message_id: int) -> Answer | None:
        return self.answers.get(message_id)

    def find(self, text: str, limit: int = 60, chat_id: int | None = None) -> list[ChatHit]:
        return [
            ChatHit(m.chat_id, "", m.id, m.role, m.text, (0, 0))
            for rows in self.messages.values()
            for m in rows
            if text.casefold() in m.text.casefold()
        ]

    def find_named(self, text: str, passages: tuple[Passage, ...]) -> list[NamedPart]:
        return [
            NamedPart(name, i, name, kind)
            for i, (name, kind, _) in enumerate(NAMES, 1)
            if passages and name in text
        ]

    def list_community_names(self, limit: int = 2) -> list[tuple[str, ...]]:
        return []

    def begin_branch(self, chat_id: int, question_id: int) -> None:
        self.kept[chat_id, question_id] = list(self.messages[chat_id])
        rows = self.messages[chat_id]
        del rows[next(i for i, m in enumerate(rows) if m.id == question_id) :]

    def show_branch(self, chat_id: int, message_id: int) -> None:
        self.shown.append((chat_id, message_id))

    def pin_chat(self, chat_id: int, pinned: bool) -> None:
        self._replace(chat_id, pinned=pinned)

    def put_in_folder(self, chat_id: int, folder: str) -> None:
        self._replace(chat_id, folder=folder)

    def rename_folder(self, folder: str, title: str) -> None:
        self.rows[:] = [replace(r, folder=title) if r.folder == folder else r for r in self.rows]

    def _replace(self, chat_id: int, **what) -> None:
        self.rows[:] = [replace(r, **what) if r.id == chat_id else r for r in self.rows]

    def list_drafts(self) -> dict[int, str]:
        return dict(self.drafts)

    def save_draft(self, chat_id: int, text: str) -> None:
        self.drafts[chat_id] = text

    def list_waiting(self) -> list[WaitingQuestion]:
        return list(self.waiting)

    def keep_waiting(self, question: WaitingQuestion, is_waiting: Callable[[], bool]) -> None:
        if is_waiting():
            self.waiting.append(question)

    def remove_waiting(self, chat_id: int, text: str) -> None:
        self.waiting = [w for w in self.waiting if (w.chat_id, w.text) != (chat_id, text)]

    def create_chat(self, title: str = "") -> int:
        chat_id = next(self._ids)
        self.rows.insert(0, ChatRow(chat_id, title, 0))
        self.messages[chat_id] = []
        return chat_id

    def rename_chat(self, chat_id: int, title: str) -> None:
        self.rows[:] = [replace(r, title=title) if r.id == chat_id else r for r in self.rows]

    def delete_chat(self, chat_id: int) -> int:
        self.gone = list(self.rows)
        self.rows[:] = [r for r in self.rows if r.id != chat_id]
        return 1

    def undo_delete(self, step: int) -> None:
        self.rows[:] = self.gone


class FakeAnswerPipeline:
    """Streams a fixed answer with one citation; `hold` keeps it waiting until it is set."""

    def __init__(self, chats: FakeChats) -> None:
        self.chats = chats
        self.hold: threading.Event | None = None
        self.answer = "Ada Merrow is the ferrywoman of Harrow Ford [1]."
        self.prefetched: list[str] = []
        self.read: list[str] = []

    def prefetch(self, chat_id, question, param) -> RetrievalResult:
        passage = Passage(
            100, 1, "The Ferry at Harrow Ford", 0, 400, 0.8, ENGLISH[:400], 0, 90,
            heading="Chapter 1. The ferry", routes=(("walk", 0.31), ("words", 12.2)),
        )  # fmt: skip
        self.prefetched.append(question)
        return RetrievalResult(question, param.mode, (passage,))

    def read_ahead(self, chat_id, question, param, *, cancel) -> None:
        self.read.append(question)

    def ask(
        self, chat_id, question, param=QueryParam(), *, cancel=None,
        on_step=lambda _: None, on_piece=lambda _: None, on_found=lambda _: None,
    ) -> Answer:  # fmt: skip
        cancel = cancel or CancelToken()
        end = ENGLISH.index("swim.") + 5
        start = ENGLISH.index("Ada Merrow")
        quote = ENGLISH[start:end]
        title = "The Ferry at Harrow Ford"
        passage = Passage(
            100, 1, title, 0, 400, 0.8, ENGLISH[:400], start, end, heading="Chapter 1. The ferry",
            routes=(("walk", 0.31), ("words", 12.2)),
        )  # fmt: skip
        citation = Citation(1, 100, 1, title, start, end, quote)
        on_step(Progress("finding"))
        found = RetrievalResult(question, param.mode, (passage,), timings_ms={"walk": 12.0})
        on_found(found)
        on_step(Progress("reading", 0, 4200))
        on_step(Progress("answering"))
        streamed = ""
        for piece in re.findall(r"\S+\s*", self.answer):
            if self.hold is not None:
                self.hold.wait(5)
            if cancel.cancelled:
                break
            streamed += piece
            on_piece(piece)
        now = time.time()
        kept = self.chats.messages.setdefault(chat_id, [])
        kept.append(MessageRow(len(kept) + 1, chat_id, "user", question, now))
        kept.append(
            MessageRow(
                len(kept) + 1, chat_id, "assistant", streamed, now, (citation,), (passage,),
                "fake-model", cancel.cancelled, 0.1,
            )
        )  # fmt: skip
        answer = Answer(streamed, (citation,), found, "fake-model", "prompt", cancel.cancelled, 0.1)
        self.chats.answers[kept[-1].id] = answer
        return answer


class FakeModelRegistry:
    def __init__(self, *, with_chat: bool = True) -> None:
        self.rows = [
            ModelRow(
                "reader-4b",
                "chat",
                "Reader 4B instruct",
                2_500_000_000,
                ("en", "zh"),
                "Apache-2.0",
                4_200_000_000,
                with_chat,
                Path("/models/r.gguf"),
                with_chat,
                NO_MESSAGE,
            ),
            ModelRow(
                "small-0.6b",
                "chat",
                "Small 0.6B",
                480_000_000,
                ("en", "zh"),
                "Apache-2.0",
                1_100_000_000,
                False,
                None,
                False,
                Message("Quick, but terse."),
            ),
            ModelRow(
                "e5-small",
                "embedding",
                "Multilingual E5 small",
                118_000_000,
                ("en", "zh", "de", "fr"),
                "MIT",
                300_000_000,
                True,
                Path("/models/e5"),
                True,
                NO_MESSAGE,
            ),
        ]
        self.install_fails: BaseException | None = None
        self.hold: threading.Event | None = None
        self.reranker = ""
        self.machine = Machine(8_000_000_000, 5_000_000_000, 2)

    def list_models(self) -> list[ModelRow]:
        return list(self.rows)

    def list_unfinished(self) -> list[UnfinishedDownload]:
        return []

    def list_suggestions(self) -> tuple[Suggestion, ...]:
        return load_catalogue().suggestions

    def read_machine(self) -> Machine:
        return self.machine

    def find_vision_row(self) -> ModelRow | None:
        return next((row for row in self.rows if row.role == "vision" and row.active), None)

    def find_vision(self) -> None:
        return None

    def chat_model_name(self) -> str:
        return self._active("chat")

    def embedding_name(self) -> str:
        return self._active("embedding")

    def _active(self, role: str) -> str:
        return next((r.name for r in self.rows if r.role == role and r.active), "")

    def get_chat_row(self, name: str) -> ModelRow:
        return next(row for row in self.rows if row.name == name)

    def install(self, name: str, cancel: CancelToken, on_progress) -> None:
        if self.install_fails is not None:
            raise self.install_fails
        for done in range(0, 101, 25):
            on_progress(Progress("downloading", done, 100, 10.0, (100 - done) / 10))
            if self.hold is not None:
                while not self.hold.wait(0.01):
                    cancel.check()
        self._change(name, installed=True, path=Path(f"/models/{name}"))

    def check(self, name: str) -> CheckResult:
        return CheckResult(
            True, Message("Works."), 1.4, 18.6, "The ferry leaves at dawn. 船在黎明开。"
        )

    def use(self, name: str) -> None:
        role = next(r.role for r in self.rows if r.name == name)
        self.rows = [replace(r, active=r.name == name) if r.role == role else r for r in self.rows]

    def reranker_name(self) -> str:
        return self.reranker

    def use_reranker(self, name: str) -> None:
        self.reranker = name

    def remove(self, name: str) -> None:
        self._change(name, installed=False, active=False, path=None)

    def _change(self, name: str, **what) -> None:
        self.rows = [replace(r, **what) if r.name == name else r for r in self.rows]


class FakeCapabilityChecks:
    """Asks two questions and keeps its result; `hold` makes the second one wait."""

    def __init__(self) -> None:
        self.found: dict[str, ModelCapabilities] = {}
        self.hold: threading.Event | None = None

    def find(self, row: ModelRow) -> ModelCapabilities | None:
        return self.found.get(row.name)

    def check(self, row: ModelRow, cancel: CancelToken, on_progress) -> ModelCapabilities:
        on_progress(CapabilityProgress("loading", 0, 2))
        for done, question in enumerate(("Who kept the inn?", "林秋白住在哪里？")):
            step = CapabilityProgress("asking", done, 2, question=question)
            on_progress(step)
            while self.hold is not None and done and not self.hold.wait(0.01):
                on_progress(step)  # a job reports what comes too soon only later
                cancel.check()
        self.found[row.name] = ModelCapabilities(
            *(Share(3, 4), Share(2, 3), Share(3, 3), Share(1, 3), 98.4, 18.6, 4.2, 61.0, 10, 10),
            checked_at=1_795_000_000.0,
            version="0.2.0",
        )
        return self.found[row.name]


class FakeDocumentService:
    """Changes the rows of the fake library reader and records the calls."""

    trash_days = 30

    def __init__(self, library_reader: FakeLibraryReader) -> None:
        self._library_reader = library_reader
        self.calls: list[tuple] = []
        self.trash: list[DocumentRow] = []
        self._before: list[tuple[str, list[DocumentRow], list[DocumentRow]]] = []

    def delete_documents(self, ids: list[int]) -> ChangeNotice:
        self.calls.append(("delete", *ids))
        rows = self._library_reader.documents
        rows[:] = [r for r in rows if r.id not in ids]
        return ChangeNotice(documents=frozenset(ids))

    def retry_document(self, document_id: int, password: str = "") -> ChangeNotice:
        self.calls.append(("retry", document_id, password))
        return self._change(document_id, state="waiting", reason=Message(""))

    def stop_document(self, document_id: int) -> ChangeNotice:
        self.calls.append(("stop", document_id))
        return self._change(document_id, state="paused")

    def find_common_chunking(self, document_ids, otherwise):
        return otherwise

    def reindex_documents(self, document_ids, chunking=None) -> ChangeNotice:
        self.calls.append(("reindex", list(document_ids), chunking))
        for document_id in document_ids:
            self._change(document_id, state="waiting")
        return ChangeNotice(documents=frozenset(document_ids))

    def use_new_version(self, document_id: int) -> ChangeNotice:
        self.calls.append(("use", document_id))
        return self._change(document_id, new_version=None)

    def keep_old_text(self, document_ids: list[int]) -> ChangeNotice:
        self.calls.append(("keep", list(document_ids)))
        for document_id in document_ids:
            self._change(document_id, new_version=None)
        return ChangeNotice(documents=frozenset(document_ids))

    def restore_previous(self, document_ids: list[int]) -> ChangeNotice:
        self.calls.append(("restore version", list(document_ids)))
        return ChangeNotice(documents=frozenset(document_ids), queued=frozenset(document_ids))

    def remove_versions(self) -> ChangeNotice:
        self.calls.append(("remove versions",))
        return ChangeNotice(documents=frozenset(r.id for r in self._library_reader.documents))

    def set_aside(self, document_ids: Sequence[int], aside: bool) -> ChangeNotice:
        self._keep("Exclude")
        self.calls.append(("aside", list(document_ids), aside))
        change = ChangeNotice()
        for document_id in document_ids:
            change |= self._change(document_id, set_aside=aside)
        return change

    def edit_details(self, document_ids, *, add_tags=(), drop_tags=(), **given) -> ChangeNotice:
        self._keep("Edit details")
        self.calls.append(("details", list(document_ids), given))
        for document_id in document_ids:
            tags = given.get("tags", self._library_reader.get_document(document_id).tags)
            tags = sorted({t for t in tags if t not in drop_tags} | set(add_tags))
            self._change(document_id, **{**given, "tags": tuple(tags)})
        return ChangeNotice(documents=frozenset(document_ids))

    def tag(self, document_ids, tag: str, *, on: bool = True) -> ChangeNotice:
        self.calls.append(("tag", list(document_ids), tag, on))
        return self.edit_details(document_ids, **{"add_tags" if on else "drop_tags": [tag]})

    def _keep(self, label: str) -> None:
        self._before.append((label, list(self._library_reader.documents), list(self.trash)))

    def find_newest_step(self) -> int:
        return len(self._before)

    def undo(self, step: int = 0) -> tuple[str | None, ChangeNotice]:
        """Undo the last change of details or the trash, as `EditingService.undo` does."""
        label, documents, trash = self._before.pop()
        self._library_reader.documents[:] = documents
        self.trash = trash
        return label, ChangeNotice(documents=frozenset(row.id for row in documents))

    def read_next(self, document_ids) -> ChangeNotice:
        self.calls.append(("next", *document_ids))
        return ChangeNotice(documents=frozenset(document_ids))

    def find_foreign_step(self, *, is_undo: bool) -> None:
        """No other process makes steps here."""

    def is_own_step(self, created_at: float) -> bool:
        return True

    def trash_documents(self, document_ids):
        self._keep("Move to the trash")
        self.calls.append(("trash", list(document_ids)))
        rows = self._library_reader.documents
        gone = [r for r in rows if r.id in document_ids]
        rows[:] = [r for r in rows if r.id not in document_ids]
        self.trash += gone
        return ChangeNotice(documents=frozenset(document_ids)), [r.id for r in gone]

    def list_trash(self) -> list[TrashRow]:
        return [TrashRow(r.id, r.title, r.file_name, r.size_bytes, 0.0) for r in self.trash]

    def restore_documents(self, trash_ids) -> ChangeNotice:
        self.calls.append(("restore", list(trash_ids)))
        self._library_reader.documents += [r for r in self.trash if r.id in trash_ids]
        self.empty_trash(trash_ids)
        return ChangeNotice(documents=frozenset(trash_ids))

    def empty_trash(self, trash_ids=None) -> ChangeNotice:
        self.trash = [r for r in self.trash if trash_ids is not None and r.id not in trash_ids]
        return ChangeNotice()

    def _change(self, document_id: int, **what) -> ChangeNotice:
        rows = self._library_reader.documents
        rows[:] = [replace(r, **what) if r.id == document_id else r for r in rows]
        return ChangeNotice(documents=frozenset({document_id}))


class FakeCollections:
    """Changes the collections of the fake library reader."""

    def __init__(self, library_reader: FakeLibraryReader) -> None:
        self._library_reader = library_reader

    def create(self, name: str, document_ids=()) -> int:
        number = len(self._library_reader.collections) + 1
        self._library_reader.members[number] = list(document_ids)
        self._library_reader.collections.append(CollectionRow(number, name, len(document_ids)))
        return number

    def add(self, collection_id: int, document_ids) -> ChangeNotice:
        self._library_reader.members[collection_id] += document_ids
        return self._count(collection_id, document_ids)

    def remove(self, collection_id: int, document_ids) -> ChangeNotice:
        kept = self._library_reader.members[collection_id]
        self._library_reader.members[collection_id] = [i for i in kept if i not in document_ids]
        return self._count(collection_id, document_ids)

    def rename(self, collection_id: int, name: str) -> ChangeNotice:
        rows = self._library_reader.collections
        rows[:] = [replace(r, name=name) if r.id == collection_id else r for r in rows]
        return ChangeNotice()

    def delete(self, collection_id: int) -> ChangeNotice:
        rows = self._library_reader.collections
        rows[:] = [r for r in rows if r.id != collection_id]
        return ChangeNotice()

    def _count(self, collection_id: int, document_ids) -> ChangeNotice:
        n = len(self._library_reader.members[collection_id])
        self._library_reader.collections[:] = [
            replace(r, n_documents=n) if r.id == collection_id else r
            for r in self._library_reader.collections
        ]
        return ChangeNotice(documents=frozenset(document_ids))


class FakeFigures:
    """Figures by document: the reader, the drawer and the service that reads their texts.

    Attributes:
        wanted: the documents and figures that were wanted first.
        broken: numbers of figures that can't be drawn.
    """

    def __init__(self) -> None:
        self.figures: list[StoredFigure] = []
        self.of_entity: dict[int, list[StoredFigure]] = {}
        self.wanted: list[object] = []
        self.broken: set[int] = set()

    def list_figures(self, document_id: int) -> list[StoredFigure]:
        return [f for f in self.figures if f.document_id == document_id]

    def search(self, text: str, limit: int = 200) -> list[StoredFigure]:
        words = text.casefold().split()
        found = [f for f in self.figures if all(w in f.caption.casefold() for w in words)]
        return found[:limit]

    def list_mentioned(self, document_id: int, text: str, at: int = 0) -> list[StoredFigure]:
        labels = {label for _, _, label in find_mentions(text)}
        return [f for f in self.list_figures(document_id) if f.figure.label in labels]

    def list_of_entity(self, entity_id: int) -> list[StoredFigure]:
        return self.of_entity.get(entity_id, [])

    def draw(self, document_id: int, number: int, most: int) -> FigurePixels:
        if number in self.broken:
            raise UserError("The picture is damaged.", "Open it in its program and save it again.")
        width = min(most, 40)
        return FigurePixels(width, 20, bytes((200, 80, 40)) * width * 20)

    def want_document(self, document_id: int) -> None:
        self.wanted.append(document_id)

    def want_figure(self, document_id: int, number: int) -> None:
        self.wanted.append((document_id, number))

    def find_figure(self, document_id: int, number: int) -> StoredFigure | None:
        return next((f for f in self.figures if f.key == (document_id, number)), None)


class FakeDescriptions:
    """Descriptions of the figures of a `FakeFigures`; remembers what was queued."""

    is_paused = False

    def __init__(self, figures: FakeFigures) -> None:
        self._figures = figures
        self.queued: list[object] = []
        self.seconds_each = 0.0

    def count(self, document_id: int | None = None) -> DescriptionCount:
        own = self._figures.list_figures(document_id or 0)
        n_described = sum(bool(f.description) for f in own)
        return DescriptionCount(len(own), n_described, seconds_each=self.seconds_each)

    def count_waiting(self) -> int:
        return 0

    def want_document(self, document_id: int) -> None:
        return

    def want_figure(self, document_id: int, number: int) -> None:
        return

    def queue_document(self, document_id: int, *, again: bool = False) -> ChangeNotice:
        self.queued.append((document_id, again))
        return NOTHING

    def queue_figure(self, document_id: int, number: int) -> ChangeNotice:
        self.queued.append((document_id, number))
        return NOTHING

    def correct(self, document_id: int, number: int, text: str) -> ChangeNotice:
        self._figures.figures[:] = [
            replace(f, description=text, described_by="") if f.key == (document_id, number) else f
            for f in self._figures.figures
        ]
        return ChangeNotice(documents=frozenset({DocumentId(document_id)}))

    def run(self, **_: object) -> None:
        return


class FakeOcr:
    """No page of any document is a picture; remembers what was wanted first."""

    is_paused = False

    def __init__(self) -> None:
        self.documents: list[int] = []

    def want_documents(self, document_ids: Iterable[int]) -> None:
        self.documents = list(document_ids)

    def run(self, **_: object) -> None:
        return


class FakeSheetDrafts:
    """Keeps drafts in memory, whatever they are about."""

    def __init__(self) -> None:
        self.stored: dict[DraftKey, SheetDraft] = {}

    def list_all(self) -> dict[DraftKey, SheetDraft]:
        return dict(self.stored)

    def save(self, key: DraftKey, fields: SheetDraft) -> None:
        self.stored = {k: v for k, v in self.stored.items() if k.place != key.place}
        if fields:
            self.stored[key] = fields


class FakeContext:
    """The context of a screen; `close` ends its lanes."""

    def __init__(
        self,
        *,
        documents: list[DocumentRow] | None = None,
        n_documents: int | None = None,
        with_chat_model: bool = True,
        theme_mode: str = "light",
    ) -> None:
        now = time.time()
        if documents is None:
            documents = sample_documents(now)
            if n_documents is not None:
                documents = many_documents(n_documents, now)
        rows = [
            ChatRow(11, "Marley's ghost", 4),
            ChatRow(12, "宋江为什么上梁山?", 2),
            ChatRow(13, "Who kept the inn at Harrow Ford, and what did she say?", 6),
        ]
        self.messages = Messages()
        self.scheduler = WorkScheduler()
        self.reader_lane = Lane("reader", self.messages.show_error)
        self.writer_lane = Lane("writer", self.messages.show_error)
        self.model_lane = Lane("model", self.messages.show_error)
        self.download_lane = Lane("downloads", self.messages.show_error)
        self.chats = FakeChats(rows)
        self.library_reader = FakeLibraryReader(documents, rows)
        self.annotations = FakeAnnotationService(self.library_reader)
        self.sheet_drafts = FakeSheetDrafts()
        self.collections = FakeCollections(self.library_reader)
        self.answer_pipeline = FakeAnswerPipeline(self.chats)
        self.model_registry = FakeModelRegistry(with_chat=with_chat_model)
        self.library_models = LibraryModels(
            self.model_registry,  # type: ignore[arg-type]
            "library",
            ModelServers(Path("no servers.json")),
            ServerKeys(SystemKeyring(lambda: None)),
        )
        self.capability_checks = FakeCapabilityChecks()
        self.capability_lane = Lane("evaluating", self.messages.show_error)
        self.documents = FakeDocumentService(self.library_reader)
        self.enrichment = self.enrichment_reader = FakeEnrichmentService(
            with_chat_model=with_chat_model
        )
        self.editing = self.documents
        self.figure_reader = self.figure_drawer = self.figure_texts = FakeFigures()
        self.figure_lane = Lane("figures", self.messages.show_error)
        self.descriptions = self.description_reader = FakeDescriptions(self.figure_reader)
        self.description_runner = QueueRunner(self.reader_lane, self.descriptions.run)

        self.ocr = self.ocr_reader = FakeOcr()
        self.ocr_runner = QueueRunner(self.reader_lane, self.ocr.run)
        self.duplicates_lane = Lane("duplicates", self.messages.show_error)
        self.duplicates = self.ask_about_duplicates = None
        self.theme = Theme(theme_mode)
        self.hub = Hub()
        self.draft_keeper = SheetDraftKeeper(self.sheet_drafts, self.writer_lane, self.hub)
        self.library_server = LibraryServer(Path("library.inkgraph"))

    def close(self) -> None:
        for lane in (
            self.reader_lane,
            self.writer_lane,
            self.model_lane,
            self.capability_lane,
            self.download_lane,
            self.figure_lane,
            self.duplicates_lane,
        ):
            lane.close(5_000)
