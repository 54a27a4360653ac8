"""Rows of reports: generated reports of communities, and the user's edits of them.

Findings are JSON with their evidence; knows neither models nor report generation.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, replace
from typing import Any

from ..model import BY_HAND, CommunityId, Evidence, Finding, Report
from .db import Db


def find_report(db: Db, community_id: int) -> Report | None:
    """Return the report of a community with the user's edits, None if there is none."""
    row = db.row(
        "SELECT r.title, r.summary, r.rating, r.reason, r.findings, r.language, r.model,"
        " r.fingerprint <> c.fingerprint, r.created_at, r.seconds"
        " FROM report r JOIN community c ON c.id = r.community_id WHERE r.community_id = ?",
        (community_id,),
    )
    if row is None:
        return None
    made = Report(
        CommunityId(community_id),
        title=row[0],
        summary=row[1],
        rating=row[2],
        reason=row[3],
        findings=load_findings(row[4]),
        language=row[5],
        model=row[6],
        is_stale=bool(row[7]),
        created_at=row[8],
        seconds=row[9],
    )
    return apply_edit(db, made)


def apply_edit(db: Db, report: Report) -> Report:
    """Return a report with the user's edits applied."""
    edit = db.row(
        "SELECT title, summary, rating, reason, findings, pinned FROM report_edit"
        " WHERE community_id = ?",
        (int(report.community_id),),
    )
    if edit is None:
        return report
    title, summary, rating, reason, findings, pinned = edit
    edits: dict[str, Any] = {"title": title, "summary": summary, "rating": rating, "reason": reason}
    edits = {name: value for name, value in edits.items() if value is not None}
    if findings is not None:
        edits["findings"] = load_findings(findings)
    if edits:
        edits |= {"is_edited": True, "model": report.model or BY_HAND}
    return replace(report, is_pinned=bool(pinned), **edits)


def store_report(db: Db, report: Report, fingerprint: str) -> None:
    """Store a report, replacing the existing one."""
    db.write(
        "INSERT OR REPLACE INTO report(community_id, fingerprint, language, model, title, summary,"
        " rating, reason, findings, seconds, created_at) VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        (
            int(report.community_id),
            fingerprint,
            report.language,
            report.model,
            report.title,
            report.summary,
            float(report.rating),
            report.reason,
            dump_findings(report.findings),
            float(report.seconds),
            time.time(),
        ),
    )


def store_edit(db: Db, community_id: int, **edits: Any) -> None:
    """Store the user's edits of a report; fields that are not given stay."""
    db.write("INSERT OR IGNORE INTO report_edit(community_id) VALUES (?)", (community_id,))
    for name in ("title", "summary", "rating", "reason", "findings", "pinned"):
        if name in edits:
            db.write(
                f"UPDATE report_edit SET {name} = ? WHERE community_id = ?",
                (edits[name], community_id),
            )


def delete_edit(db: Db, community_id: int) -> None:
    """Delete the user's edits of a report."""
    db.write("DELETE FROM report_edit WHERE community_id = ?", (community_id,))


def fetch_edited(db: Db) -> set[int]:
    """Return the communities whose report the user changed or pinned."""
    return {i for (i,) in db.rows("SELECT community_id FROM report_edit")}


def find_fingerprint(db: Db, community_id: int) -> str:
    return str(db.value("SELECT fingerprint FROM community WHERE id = ?", (community_id,)) or "")


def dump_findings(findings: tuple[Finding, ...]) -> str:
    return json.dumps([asdict(finding) for finding in findings], ensure_ascii=False)


def load_findings(text: str) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            str(kept["headline"]),
            str(kept["text"]),
            tuple(Evidence(**one) for one in kept.get("evidence", ())),
        )
        for kept in json.loads(text)
    )


def fetch_mean_seconds(db: Db, model: str) -> float | None:
    """Return the mean time of the reports by a model, None if it wrote none."""
    found: float | None = db.value(
        "SELECT avg(seconds) FROM report WHERE model = ? AND seconds > 0", (model,)
    )
    return found
