"""Tests of letters: senders and receivers are persons, and quotations are not counted again."""

from __future__ import annotations

import pytest

from desktop_app.engine.extraction.instant import InstantExtractor
from desktop_app.engine.extraction.rules.mail_heads import find_mail_head, is_person
from desktop_app.engine.model import FORWARD, WRITES, ChunkEvidence, ChunkSpan
from desktop_app.engine.text.chunking import split_sentences
from desktop_app.engine.text.reading import read_bytes

LETTER = """From: Zhang Wei <wei@ningbo-port.cn>
To: Li Na <lina@example.org>, Survey Team <team@example.org>, Ann Grey <ann@example.org>
Date: 2019-05-03 10:15
Subject: The harbour

The ship came in on Monday. Zhang Wei was there, and Li Na saw it.
"""


def extract(text: str, body_end: int | None = None) -> ChunkEvidence:
    chunk = ChunkSpan(0, 0, len(text), 0, "")
    body = (0, len(text) if body_end is None else body_end)
    [found] = InstantExtractor(split_sentences).extract(text, [chunk], "en", body=body)
    return found


def test_every_sender_and_receiver_is_a_person_with_relations():
    found = extract(LETTER)
    people = {m.name for m in found.mentions if m.type == "person"}
    assert people >= {"Zhang Wei", "Li Na", "Ann Grey"}
    assert not any("Team" in name or "Survey" in name for name in people)
    assert {m.type for m in found.mentions if m.name == "Zhang Wei"} == {"person"}
    assert sum(m.name == "Zhang Wei" for m in found.mentions) == 2
    for mention in found.mentions:
        assert LETTER[mention.start : mention.end] == mention.name
    pairs = {frozenset((r.source, r.target)) for r in found.relations}
    for pair in (("Zhang Wei", "Li Na"), ("Zhang Wei", "Ann Grey"), ("Li Na", "Ann Grey")):
        assert frozenset(pair) in pairs


def test_a_text_that_only_begins_like_a_letter_has_no_head():
    assert find_mail_head("From: the beginning of the world\nAnn Grey <a@b.org>", 0) is None
    assert find_mail_head("Chapter 1\nFrom: Ann Grey <a@b.org>", 0) is None
    head = find_mail_head(LETTER, 0)
    assert head is not None and LETTER[head.start : head.end].endswith("<ann@example.org>")


@pytest.mark.parametrize(
    ("name", "address", "expected"),
    [
        ("Zhang Wei", "wei@example.cn", True),
        ("张伟", "zw@163.com", True),
        ("Nguyen Thi Minh Khai", "minh@example.vn", True),
        ("Bob", "bob@example.org", True),
        ("Bob Grey", "bob@grey.org", True),
        ("宁波港务公司", "a@port.cn", False),
        ("Amazon", "orders@amazon.com", False),
        ("Amazon Kundenservice", "x@amazon.de", False),
        ("University of Harwich", "a@harwich.ac.uk", False),
        ("Tides", "tides-l@example.org", False),
        ("Ann Grey", "noreply@example.org", False),
        ("Coast", "coast@lists.example.org", False),
        ("Harwich & Sons", "a@example.org", False),
        ("ann@example.org", "ann@example.org", False),
    ],
)
def test_organisations_machines_and_lists_are_no_persons(name: str, address: str, expected: bool):
    assert is_person(name, *address.split("@")) is expected


def make_letter(head: str, body: str) -> str:
    return (
        "From x@example.org Mon May  3 10:15:00 1999\n"
        f"{head}Date: Mon, 03 May 1999 10:15:00 +0000\n\n{body}\n\n"
    )


FIRST = "The gauge of Harwich is broken.\nClara Wren repairs it on Monday morning.\n"


@pytest.mark.parametrize(
    "quotation",
    [
        "On 3 May, Ann Grey wrote:\n> The gauge of Harwich is broken.\n"
        "> Clara Wren repairs it on Monday morning.",
        "-----Original Message-----\nFrom: Ann Grey\n" + FIRST,
    ],
)
def test_what_a_reply_quotes_of_its_mail_box_is_counted_once(quotation: str):
    box = make_letter("From: Ann Grey <a@x.org>\nSubject: Gauge\n", FIRST) + make_letter(
        "From: Bob Reed <b@x.org>\nSubject: Re: Gauge\n", "That is good to hear.\n\n" + quotation
    )
    first, reply = read_bytes(box.encode(), "a.mbox")
    assert first.body_end == len(first.text)
    assert "Clara Wren" in reply.text[reply.body_end :]
    assert reply.text[: reply.body_end].endswith("That is good to hear.")
    assert "Clara Wren" not in {m.name for m in extract(reply.text, reply.body_end).mentions}
    [alone] = read_bytes(make_letter("From: Bob <b@x.org>\n", quotation).encode(), "b.mbox")
    assert alone.body_end == len(alone.text)  # the letter that it answers is not there


def test_the_mailing_list_and_another_address_for_replies_are_named():
    head = (
        "From: Ann Grey <ann@x.org>\nTo: Coast <coast@lists.x.org>\nSubject: Gauge\n"
        'List-Id: "Surveys of the coast" <coast.lists.x.org>\n'
        "List-Post: <mailto:coast@lists.x.org>\n"
        "Reply-To: Coast <coast@lists.x.org>, Bob Reed <bob@x.org>\n"
    )
    [document] = read_bytes(make_letter(head, FIRST).encode(), "a.mbox")
    assert "\nReply-To: Bob Reed <bob@x.org>\nList: Surveys of the coast\n" in document.text
    people = {m.name for m in extract(document.text).mentions if m.type == "person"}
    assert {"Ann Grey", "Bob Reed"} <= people and "Coast" not in people


