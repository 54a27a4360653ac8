"""A sample answer with everything that the inspection panel shows."""

from __future__ import annotations

from dataclasses import replace

from desktop_app.engine.messages import Message
from desktop_app.engine.model import (
    ANSWER_CHECKED,
    Answer,
    CheckedSentence,
    Citation,
    EntityRow,
    Keywords,
    Passage,
    RelationRow,
    RetrievalResult,
    Stage,
)

FERRY = "The Ferry at Harrow Ford, or: What the Lantern Company Kept under the Bridge"
OUTLAWS = "青石镇旧事：一百零八位好汉与黑风寨上的故事全集校注本"
TEXTS = (
    "Every morning Tobias came down. Ada Merrow was the ferrywoman of Harrow Ford, and she had"
    " never learned to swim. She took his penny all the same.",
    "In the night of the Great Flood the lamp went out. Tobias Quill swam to the ferry with the"
    " brass lamp in his teeth. Ada pulled him aboard.",
    "林秋白原是青石镇的教书先生，人称“白衣秀士”。后来他上了黑风寨，做了第三把交椅。",
    "Old Mrs Vane, who kept the inn, said that the bridge was cursed.",
)


def _passage(chunk: int, document: int, title: str, text: str, score: float, **more) -> Passage:
    begin = text.find(". ") + 2 if ". " in text else 0
    return Passage(
        chunk, document, title, 1000, 1000 + len(text), score, text,
        1000 + begin, 1000 + len(text), **more,
    )  # fmt: skip


def rich_answer() -> Answer:
    """Return an answer of two documents, found by all routes, with a rewritten question."""
    passages = (
        _passage(100, 1, FERRY, TEXTS[0], 0.92, page_label="12", routes=(
            ("words", 12.21), ("meaning", 0.88), ("names", 0.95), ("walk", 0.31),
            ("reranker", 0.97))),
        _passage(200, 2, OUTLAWS, TEXTS[2], 0.61, heading="第三回 林秋白雪夜上黑风寨", routes=(
            ("meaning", 0.86), ("entity", 0.72), ("walk", 0.11), ("reranker", 0.64))),
        _passage(101, 1, FERRY, TEXTS[1], 0.4, page_label="31", routes=(
            ("words", 7.4), ("relation", 0.52), ("reranker", 0.31))),
        _passage(102, 1, FERRY, TEXTS[3], 0.12, page_label="32", routes=(("meaning", 0.79),)),
    )  # fmt: skip
    entities = (
        EntityRow(1, "Ada Merrow", "person", 40, 6, 1),
        EntityRow(2, "Harrow Ford", "place", 21, 3, 1),
        EntityRow(3, "白衣秀士林秋白（黑风寨第三把交椅，原青石镇教书先生）", "person", 88, 12, 1),
        EntityRow(4, "Great Flood", "event", 9, 4, 1),
    )
    relations = (
        RelationRow(1, 1, 2, "Ada Merrow", "Harrow Ford", 3.0, 4, kind="works for",
                    sentence="Ada Merrow was the ferrywoman of Harrow Ford.", document_id=1,
                    sentence_start=1032, sentence_end=1080),
        RelationRow(2, 3, 5, "白衣秀士林秋白", "黑风寨", 2.0, 2, keywords=("上了",),
                    sentence="后来他上了黑风寨，做了第三把交椅。", document_id=2,
                    sentence_start=1020, sentence_end=1037),
    )  # fmt: skip
    stages = (
        Stage("names", ("Ada Merrow 0.95", "Harrow Ford 0.90"), ("Ada 0.41",), 1.2,
              Message("“Ada” alone is less likely than the whole name.")),
        Stage("words", tuple(f"The Ferry, part {i}  {12 - i / 5:.1f}" for i in range(50)),
              tuple(f"The Ferry, part {i}  1.0" for i in range(50, 200)), 8.4),
        Stage("context", ("[1] The Ferry p. 12", "[2] 青石镇旧事 第三回"),
              ("The Ferry p. 32",), 0.4,
              Message("The model's context holds 1,000 tokens of passages.")),
        Stage("reranker", note=Message("No reranker is installed.")),
    )  # fmt: skip
    quote = "Ada Merrow was the ferrywoman of Harrow Ford, and she had never learned to swim."
    start = 1000 + TEXTS[0].index(quote)
    second = "后来他上了黑风寨，做了第三把交椅。"
    start2 = 1000 + TEXTS[2].index(second)
    return Answer(
        text="Ada Merrow was the ferrywoman and could not swim [1]. 林秋白 joined the stronghold"
        " later, where he took the third seat [2].",
        citations=(
            Citation(1, 100, 1, FERRY, start, start + len(quote), quote, "12"),
            Citation(2, 200, 2, OUTLAWS, start2, start2 + len(second), second),
        ),
        found=RetrievalResult(
            question="Could Ada Merrow, the ferrywoman of Harrow Ford, swim?",
            asked="And could she swim?",
            mode="walk",
            passages=passages,
            entities=entities,
            relations=relations,
            timings_ms={"names": 1.2, "words": 8.4, "meaning": 41.7, "walk": 22.9, "passages": 3.1},
            keywords=Keywords(("ferry work", "learning to swim"), ("Ada Merrow", "Harrow Ford")),
            stages=stages,
        ),
        model="qwen2.5-1.5b-instruct-q4_k_m",
        prompt="You answer from the numbered sources only.\n\n[1] The Ferry · p. 12\n"
        + TEXTS[0]
        + "\n\n[2] 青石镇旧事 · 第三回\n"
        + TEXTS[2]
        + "\n\nQuestion: Could Ada Merrow swim?",
        seconds=9.4,
        first_token_s=2.3,
        n_prompt_tokens=1204,
    )


def checked_answer() -> Answer:
    """Return the same answer with sentences that its check confirmed and rejected."""
    answer = rich_answer()
    first, second = answer.found.passages[:2]
    long = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
    sentences = (
        CheckedSentence(f"She kept the {long}.", "unclear", (), 100, first.start, first.end,
                        -0.5, 0.8),
        CheckedSentence("林秋白打死了西门庆。", "name", ("西门庆",), 200, second.start, second.end),
        CheckedSentence("Ada struck Tobias.", "reversed", ("Ada", "Tobias"), 100, first.start,
                        first.end),
        CheckedSentence("It was so.", "uncited"),
        CheckedSentence("Ada Merrow was the ferrywoman.", "", (), 100, first.start, first.end,
                        2.0, 0.8),
    )  # fmt: skip
    stage = Stage(
        ANSWER_CHECKED,
        tuple(f"{one.text} {one.odds:.2f}" for one in sentences if not one.failed),
        tuple(f"{one.text} ({one.failed})" for one in sentences if one.failed),
        checked=sentences,
    )
    return replace(answer, found=replace(answer.found, stages=(*answer.found.stages, stage)))
