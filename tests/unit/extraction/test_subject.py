"""Relations of the main subject with names that share no sentence with it."""

from __future__ import annotations

from desktop_app.engine.extraction.llm.slots import MAX_SUBJECT_DISTANCE, relate_to_subject
from desktop_app.engine.extraction.llm.tasks import ChunkTask
from desktop_app.engine.model import ClaimedRelation, Mention

TEXT = "Salt is an album. It was made in Wexley. Ilmar Kask sang. Gulls came later."


def mention(name: str) -> Mention:
    start = TEXT.index(name)
    head = TEXT.rfind(". ", 0, start) + 2 if ". " in TEXT[:start] else 0
    return Mention(name, "other", start, start + len(name), head, TEXT.index(".", start) + 1)


def task(*names: str, **more) -> ChunkTask:
    mentions = tuple(mention(name) for name in names)
    importance = {"Salt": 5, "Wexley": 1, "Ilmar Kask": 2, "Gulls": 1}
    return ChunkTask(1, 0, 0, TEXT, "en", "Salt", mentions=mentions, importance=importance, **more)


def test_the_subject_is_tied_to_every_other_name_and_the_quote_holds_both():
    ties = relate_to_subject(task("Salt", "Wexley", "Ilmar Kask"), ())
    assert [(t.source, t.target) for t in ties] == [("Salt", "Wexley"), ("Salt", "Ilmar Kask")]
    for tie in ties:
        quote = TEXT[tie.start : tie.end]
        assert tie.source in quote and tie.target in quote


def test_a_pair_that_the_instant_graph_has_is_not_tied_again():
    known = ClaimedRelation("Wexley", "Salt", 0, 40)
    ties = relate_to_subject(task("Salt", "Wexley", "Gulls"), (known,))
    assert [t.target for t in ties] == ["Gulls"]


def test_two_names_alone_have_no_subject_and_far_ones_are_left():
    assert relate_to_subject(task("Salt", "Wexley"), ()) == []
    far = mention("Gulls")
    gap = MAX_SUBJECT_DISTANCE + 10
    moved = Mention("Gulls", "other", far.start + gap, far.end + gap, 0, far.end + gap)
    chunk = ChunkTask(
        1,
        0,
        0,
        TEXT + " " * gap,
        "en",
        "Salt",
        mentions=(mention("Salt"), mention("Wexley"), moved),
    )
    assert [t.target for t in relate_to_subject(chunk, ())] == ["Wexley"]
