"""Tests downloads from links with a local web server, and adding files from the disk."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.engine.errors import AppError, Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.llm import link_download
from desktop_app.engine.llm.link_download import (
    ConnectionBroken,
    add_file,
    discard,
    download,
    inspect_link,
    list_unfinished,
    parse_link,
    read_marker,
)
from desktop_app.engine.progress import CancelToken, Progress
from tests.model_server import ModelServer, build_gguf, serve_model

CONTENT = build_gguf()
SHA256 = hashlib.sha256(CONTENT).hexdigest()
QUICK = (0.0, 0.0)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serve_model(ModelServer(CONTENT)) as server:
        yield server


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- links ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (" https://a.org/m/Model.gguf\n", "https://a.org/m/Model.gguf"),
        ("<https://a.org/x.GGUF?download=true#top>", "https://a.org/x.GGUF?download=true"),
        (
            "https://huggingface.co/o/r/blob/main/m.gguf",
            "https://huggingface.co/o/r/resolve/main/m.gguf",
        ),
        ("https://a.org/o/blob/main/m.gguf", "https://a.org/o/blob/main/m.gguf"),
        ("http://127.0.0.1:8080/m.gguf", "http://127.0.0.1:8080/m.gguf"),
    ],
)
def test_a_link_is_read_as_it_was_meant(text, url):
    assert parse_link(text) == url


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "not a web address"),
        ("model.gguf", "not a web address"),
        ("https://[::1/m.gguf", "not a web address"),
        ("https://a.org:99999/m.gguf", "not a web address"),
        ("http://a.org/m.gguf", "begin with https"),
        ("http://127.0.0.1.evil.org/m.gguf", "begin with https"),
        ("file:///m.gguf", "not a web address"),
        ("ftp://a.org/m.gguf", "begin with https"),
        ("https://huggingface.co@evil.org/m.gguf", "user name"),
        ("https://huggingface.co/Qwen/Qwen3-8B-GGUF", "does not end in .gguf"),
        ("https://a.org/m-00001-of-00003.gguf", "one part of a model"),
    ],
)
def test_other_texts_are_refused_without_network(text, part):
    with pytest.raises(UserError, match=part):
        parse_link(text)


@settings(max_examples=40)
@given(st.text(max_size=80))
def test_any_text_is_a_link_or_refused_with_a_sentence(text):
    for start in ("", "https://", "https://a.org/"):
        try:
            assert parse_link(f"{start}{text}.gguf").startswith(("https://", "http://"))
        except UserError as error:
            assert error.message


# --- downloads ------------------------------------------------------------------------------------


@pytest.mark.loopback
def test_a_model_is_downloaded_and_its_size_and_sha256_are_recorded(server, tmp_path):
    model = inspect_link(server.link())
    assert (model.file, model.size_bytes) == ("Small-Test.Q4.gguf", len(CONTENT))
    seen: list[Progress] = []
    added = download(model, tmp_path, on_progress=seen.append)
    assert added.path.read_bytes() == CONTENT and added.sha256 == SHA256
    assert read_marker(added.path) == (len(CONTENT), SHA256, server.link())
    assert files_in(tmp_path) == ["Small-Test.Q4.gguf", "Small-Test.Q4.gguf.ok"]
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    assert seen[-1].stage == "checking"


@pytest.mark.loopback
def test_looking_at_a_link_fetches_only_its_first_bytes(server):
    inspect_link(server.link())
    assert server.requests == [("/models/Small-Test.Q4.gguf", "bytes=0-4095")]


@pytest.mark.loopback
def test_a_broken_connection_goes_on_with_what_is_missing(server, tmp_path):
    model = inspect_link(server.link())
    server.breaks = 2
    added = download(model, tmp_path, retry_waits_s=QUICK)
    assert added.path.read_bytes() == CONTENT
    starts = [wanted for _, wanted in server.requests[1:]]
    assert starts == ["bytes=0-", "bytes=400000-", "bytes=800000-"]


@pytest.mark.loopback
def test_a_download_that_broke_for_good_is_listed_and_goes_on_later(server, tmp_path):
    model = inspect_link(server.link())
    server.breaks = 1
    with pytest.raises(ConnectionBroken, match="400000 of"):
        download(model, tmp_path, retry_waits_s=())
    (unfinished,) = list_unfinished(tmp_path)
    assert (unfinished.model, unfinished.n_bytes) == (model, 400_000)
    download(unfinished.model, tmp_path)
    assert server.requests[-1][1] == "bytes=400000-"
    assert (tmp_path / model.file).read_bytes() == CONTENT and not list_unfinished(tmp_path)


@pytest.mark.loopback
def test_a_stopped_download_goes_on_or_is_discarded(server, tmp_path):
    model, cancel = inspect_link(server.link()), CancelToken()
    with pytest.raises(Cancelled):
        download(model, tmp_path, cancel=cancel, on_progress=lambda _: cancel.cancel())
    assert list_unfinished(tmp_path)
    discard(model.file, tmp_path)
    assert files_in(tmp_path) == []


@pytest.mark.loopback
def test_a_server_without_ranges_begins_again(server, tmp_path):
    server.has_ranges, server.breaks = False, 1
    model = inspect_link(server.link())
    server.breaks = 1
    added = download(model, tmp_path, retry_waits_s=QUICK)
    assert added.sha256 == SHA256


@pytest.mark.loopback
@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"page": "<!DOCTYPE html><p>Sign in"}, "web page, not to a file"),
        ({"content": b"version https://git-lfs.github.com/spec/v1\n"}, "reference to the file"),
        ({"content": b"PK\3\4" + bytes(9_000)}, "not a GGUF file"),
        ({"content": b""}, "not a GGUF file"),
        ({"status": 401}, "does not offer this file without signing in"),
        ({"status": 404}, "no file at this address"),
        ({"status": 503}, r"out of order \(503\)"),
        ({"status": 405}, "error 405"),
        ({"has_length": False, "has_ranges": False}, "how large the file is"),
    ],
)
def test_what_is_no_gguf_file_is_refused_with_a_sentence(server, change, part):
    for name, value in change.items():
        setattr(server, name, value)
    with pytest.raises(AppError, match=part):
        inspect_link(server.link())


@pytest.mark.loopback
def test_a_page_that_comes_later_in_place_of_the_file_is_refused(server, tmp_path):
    model = inspect_link(server.link())
    server.page = "<html>Too many downloads"
    with pytest.raises(UserError, match="web page"):
        download(model, tmp_path, retry_waits_s=QUICK)
    assert not list(tmp_path.glob("*.gguf"))


@pytest.mark.loopback
def test_a_file_of_another_size_than_promised_is_refused(server, tmp_path):
    model = inspect_link(server.link())
    server.breaks = 1
    with pytest.raises(ConnectionBroken):
        download(model, tmp_path, retry_waits_s=())
    server.content = CONTENT + b"more"
    with pytest.raises(UserError, match="has changed"):
        download(model, tmp_path)
    assert files_in(tmp_path) == []


@pytest.mark.loopback
def test_a_file_without_its_end_is_refused(server, tmp_path):
    server.content = CONTENT[:-200_000]
    with pytest.raises(UserError, match="damaged or not complete"):
        download(inspect_link(server.link()), tmp_path)
    assert files_in(tmp_path) == []


@pytest.mark.loopback
def test_the_sha256_of_the_user_and_of_the_server_are_compared(server, tmp_path):
    other = "0" * 64
    with pytest.raises(UserError, match=f"is {SHA256}, not {other}"):
        download(inspect_link(server.link(), other), tmp_path)
    assert files_in(tmp_path) == []
    server.redirect, server.linked_sha256 = "/moved/m.gguf", SHA256
    model = inspect_link(server.link())
    assert (model.sha256, model.file) == (SHA256, "Small-Test.Q4.gguf")
    with pytest.raises(UserError, match="another file"):
        inspect_link(server.link(), other)
    assert download(model, tmp_path).sha256 == SHA256


@pytest.mark.loopback
@pytest.mark.parametrize("to", ["http://192.0.2.1/m.gguf", "http://example.org/m.gguf"])
def test_a_redirect_to_an_address_without_encryption_is_refused(server, to):
    server.redirect = to
    with pytest.raises(UserError, match="without encryption"):
        inspect_link(server.link())


@pytest.mark.loopback
def test_a_server_that_cannot_be_reached_is_named(tmp_path):
    with serve_model(ModelServer(CONTENT)) as server:
        link = server.link()
    with pytest.raises(ConnectionBroken, match=r"127\.0\.0\.1 failed"):
        inspect_link(link)


@pytest.mark.loopback
def test_a_full_disk_is_reported_before_the_download(server, tmp_path, monkeypatch):
    model = inspect_link(server.link())
    monkeypatch.setattr(link_download, "_SPARE_BYTES", 1 << 60)
    with pytest.raises(EnvironmentProblem, match="free space"):
        download(model, tmp_path)
    assert len(server.requests) == 1


# --- files of the user ----------------------------------------------------------------------------


def test_a_file_of_the_user_is_added_and_the_original_stays(tmp_path):
    source, models = tmp_path / "My model.gguf", tmp_path / "models"
    source.write_bytes(CONTENT)
    added = add_file(source, models)
    assert added.path.read_bytes() == CONTENT and added.sha256 == SHA256 and source.exists()
    assert add_file(added.path, models).path == added.path  # already there
    assert add_file(source, models).path == added.path  # the same file on the disk
    assert files_in(models) == ["My model.gguf", "My model.gguf.ok"]


def test_a_file_on_another_disk_is_copied(tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    source, models, cancel = tmp_path / "m.gguf", tmp_path / "models", CancelToken()
    source.write_bytes(CONTENT)
    with pytest.raises(Cancelled):
        add_file(source, models, cancel=cancel, on_progress=lambda _: cancel.cancel())
    assert files_in(models) == []
    assert add_file(source, models).path.read_bytes() == CONTENT


def test_another_file_of_the_same_name_gets_a_number(tmp_path):
    models = tmp_path / "models"
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "m.gguf").write_bytes(build_gguf(folder))
        add_file(tmp_path / folder / "m.gguf", models)
    assert files_in(models) == ["m-2.gguf", "m-2.gguf.ok", "m.gguf", "m.gguf.ok"]


@pytest.mark.parametrize(
    ("name", "data", "part"),
    [
        ("model.safetensors", CONTENT, "does not end in .gguf"),
        ("half.gguf", CONTENT[:5_000], "not complete"),
        ("m-00002-of-00003.gguf", CONTENT, "one part of a model"),
    ],
)
def test_what_is_no_model_is_not_added(tmp_path, name, data, part):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UserError, match=part):
        add_file(tmp_path / name, tmp_path / "models")
    assert not (tmp_path / "models").exists()
