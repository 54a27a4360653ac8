"""Mentions of a split name get the sense that the user or their context says."""

from __future__ import annotations

from desktop_app.engine.graph.mention_senses import MentionContext, SenseChoice, choose_senses


def test_new_mentions_are_assigned_by_document_then_neighbours_or_listed_as_ambiguous():
    assigned = [
        MentionContext(1, 1, 0, frozenset(("Hale", "Marsh"))),
        MentionContext(2, 2, 0, frozenset(("Clara",))),
        MentionContext(3, 2, 50, frozenset(("Hale",))),
    ]
    chosen = {(1, 0): 0, (2, 0): 1, (2, 50): 0}
    later = [
        MentionContext(4, 1, 90),
        MentionContext(5, 3, 0, frozenset(("Clara", "Petrel"))),
        MentionContext(6, 2, 99, frozenset(("Hale", "Clara"))),
        MentionContext(7, 3, 40, frozenset(("Nobody",))),
    ]
    assert choose_senses([*assigned, *later], chosen)[3:] == [
        SenseChoice(4, 0),
        SenseChoice(5, 1),
        SenseChoice(6, 0, doubtful=True),
        SenseChoice(7, 0, doubtful=True),
    ]


def test_the_sense_of_a_name_in_a_story_yields_to_the_users_choice():
    mentions = [MentionContext(1, 1, 0), MentionContext(2, 1, 9), MentionContext(3, 2, 0)]
    found = choose_senses(mentions, {(1, 9): 3}, {1: 5, 2: 6})
    assert found == [SenseChoice(1, 3), SenseChoice(2, 3), SenseChoice(3, 6)]
    assert choose_senses(mentions[:1], {}, {}) == [SenseChoice(1, 0)]
