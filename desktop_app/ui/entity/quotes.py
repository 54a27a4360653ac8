"""Row data of quoted sentences: the text, the place it opens, and the spans of names.

Cuts sentences and finds the spans. Plain data; no Qt here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from desktop_app.engine.model import MentionRow, RelationRow
from desktop_app.engine.services.provenance import ClaimRow
from desktop_app.engine.text.shown_text import remove_signs, show_text

from ..translation import later, tr, trn
from ..widgets.emphasis import LONGEST, cut_around, find_name_spans
from ..widgets.labels import show_mention
from ..widgets.words import (
    cut_text,
    describe_page,
    format_headings,
    format_kind,
    format_statement,
    format_sureness,
    join_words,
)

GROUP, QUOTE, RELATION, CLAIM = "group", "quote", "relation", "claim"
STATUS = {
    "true": later("stated"),
    "false": later("denied"),
    "suspected": later("suspected"),
}
Place = tuple[int, int, int]  # document, start, end


@dataclass(frozen=True, slots=True)
class Quote:
    """One row: a heading, a sentence, or a connection or claim with its sentence.

    Attributes:
        title, detail, count: the line above the sentence; empty for a sentence alone.
        text, marks: the sentence on one line, without markup, and the spans of the names in it.
        italics, bolds: the spans of its emphasis.
        relation_kind: the kind of a connection.
        confidence: of the model in that kind, 0 to 1.
        mark: a muted label instead of a kind.
        mark_tip: explains the mark or the kind.
        summary: the model's description, shown above the sentence.
        title_type: the type of the entity in the title, which has a disc then.
        aside: small text at the right (the page).
        foot: small text below the sentence (chapter and page).
        place: where a click opens the text; None if unknown.
        entity_id: the entity opened by a click on the title.
        relation_id: the relation whose evidence is expanded.
        tie_id: the relation that the context menu edits.
    """

    kind: str
    title: str = ""
    detail: str = ""
    count: str = ""
    text: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    italics: tuple[tuple[int, int], ...] = ()
    bolds: tuple[tuple[int, int], ...] = ()
    aside: str = ""
    place: Place | None = None
    entity_id: int | None = None
    relation_id: int | None = None
    indent: bool = False
    relation_kind: str = ""
    confidence: float = 0.0
    mark: str = ""
    mark_tip: str = ""
    summary: str = ""
    tie_id: int | None = None
    title_type: str = ""
    foot: str = ""


def quote_mention(
    mention: MentionRow, *, indent: bool = False, aside: str = "", foot: str = ""
) -> Quote:
    """Return a mention's sentence with the name marked."""
    sentence, spans = show_mention(mention)
    if not sentence.text:
        sentence = show_text(mention.name)
    shown, marks = cut_around(sentence, spans)
    return Quote(
        QUOTE,
        text=shown.text,
        marks=marks,
        italics=shown.italics,
        bolds=shown.bolds,
        aside=aside or ("" if foot else describe_page(mention.page_label)),
        place=(mention.document_id, mention.start, mention.end),
        indent=indent,
        foot=foot,
    )


def group_mentions(mentions: Iterable[MentionRow], last: tuple[int, str] | None) -> list[Quote]:
    """Return mentions in reading order, with a heading for each new document or chapter.

    Args:
        last: document and chapter of the preceding row, so that a further page can continue.
    """
    rows: list[Quote] = []
    for mention in mentions:
        here = (mention.document_id, mention.heading)
        if here != last:
            rows.append(
                Quote(GROUP, title=mention.document_title, detail=format_headings(mention.heading))
            )
            last = here
        rows.append(quote_mention(mention))
    return rows