def test_the_sender_writes_to_each_receiver_and_the_sentence_has_the_date():
    found = extract(LETTER)
    stated = {(r.source, r.target): r for r in found.relations if r.kind}
    assert set(stated) == {("Zhang Wei", "Li Na"), ("Zhang Wei", "Ann Grey")}
    for relation in stated.values():
        assert (relation.kind, relation.direction, relation.confidence) == (WRITES, FORWARD, 1.0)
        quoted = LETTER[relation.start : relation.end]
        assert quoted.startswith("From: ") and quoted.endswith("Date: 2019-05-03 10:15")


def test_the_first_word_of_an_english_subject_of_a_chinese_letter_is_no_name():
    letter = (
        "From: 陆青山 <lu@example.cn>\nTo: Bob Stone <bob@example.org>\nSubject: The gauge\n\n"
        "陆青山在杭州教书，他给我写了一封信。"
    )
    chunk = ChunkSpan(0, 0, len(letter), 0, "")
    [found] = InstantExtractor(split_sentences).extract(letter, [chunk], "zh")
    assert {m.name for m in found.mentions} == {"陆青山", "Bob Stone", "杭州"}


@pytest.mark.parametrize(
    "line",
    [
        "From ann@x.org Mon May  3 10:15:00 1999",
        "From - Mon May 03 10:15:00 1999",
        "From 150653@xxx Wed Sep 27 17:54:32 +0000 2017",
        "From ann at x.org  Mon May  3 10:15:00 1999",
        "From MAILER-DAEMON Fri Jul  8 12:08:34 2011",
        "From ann@x.org Mon, 3 May 1999 10:15:00 +0100",
        "From ann@x.org 1999-05-03 10:15:00",
        "From ann@x.org",
        "From ",
    ],
)
@pytest.mark.parametrize("start", ["", "\ufeff", "\r\n\r\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_letter_of_a_mail_box_begins_at_a_line_with_sender_and_date(line, start, end):
    said = "From 1999 to 2004 it was dry.\nNote: it is wet now.\nFrom May on it rains.\nSo: yes."
    letters = [f"{line}\nFrom: Ann <a@x.org>\nSubject: {n}\n\n{said}\n\n" for n in "12"]
    content = start + "".join(letters).replace("\n", end)
    found = read_bytes(content.encode(), "a.mbox")
    assert [one.title for one in found] == ["1", "2"]
    assert all(one.text.endswith(said) for one in found)


def test_a_mail_box_whose_lines_have_no_date_is_read():
    box = "From Ann Grey\nFrom: Ann <a@x.org>\nSubject: 1\n\nOne.\n\n" * 2
    assert len(read_bytes(box.encode(), "a.mbox")) == 2


@pytest.mark.parametrize("before", ["\ufeff", "\n\n", " \r\n", "\ufeff\r\n"])
def test_a_letter_may_have_a_byte_order_mark_or_blank_lines_before_it(before: str):
    letter = before + "From: Ann Grey <ann@x.org>\nSubject: The gauge\n\nIt is broken."
    [found] = read_bytes(letter.encode(), "a.eml")
    assert found.title == "The gauge" and found.text.startswith("From: Ann Grey <ann@x.org>\n")


CALENDAR = """BEGIN:VCALENDAR
BEGIN:VTIMEZONE
DTSTART:19700101T000000
END:VTIMEZONE
BEGIN:VEVENT
SUMMARY:Repair of the gauge\\, second part
DTSTART;TZID=Europe/London:19990503T101500
ORGANIZER;CN="Ann Grey":mailto:ann@x.org
ATTENDEE;CN=Bob Stone;ROLE=REQ-PARTICIPANT:MAILTO:bob@x.org
LOCATION:Harwich
DESCRIPTION:Bring the new gauge\\nand the
  old chart.
END:VEVENT
END:VCALENDAR
"""


def test_an_invitation_gives_what_its_calendar_says():
    letter = (
        "From: Ann Grey <ann@x.org>\nTo: Bob Stone <bob@x.org>\nSubject: Invitation\n"
        f"Content-Type: text/calendar; charset=utf-8\n\n{CALENDAR}"
    )
    [found] = read_bytes(letter.encode(), "a.eml")
    assert found.text.split("\n\n", 1)[1].split("\n") == [
        "Summary: Repair of the gauge, second part",
        "Start: 1999-05-03 10:15",
        "Organizer: Ann Grey <ann@x.org>",
        "Attendee: Bob Stone <bob@x.org>",
        "Location: Harwich",
        "Description: Bring the new gauge",
        "and the old chart.",
    ]
    assert found.notes == ()


def test_parts_of_a_letter_that_are_not_read_are_counted():
    letter = (
        "From: Ann Grey <ann@x.org>\nSubject: x\nMIME-Version: 1.0\n"
        'Content-Type: multipart/mixed; boundary="b"\n\n--b\nContent-Type: text/plain\n\nHello.\n'
        "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n"
        "--b\nContent-Type: application/pgp-signature\n\nabc\n--b--\n"
    )
    [found] = read_bytes(letter.encode(), "a.eml")
    assert [note.params["n"] for note in found.notes] == [1]
