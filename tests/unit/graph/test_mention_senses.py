"""Mentions of a split name get the sense that the user or their context says."""

from __future__ import annotations

from desktop_app.engine.graph.mention_senses import SenseChoice, SplitMention, choose_senses


def test_new_mentions_are_assigned_by_document_then_neighbours_or_listed_as_ambiguous():
    mentions = [
        SplitMention(1, 1, 0, 11),
        SplitMention(2, 2, 0, 12),
        SplitMention(3, 2, 50, 13),
        SplitMention(4, 1, 90, 14),
        SplitMention(5, 3, 0, 15),
        SplitMention(6, 2, 99, 16),
        SplitMention(7, 3, 40, 17),
    ]
    beside = {
        11: frozenset(("Hale", "Marsh")),
        12: frozenset(("Clara",)),
        13: frozenset(("Hale",)),
        15: frozenset(("Clara", "Petrel")),
        16: frozenset(("Hale", "Clara")),
        17: frozenset(("Nobody",)),
    }
    chosen = {(1, 0): 0, (2, 0): 1, (2, 50): 0}
    assert choose_senses(mentions, chosen, read_beside=lambda: beside)[3:] == [
        SenseChoice(4, 0),
        SenseChoice(5, 1),
        SenseChoice(6, 0, doubtful=True),
        SenseChoice(7, 0, doubtful=True),
    ]


def test_the_sense_of_a_name_in_a_story_yields_to_the_users_choice():
    mentions = [SplitMention(1, 1, 0, 1), SplitMention(2, 1, 9, 2), SplitMention(3, 2, 0, 3)]
    found = choose_senses(mentions, {(1, 9): 3}, {1: 5, 2: 6})
    assert found == [SenseChoice(1, 3), SenseChoice(2, 3), SenseChoice(3, 6)]
    assert choose_senses(mentions[:1], {}, {}) == [SenseChoice(1, 0)]


def test_names_beside_mentions_are_read_only_if_a_sense_depends_on_them():
    mentions = [SplitMention(1, 1, 0, 1), SplitMention(2, 1, 9, 2), SplitMention(3, 2, 0, 3)]
    read = []

    def read_beside() -> dict[int, frozenset[str]]:
        read.append(1)
        return {}

    choose_senses(mentions, {(1, 0): 0, (1, 9): 1, (2, 0): 1}, {}, read_beside)
    choose_senses(mentions, {}, {}, read_beside)  # not split any more
    assert not read
    choose_senses(mentions, {(1, 0): 0, (1, 9): 1}, {}, read_beside)
    assert len(read) == 1
