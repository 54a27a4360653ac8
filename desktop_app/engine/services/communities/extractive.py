"""Reports without a model: counted and quoted, in sentences a person can read.

Says nothing that the material does not hold; every finding quotes the sentence it stands on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from ...store.db import Db
from ...themes import Finding, Report
from .material import Material, Point, quote


@dataclass(frozen=True, slots=True)
class Scale:
    """What a community is measured by: the library's names, and the weightiest of its level."""

    n_entities: int
    heaviest: float


def fetch_scale(db: Db, level: int) -> Scale:
    heaviest = db.value("SELECT max(weight) FROM community WHERE level = ?", (level,))
    return Scale(db.value("SELECT count(*) FROM entity"), float(heaviest or 0.0))


def build_extractive(material: Material, scale: Scale) -> Report:
    """Return a report of quotations and counts."""
    row = material.row
    findings = tuple(_finding(point, material.language) for point in material.points)
    rating = 0.0 if row.is_loose else rate_by_weight(row.weight, scale)
    return Report(
        row.id,
        title=row.title,
        summary=_summary(material),
        rating=rating,
        reason=_reason(material, scale),
        findings=findings,
        language=material.language,
    )


def rate_by_weight(weight: float, scale: Scale) -> float:
    """Return 0 to 10: the weightiest of a level has 10; a quarter of its weight is half of that."""
    return round(10.0 * sqrt(weight / scale.heaviest), 1) if scale.heaviest else 0.0


def join_names(names: Sequence[str], language: str) -> str:
    """Return names as they stand in a sentence: "A, B and C"."""
    if language == "zh":
        return "、".join(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _summary(material: Material) -> str:
    row, language = material.row, material.language
    names = [m.name for m in material.members]
    if not names:
        return ""
    middle, others = names[:3], names[3:8]
    tie = next((p for p in material.points if p.relation is not None), None)
    if language == "zh":
        return _summary_zh(material, middle, others, tie)
    n = row.n_members
    if row.is_loose:
        among = join_names(names[:8], "en")
        return f"{n:,} names that no sentence ties to another, among them {among}."
    verb = "stand" if len(middle) > 1 else "stands"
    said = [f"{join_names(middle, 'en')} {verb} in the middle of {n:,} names"]
    if others:
        said[0] += f", with {join_names(others, 'en')}"
        said[0] += " and others" if n > len(middle) + len(others) else ""
    said[0] += "."
    if tie is not None and tie.relation is not None and tie.relation.n_evidence > 1:
        places = f"{tie.relation.n_evidence:,} sentences"
        said.append(f"{join_names(tie.names, 'en')} are told of together most, in {places}.")
    for title, heading, _ in material.books[:1]:
        place = f"{title}, {_last(heading)}" if heading else title
        said.append(f"Most of it is told in {place}.")
    if row.key_words:
        said.append(f"Words that set it apart: {', '.join(row.key_words)}.")
    return " ".join(said)


def _summary_zh(material: Material, middle: list[str], others: list[str], tie: Point | None) -> str:
    row, n = material.row, material.row.n_members
    if row.is_loose:
        return (
            f"共{n}个名字，没有句子把它们与别的名字联系起来，例如{'、'.join([*middle, *others])}。"
        )
    said = [f"以{'、'.join(middle)}为中心，共有{n}个名字"]
    if others:
        said[0] += f"，还包括{'、'.join(others)}{'等' if n > len(middle) + len(others) else ''}"
    said[0] += "。"
    if tie is not None and tie.relation is not None and tie.relation.n_evidence > 1:
        places = tie.relation.n_evidence
        said.append(f"{'与'.join(tie.names)}最常一同出现，共有{places}句。")
    for title, heading, _ in material.books[:1]:
        said.append(f"主要见于《{title}》{f'“{_last(heading)}”' if heading else ''}。")
    if row.key_words:
        said.append(f"最有特色的词：{'、'.join(row.key_words)}。")
    return "".join(said)


def _reason(material: Material, scale: Scale) -> str:
    row, share = material.row, f"{100 * material.row.weight:.0f} %"
    if material.language == "zh":
        return f"包含全部{scale.n_entities}个名字中的{row.n_members}个，占联系与出现次数的{share}。"
    return (
        f"It holds {row.n_members:,} of {scale.n_entities:,} names, and {share} of all that"
        " ties names and mentions them."
    )


def _finding(point: Point, language: str) -> Finding:
    best = quote(point.evidence[0].quote, language)
    kind = point.relation.kind if point.relation is not None else ""
    headline = join_names(point.names, language) if language == "en" else "与".join(point.names)
    if kind:
        headline += f"（{kind}）" if language == "zh" else f" ({kind})"
    return Finding(headline, best, point.evidence)


def _last(heading: str) -> str:
    return heading.split("›")[-1].strip()
