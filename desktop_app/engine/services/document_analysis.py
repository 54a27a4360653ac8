"""What indexing computes of a file: its documents, their chunks, and the evidence of the chunks.

Pure functions of bytes, texts and settings, so they may run anywhere: `LocalAnalysis` runs them in
child processes of this one, `cluster.analysis` on other machines. Knows no library.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..errors import EnvironmentProblem, UserError
from ..file_content import FileContent
from ..model import ChunkEvidence, ChunkSpan, DocumentId, ReadDocument
from ..person_names import split_authors
from ..progress import CancelToken
from ..scanned_pages import ScannedTexts
from ..text.chunking import ChunkingSettings
from ..text.parser_process import ParserBug
from ..text.reader_process import DocumentReader, shared_reader
from .text_analysis.process import TextAnalysis, shared_analysis
from .text_analysis.splitting import SplitText

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FileToRead:
    """A file, and what is known of it.

    Attributes:
        document_id: of its document; of a file with several documents, that of the first.
        scanned: texts of its pages that are pictures.
    """

    document_id: DocumentId
    sha256: str
    file_name: str
    content: FileContent
    password: str | None = None
    scanned: ScannedTexts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExtractionInput:
    """All that the evidence of a text depends on.

    Attributes:
        chunks: (order, start, end) of each.
        body: where the work itself starts and ends in the text.
        people: names of its authors.
    """

    text: str
    language: str
    chunks: tuple[tuple[int, int, int], ...]
    body: tuple[int, int]
    people: tuple[str, ...]

    def list_spans(self) -> list[ChunkSpan]:
        return [ChunkSpan(order, start, end, 0) for order, start, end in self.chunks]


def list_chunk_spans(chunks: Sequence[ChunkSpan]) -> tuple[tuple[int, int, int], ...]:
    """Return the chunks of an `ExtractionInput`."""
    return tuple((chunk.order, chunk.start, chunk.end) for chunk in chunks)


class DocumentAnalysis(Protocol):
    """Reads files, splits texts and extracts evidence; where it runs does not change the result."""

    def read(
        self, file: FileToRead, *, cancel: CancelToken, on_page: Callable[[int, int], None]
    ) -> list[ReadDocument]:
        """Return the documents in a file; raises as `DocumentReader.read`."""

    def split(
        self, read: ReadDocument, settings: ChunkingSettings, cancel: CancelToken
    ) -> SplitText:
        """Return a document in chunks and windows; raises as `TextAnalysis.split`."""

    def extract(
        self, wanted: ExtractionInput, *, skip: frozenset[int], cancel: CancelToken
    ) -> Iterator[ChunkEvidence]:
        """Yield the evidence of the chunks but those to skip; raises as `TextAnalysis.extract`."""


class LocalAnalysis:
    """Analyses documents in child processes of this one."""

    def __init__(
        self, reader: DocumentReader | None = None, texts: TextAnalysis | None = None
    ) -> None:
        self._reader = reader or shared_reader()
        self._texts = texts or shared_analysis()

    def read(
        self, file: FileToRead, *, cancel: CancelToken, on_page: Callable[[int, int], None]
    ) -> list[ReadDocument]:
        return self._reader.read(
            file.content,
            file.file_name,
            password=file.password,
            cancel=cancel,
            on_page=on_page,
            scanned=file.scanned,
        )

    def split(
        self, read: ReadDocument, settings: ChunkingSettings, cancel: CancelToken
    ) -> SplitText:
        return self._texts.split(read, settings, cancel)

    def extract(
        self, wanted: ExtractionInput, *, skip: frozenset[int], cancel: CancelToken
    ) -> Iterator[ChunkEvidence]:
        return self._texts.extract(
            wanted.text,
            wanted.list_spans(),
            wanted.language,
            skip=skip,
            cancel=cancel,
            body=wanted.body,
            people=wanted.people,
        )

    def prepare(self, language: str, cancel: CancelToken | None = None) -> None:
        """Start the child processes and load the tagger of a language: they take seconds.

        The next document then takes no longer than later ones. They end by themselves if none
        comes (`ReaderLimits`, `AnalysisLimits`). What fails here fails with a document, too, and is
        reported there.
        """
        try:
            self._texts.prepare(language, cancel)
            self._reader.prepare()
        except (EnvironmentProblem, UserError) as error:
            log.info("the analysis of documents is not prepared: %s", error)

    def close(self) -> None:
        """End the child processes."""
        self._reader.close()
        self._texts.close()


@dataclass(frozen=True, slots=True)
class AnalysedDocument:
    """One document of a file with all that is computed of it.

    Attributes:
        evidence: None if it can't be extracted.
    """

    read: ReadDocument
    split: SplitText
    wanted: ExtractionInput
    evidence: tuple[ChunkEvidence, ...] | None


def analyse_file(
    analysis: DocumentAnalysis,
    file: FileToRead,
    settings: ChunkingSettings,
    author: str | None = None,
    cancel: CancelToken | None = None,
) -> list[AnalysedDocument]:
    """Return the documents in a file with their chunks and evidence.

    Args:
        author: of the first document, instead of the author that the file names.

    Raises:
        UserError: the file can't be read, or one of its texts not be split.
    """
    token = cancel or CancelToken()
    found = []
    reads = analysis.read(file, cancel=token, on_page=lambda done, total: None)
    for number, read in enumerate(reads):
        split = analysis.split(read, settings, token)
        named = author if author is not None and number == 0 else read.author
        wanted = ExtractionInput(
            read.text,
            split.language,
            list_chunk_spans(split.chunks),
            (read.body_start, read.body_end),
            tuple(split_authors(named)),
        )
        evidence: tuple[ChunkEvidence, ...] | None
        try:
            evidence = tuple(analysis.extract(wanted, skip=frozenset(), cancel=token))
        except (UserError, ParserBug):
            evidence = None
        found.append(AnalysedDocument(read, split, wanted, evidence))
    return found
