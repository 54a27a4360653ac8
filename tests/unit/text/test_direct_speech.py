"""Tests which parts of a text are taken for direct speech."""

from __future__ import annotations

import pytest

from desktop_app.engine.text.direct_speech import (
    find_speech,
    is_from_speech,
    reports_speech,
)


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("He came in. “The ring is brass,” said the jeweller.", ["The ring is brass,"]),
        (
            'She rose. "I saw him, Sir," said Ann, "at the gate."',
            ["I saw him, Sir,", "at the gate."],
        ),
        ("‘It’s the miller’s horse,’ said Jan. It was not.", ["It’s the miller’s horse,"]),
        ("'Don't go, Jan!' she cried. 'Tis said he went.", ["Don't go, Jan!"]),
        # A speech that goes on in the next paragraph, and one of which the text has only the end.
        ("“He went out.\n\n“He came back.” Night fell.", ["He went out.", "He came back."]),
        ("and a bag of gold.” Then he left.", ["and a bag of gold."]),
        # Terms, titles, nicknames, feet and omissions are no speech.
        ("The so-called “dark matter” is cold, “MOND” is not.", []),
        ("The \"Old Bell\" stood at the rock's end, 6' high.", []),
        ("The miners' sons went in '31, and the smith's too.", []),
        ("铁臂道：“囊中是仇人头。”说罢去了。", ["囊中是仇人头。"]),
        ("阿鬼说「我不去。」众人散了。", ["我不去。"]),
        ("他绰号“黑旋风”，又写《古今谈》。", []),
    ],
)
def test_speech_is_found_by_its_marks(text: str, spoken: list[str]):
    assert [text[start:end] for start, end in find_speech(text)] == spoken


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The old mill burned down in the storm.", True),
        ("Rolf stood up and went to the river.", False),
        ("Nobody knows.", False),
    ],
)
def test_a_claim_is_speech_where_it_has_more_words_of_the_speech(claim: str, expected: bool):
    text = "It rained. Rolf stood up and went to the river: “The old mill burned down.” Jan wept."
    assert is_from_speech(claim, text, (text.index("Rolf"), text.index(" Jan"))) is expected
    assert not is_from_speech(claim, text, (0, 10)) and not is_from_speech(claim, "", (0, 0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The jeweller said that the ring was brass.", True),
        ("What does Jan tell the miller?", True),
        ("The ring was brass.", False),
        ("他说戒指是铜的。", True),
        ("戒指是铜的。", False),
        ("这部小说里的问题是什么？", False),
        ("这座山又称什么？", False),
        ("小说里张铁臂说了什么？", True),
        ("What is the ship called in the report of the state?", False),
    ],
)
def test_a_sentence_reports_speech_by_its_verb(text: str, expected: bool):
    assert reports_speech(text) is expected