def quote_relation(
    relation: RelationRow, entity_id: int, names: Sequence[str], *, mark_instant: bool = False
) -> Quote:
    """Return a connection as seen from one of its entities.

    Args:
        names: all names of the other entity, to find them in the sentence.
        mark_instant: mark connections found without a model, when others come from one.
    """
    outward = relation.source_id == entity_id
    other = relation.target if outward else relation.source
    other_id = relation.target_id if outward else relation.source_id
    summary = remove_signs(relation.description)
    sentence = show_text(relation.sentence, one_line=True).with_closed_quotes()
    # without a known sentence the description is shown in its place
    if not sentence.text or summary == sentence.text:
        sentence, summary = sentence if sentence.text else show_text(summary), ""
    sentence, marks = cut_around(sentence, find_name_spans(sentence.text, [*names, other]))
    mark = tip = ""
    if relation.kind:
        kind, sure = format_kind(relation.kind), format_sureness(relation.confidence)
        tip = tr("According to a model: {kind}", kind=kind)
        if sure:
            tip = tr("According to a model: {kind} ({sure})", kind=kind, sure=sure)
    elif relation.n_enriched:
        mark = tr("from a model")
    elif mark_instant:
        mark = tr("without a model")
        tip = tr("Both names occur in the same passage; no model has read it")
    place = None
    if relation.document_id is not None:
        place = (relation.document_id, relation.sentence_start, relation.sentence_end)
    return Quote(
        RELATION,
        title=other,
        # without a model the keywords are only frequent words of the passages
        detail=format_statement(relation, entity_id)
        or (join_words(relation.keywords[:5]) if relation.n_enriched else ""),
        count=trn("{n} passage", "{n} passages", relation.n_evidence),
        text=sentence.text,
        marks=marks,
        italics=sentence.italics,
        bolds=sentence.bolds,
        place=place,
        entity_id=other_id,
        relation_id=relation.id if relation.n_evidence > 1 else None,
        tie_id=relation.id,
        relation_kind=relation.kind,
        confidence=relation.confidence,
        mark=mark,
        mark_tip=tip,
        summary=cut_text(summary, LONGEST),
        title_type=relation.target_type if outward else relation.source_type,
    )


def quote_evidence(
    mentions: Iterable[MentionRow], shown: Place | None, *, several: bool
) -> list[Quote]:
    """Return the sentences behind a connection, each once, without the one already shown."""
    seen = {shown[:2]} if shown is not None else set()
    quotes = []
    for mention in mentions:
        key = (mention.document_id, mention.sentence_start)
        if key not in seen:
            seen.add(key)
            aside = describe_mention_place(mention, several=several)
            quotes.append(quote_mention(mention, indent=True, aside=aside))
    return quotes


def quote_claim(claim: ClaimRow, *, several: bool = False) -> Quote:
    """Return a claim with its status and dates, and the sentence that supports it.

    Args:
        several: add the title of the document.
    """
    names = [claim.subject, claim.object]
    sentence = show_text(claim.sentence, one_line=True).with_closed_quotes()
    sentence, marks = cut_around(sentence, find_name_spans(sentence.text, names))
    dates = list(dict.fromkeys(d for d in (claim.start_date, claim.end_date) if d))
    parts = [tr(STATUS.get(claim.status.casefold(), claim.status)), " – ".join(dates)]
    return Quote(
        CLAIM,
        title=claim.type,
        detail=" · ".join(part for part in parts if part),
        count=f"{claim.subject} → {claim.object}" if claim.object else claim.subject,
        text=sentence.text,
        marks=marks,
        italics=sentence.italics,
        bolds=sentence.bolds,
        summary=remove_signs(claim.description),
        aside=describe_mention_place(claim, several=several),
        place=(claim.document_id, claim.start, claim.end),
    )


def describe_mention_place(mention: MentionRow | ClaimRow, *, several: bool) -> str:
    """Return the small text beside a mention: its page, and its document if there are several."""
    page = describe_page(mention.page_label)
    title = mention.document_title if several else ""
    title = cut_text(title, 24)
    return join_words([part for part in (title, page) if part])
