"""Which sense each mention of a split name has: of names that the user split, and of namesakes.

`graph.mention_senses` has the rule. This applies it to the mentions that changed, as the first step
of each update of the graph, and lists the mentions whose sense the user should check.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..graph.mention_senses import SenseChoice, SplitMention, choose_senses
from ..graph.names import normalise_name
from ..graph.namesakes import MIN_STORY_CHARS
from ..store import curation, graph_changes, namesakes
from ..store.db import Db
from .namesakes import separate_namesakes


def assign_senses(db: Db) -> set[int]:
    """Assign senses to the mentions of split names that changed; return the changed chunks.

    Runs inside a transaction. Costs one query where no such name changed.
    """
    chunks: set[int] = set()
    unread = graph_changes.fetch_unread_stories(db, MIN_STORY_CHARS)
    names = dict.fromkeys(separate_namesakes(db, unread) if unread else ())
    names |= dict.fromkeys(graph_changes.fetch_changed_namesakes(db))
    names |= dict.fromkeys(graph_changes.fetch_changed_splits(db))
    for name in names:
        mentions = curation.fetch_mentions_of(db, name)
        choices = _choose_senses(db, name, mentions)
        senses = {one.sense for one in choices} | {0}
        key = normalise_name(name)
        ids = curation.ensure_senses(db, name, key, senses)
        sense_of = {one.mention_id: one.sense for one in choices}
        chunks |= curation.write_senses(db, name, mentions, sense_of, ids)
    return chunks


def list_uncertain_mentions(db: Db) -> list[int]:
    """Return the ids of the mentions of split names whose sense is uncertain."""
    return sorted(
        one.mention_id
        for name in curation.fetch_split_names(db)
        for one in _choose_senses(db, name, curation.fetch_mentions_of(db, name))
        if one.doubtful
    )


def number_new_sense(db: Db, name: str) -> int:
    """Return an unused sense number of this name."""
    return 1 + curation.fetch_highest_sense(db, name)


def _choose_senses(
    db: Db, name: str, mentions: Sequence[curation.MentionOfName]
) -> list[SenseChoice]:
    return choose_senses(
        [SplitMention(*row[:4]) for row in mentions],
        curation.fetch_chosen(db, name),
        namesakes.fetch_senses_by_story(db, normalise_name(name)),
        lambda: curation.fetch_co_occurring_names(db, name),
    )
