"""What the process of the readers sends is put together, and checked as if it were hostile."""

from __future__ import annotations

import io
import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.child_protocol import (
    MAX_FRAME_BYTES,
    PIECE_CHARS,
    ProtocolError,
    decode_error,
    decode_message,
    encode_error,
    encode_message,
    parse_frame,
    read_frame,
    write_frame,
)
from desktop_app.engine.errors import EnvironmentProblem, PasswordNeeded, UserError
from desktop_app.engine.messages import Message
from desktop_app.engine.model import Heading, Page, ReadDocument
from desktop_app.engine.text.reader_protocol import (
    DocumentAssembler,
    encode_documents,
)

HEAD = {
    "document": ["Tides", "Ada Voss", "1901", "", ""],
    "format": "txt",
    "language": "en",
    "body": [0, 4],
    "place": "",
    "notes": [],
    "text": "tide",
}


def send(documents: list[ReadDocument]) -> list[ReadDocument]:
    """Return documents after a way through frames."""
    stream, assembler = io.BytesIO(), DocumentAssembler()
    for items in encode_documents(documents):
        write_frame(stream, items)
    stream.seek(0)
    while (frame := read_frame(stream)) is not None:
        assert len(frame) < MAX_FRAME_BYTES
        for item in parse_frame(frame):
            assembler.add(item)
    return assembler.finish()


def test_a_large_document_comes_in_pieces_and_is_whole_again():
    text = "潮水 came in. " * (PIECE_CHARS // 5)
    document = ReadDocument(
        title="Tides",
        text=text,
        format="pdf",
        language="en",
        pages=tuple(Page(i, f"p{i}", i, i + 1) for i in range(5_000)),
        outline=tuple(Heading(1, f"Chapter {i}", i, i) for i in range(5_000)),
        author="Ada Voss",
        year="1901",
        body_start=3,
        body_end=len(text) - 3,
        notes=(Message("{n} of {of} pages have no text: {shown}", n=1, of=2, shown="2"),),
    )
    assert len(list(encode_documents([document]))) > 2
    [received] = send([document])
    assert received == document
    assert received.notes[0].params == document.notes[0].params


@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=50), min_size=1))
def test_any_texts_come_through(texts: list[str]):
    documents = [ReadDocument(text[:9], text, "txt", "und") for text in texts]
    assert send(documents) == documents


@pytest.mark.parametrize(
    "change",
    [
        {"document": "Tides"},
        {"document": ["a", "b"]},
        {"document": ["a", "b", "", "", 3]},
        {"document": ["a" * 200_000, "", "", "", ""]},
        {"format": None},
        {"body": [-1, 4]},
        {"body": [0, 5]},
        {"body": [0, True]},
        {"body": [0, 2.5]},
        {"text": 7},
        {"text": "a" * (PIECE_CHARS + 1)},
        {"notes": ["text"]},
        {"notes": [["{n:>999999999}", {"n": 1}]]},
        {"notes": [["{n", {"n": {}}]]},
        {"pages": [[1, "", 0, 4]]},
        {"pages": [[0, "", 0, 5]]},
        {"pages": [[0, None, 0, 4]]},
        {"pages": 3},
        {"outline": [[1, "a", 9, None]]},
        {"outline": [[1, "a", 0, "x"]]},
        {"outline": [["1", "a", 0, 0]]},
    ],
)
def test_a_wrong_part_is_refused(change):
    assembler = DocumentAssembler()
    with pytest.raises(ProtocolError):
        assembler.add(HEAD | change)
        assembler.finish()


def test_pieces_without_a_document_and_too_much_text_are_refused():
    with pytest.raises(ProtocolError):
        DocumentAssembler().add({"text": "tide"})
    with pytest.raises(ProtocolError):
        DocumentAssembler().finish()
    assembler = DocumentAssembler(max_text_chars=10)
    assembler.add(HEAD)
    assembler.add({"text": "tide"})
    with pytest.raises(ProtocolError):
        assembler.add({"text": "tide"})


@pytest.mark.parametrize("content", [b"\xff", b"7", b"[1]", b'["a"]', b"[" * 100_000, b"1" * 9_999])
def test_a_frame_without_items_is_refused(content: bytes):
    with pytest.raises(ProtocolError):
        parse_frame(content)


def test_a_frame_has_a_size_limit_and_a_cut_frame_is_the_end():
    with pytest.raises(ProtocolError):
        read_frame(io.BytesIO(struct.pack(">I", MAX_FRAME_BYTES + 1)))
    assert read_frame(io.BytesIO(struct.pack(">I", 5) + b"abc")) is None
    assert read_frame(io.BytesIO(b"\0")) is None


def test_messages_keep_template_values_and_inner_messages():
    inner = Message("it has {n:,} pages.", n=20_000)
    message = Message("“{name}” can't be read: {reason}", name="a.pdf", reason=inner)
    received = decode_message(json.loads(json.dumps(encode_message(message))))
    assert received == message
    assert received.to_stored() == message.to_stored()


@pytest.mark.parametrize("wrong", [True, False])
def test_a_password_that_is_needed_stays_that(wrong: bool):
    error = PasswordNeeded("it needs a password.", "Type its password.", wrong=wrong)
    received = decode_error(json.loads(json.dumps(encode_error(error))))
    assert isinstance(received, PasswordNeeded)
    assert received.wrong is wrong
    assert received.full_message == error.full_message
    for kind in (UserError, EnvironmentProblem):
        assert type(decode_error(encode_error(kind("a {b}", b=1)))) is kind


@pytest.mark.parametrize(
    "data",
    [
        "text",
        ["text"],
        [1, {}],
        ["text", []],
        ["{a:>99}", {"a": 1}],
        ["{a:099d}", {"a": 1}],
        ["{a:.9999f}", {"a": 1.5}],
        ["{a:,}", {"a": "text"}],
        ["a" * 9_999, {}],
        ["{a}" * 50, {"a": "b"}],
        ["{a}", {"a": {"b": 1}}],
        ["{a}", {"a": ["{a}", {"a": ["{a}", {"a": ["{a}", {"a": ["{a}", {"a": ["", {}]}]}]}]}]}],
    ],
)
def test_a_message_that_could_fill_memory_is_refused(data):
    with pytest.raises(ProtocolError):
        decode_message(data)
