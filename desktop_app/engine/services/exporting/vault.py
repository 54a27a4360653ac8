"""Export of the library as a folder of linked Markdown notes, as Obsidian reads them.

One note per entity and per community; every statement quotes its sentence with the source.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from ...communities.reader import CommunityReader
from ...communities.updater import refresh_communities
from ...file_names import fold_file_name, make_file_name
from ...model import EVENT_ROLES, CommunityRow, EntityRow, EventRow, RelationRow, reverse_direction
from ...store import communities, graph
from ...store.db import Db
from ..events import list_events
from .graph_files import MAX_ROWS
from .markdown import disarm_line, disarm_markdown
from .output import write_folder

ENTITIES, THEMES = "Names", "Themes"
START = "Start here"
MOST_RELATIONS, MOST_MENTIONS, MOST_EVENTS = 40, 5, 100
_ARROWS = ("", "→", "←", "↔")  # by direction


def export_vault(db: Db, folder: Path) -> tuple[int, int]:
    """Write the notes; return the number of entity notes and of community notes.

    Other files of the folder stay: Obsidian keeps its settings there, and people their own notes.

    Args:
        db: the read-write connection: communities are updated first.

    Raises:
        UserError: there is a file of this name.
        EnvironmentProblem: the folder can't be written.
    """
    refresh_communities(db)
    vault = _Vault(db)
    with write_folder(folder) as part:
        for name in (ENTITIES, THEMES):
            (part / name).mkdir()
        for entity in vault.entities:
            note = part / ENTITIES / f"{vault.note_of_entity[int(entity.id)]}.md"
            _write(note, vault.entity_note(entity))
        for row in vault.communities:
            note = part / THEMES / f"{vault.note_of_community[int(row.id)]}.md"
            _write(note, vault.community_note(row))
        _write(part / f"{START}.md", vault.start_note())
    return len(vault.entities), len(vault.communities)


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", errors="replace")


class _Vault:
    """The contents and file names of the notes."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._reading = CommunityReader(db)
        self.entities = graph.fetch_top_entities(db, MAX_ROWS)
        self.communities = [row for row in self._reading.tree() if not row.is_loose]
        taken = {fold_file_name(START)}
        self.note_of_entity = _note_names(((int(e.id), e.name) for e in self.entities), taken)
        self.note_of_community = _note_names(
            ((int(r.id), r.title) for r in self.communities), taken
        )
        self._themes: dict[int, list[int]] = {}
        for community, entity in communities.fetch_member_rows(db):
            if community in self.note_of_community:
                self._themes.setdefault(entity, []).append(community)

    def entity_note(self, entity: EntityRow) -> str:
        aliases = [n for n, _ in graph.fetch_aliases(self._db, entity.id) if n != entity.name]
        lines = [
            "---",
            f"type: {entity.type if entity.type.isalpha() else _yaml(entity.type)}",
            f"mentions: {entity.n_mentions}",
        ]
        lines += ["aliases:", *(f"  - {_yaml(a)}" for a in aliases)] if aliases else []
        lines += ["---", f"# {disarm_line(entity.name)}", ""]
        lines += [disarm_line(entity.description), ""] if entity.description else []
        relations = graph.fetch_relations(self._db, entity.id, MOST_RELATIONS)
        if relations:
            lines += ["## Relations", ""]
            lines += [self._relation(r, int(entity.id)) for r in relations] + [""]
        events = list_events(self._db, entity.id, MOST_EVENTS)
        if events:
            lines += ["## Events", ""]
            lines += [self._event(event) for event in events] + [""]
        if themes := self._themes.get(int(entity.id)):
            lines += ["## Themes", ""]
            lines += [f"- {self._theme(i)}" for i in themes] + [""]
        mentions = graph.fetch_best_mentions(self._db, entity.id, MOST_MENTIONS)
        if mentions:
            lines += ["## Mentions", ""]
            lines += [
                f"- {disarm_line(m.sentence)} ({_place(m.document_title, m.heading, m.page_label)})"
                for m in mentions
            ]
        return "\n".join(lines).rstrip() + "\n"

    def community_note(self, row: CommunityRow) -> str:
        card = self._reading.get_card(int(row.id))
        report = card.report
        lines = ["---", f"level: {row.level}", f"names: {row.n_members}"]
        lines += [f"rating: {report.rating:g}", "---", f"# {disarm_line(report.title)}"]
        lines += ["", disarm_markdown(report.summary), ""]
        heading = "## Findings" if report.model else "## Example sentences"
        lines += [heading, ""] if report.findings else []
        for finding in report.findings:
            lines.append(f"- **{disarm_line(finding.headline)}**: {disarm_line(finding.text)}")
            lines += [
                f"  - {disarm_line(e.quote)} ({_place(e.title, e.heading, e.page_label)})"
                for e in finding.evidence
            ]
        lines += ["", "## Names", ""]
        lines += [f"- {self._entity(int(m.id), m.name)}" for m in card.members]
        if row.parent_id is not None or card.children:
            lines += ["", "## Around it", ""]
            if row.parent_id is not None:
                lines.append(f"- Part of {self._theme(int(row.parent_id))}")
            lines += [f"- Holds {self._theme(int(child.id))}" for child in card.children]
        return "\n".join(lines).rstrip() + "\n"

    def start_note(self) -> str:
        lines = ["# The library", "", "## Themes", ""]
        lines += [f"- {self._theme(int(r.id))}" for r in self.communities if r.level == 0]
        lines += ["", "## Names", ""]
        lines += [f"- {self._entity(int(e.id), e.name)}" for e in self.entities[:60]]
        return "\n".join(lines) + "\n"

    def _relation(self, relation: RelationRow, own: int) -> str:
        is_source = int(relation.source_id) == own
        other = int(relation.target_id if is_source else relation.source_id)
        name = relation.target if is_source else relation.source
        # An arrow to the right starts at the entity of the note.
        direction = relation.direction if is_source else reverse_direction(relation.direction)
        words = [_ARROWS[direction], disarm_line(relation.kind)]
        kind = f" ({' '.join(filter(None, words))})" if any(words) else ""
        text = disarm_line(relation.description or relation.sentence)
        return f"- {self._entity(other, name)}{kind}: {text}"

    def _event(self, event: EventRow) -> str:
        actors, patients, places = (
            ", ".join(self._entity(int(p.entity_id), p.name) for p in event.parts if p.role == role)
            for role in EVENT_ROLES
        )
        who = f"{actors or '?'} → {patients}" if patients else actors
        where = f" ({places})" if places else ""
        source = _place(event.document_title, event.heading, event.page_label)
        sentence = disarm_line(event.sentence)
        return f"- **{disarm_line(event.kind)}**: {who}{where}: {sentence} ({source})"

    def _entity(self, entity_id: int, name: str) -> str:
        return _link(self.note_of_entity.get(entity_id, ""), name)

    def _theme(self, community_id: int) -> str:
        note = self.note_of_community[community_id]
        return _link(note, note)


def _note_names(titles: Iterable[tuple[int, str]], taken: set[str]) -> dict[int, str]:
    """Return a file name for each note; no two are the same file on any system."""
    names: dict[int, str] = {}
    numbers: dict[str, int] = {}
    for key, title in titles:
        first = name = make_file_name(title, "Unnamed")
        while fold_file_name(name) in taken:
            number = numbers[first] = numbers.get(first, 1) + 1
            name = f"{first} {number}"
        taken.add(fold_file_name(name))
        names[key] = name
    return names


def _link(note: str, shown: str) -> str:
    if not note:
        return disarm_line(shown)
    plain = disarm_line(shown.replace("[", "(").replace("]", ")").replace("|", "/"))
    return f"[[{note}]]" if plain == note else f"[[{note}|{plain}]]"


def _place(title: str, heading: str, page: str) -> str:
    parts = (title, heading, f"p. {page}" if page else "")
    return disarm_line(" · ".join(part for part in parts if part))


def _yaml(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())
