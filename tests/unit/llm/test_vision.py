"""Chat models with projectors: which belong together, and pictures read by llama.cpp itself.

The models are small and of random weights; a picture really passes the encoder, and the text
depends on it, although it says nothing.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from desktop_app.engine.errors import Cancelled, EnvironmentProblem, UserError
from desktop_app.engine.llm.gguf_header import load_header
from desktop_app.engine.llm.host_protocol import HostSpec, decode_spec, encode_spec
from desktop_app.engine.llm.hosted_models import HostedVision
from desktop_app.engine.llm.llama_library import ChatTemplate
from desktop_app.engine.llm.projectors import find_pair, fits, is_for_pictures
from desktop_app.engine.llm.registry import ModelRegistry, ModelRow
from desktop_app.engine.llm.trial import ModelTrials
from desktop_app.engine.model import ChatMessage
from desktop_app.engine.progress import CancelToken
from tests.vision_files import write_projector, write_writing_chat

ASK = [ChatMessage("user", "What is in the picture?")]
SIZE = (64, 48)
SEED = 6  # of a projector with which the text differs from picture to picture


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vision-models")
    write_writing_chat(folder / "tiny-seer-q4_k_m.gguf")
    write_projector(folder / "mmproj-tiny-seer-f32.gguf", name="tiny seer", seed=SEED)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    copied = tmp_path / "models"
    shutil.copytree(made, copied)
    return copied


def list_rows(folder: Path) -> dict[str, ModelRow]:
    registry = ModelRegistry([folder], trials=ModelTrials(folder / "trials.json"))
    return {row.name: row for row in registry.list_models() if row.path is not None}


# --- which belong together ------------------------------------------------------------------------


def test_a_projector_is_known_by_its_head_and_is_no_chat_model(folder):
    (folder / "mmproj-tiny-seer-f32.gguf").rename(folder / "tiny-seer-eyes.gguf")
    rows = list_rows(folder)
    projector, chat = rows["tiny-seer-eyes"], rows["tiny-seer-q4_k_m"]
    assert (projector.role, chat.role) == ("vision", "chat")
    assert projector.active and projector.chat_path == chat.path and not projector.damaged
    assert "Describes pictures together with trial chat" in projector.note
    assert "tiny-seer-eyes" in chat.pictures and chat.active
    assert projector.memory_bytes > chat.memory_bytes
    registry = ModelRegistry([folder], trials=ModelTrials(folder / "trials.json"))
    with pytest.raises(UserError, match="no chat model"):
        registry.get_chat_row("tiny-seer-eyes")


def test_a_projector_without_its_chat_model_says_what_is_missing(folder):
    (folder / "tiny-seer-q4_k_m.gguf").unlink()
    row = list_rows(folder)["mmproj-tiny-seer-f32"]
    assert row.damaged and not row.active and "Its chat model is missing" in row.note
    assert "256 numbers" in row.note
    registry = ModelRegistry([folder], trials=ModelTrials(folder / "trials.json"))
    assert registry.find_vision() is None
    with pytest.raises(UserError, match="chat model is missing"):
        registry.use("mmproj-tiny-seer-f32")
    assert not registry.check("mmproj-tiny-seer-f32").ok


def test_width_kind_and_name_decide_which_chat_model_a_projector_belongs_to(made, tmp_path):
    chat = tmp_path / "harbour-vl-3b-q4.gguf"
    shutil.copy(made / "tiny-seer-q4_k_m.gguf", chat)
    other = tmp_path / "plain-1b.gguf"
    shutil.copy(chat, other)
    wide = write_projector(tmp_path / "mmproj-harbour-vl-wide.gguf", width=320, name="")
    assert "Its chat model is missing" in find_pair(wide, [chat, other]).lack
    own = write_projector(tmp_path / "mmproj-harbour-vl-3b.gguf", name="")
    assert find_pair(own, [other, chat]).chat == chat
    assert find_pair(own, [other]).chat is None
    assert "mmproj-plain-1b.gguf" in find_pair(own, [other]).lack
    nameless = write_projector(tmp_path / "mmproj-model-f16.gguf", name="")
    assert find_pair(nameless, [other]).chat == other
    qwen = write_projector(tmp_path / "mmproj-qwen.gguf", name="", kind="qwen2.5vl_merger")
    assert not fits(load_header(qwen), load_header(chat))  # of another architecture
    assert is_for_pictures(load_header(chat), chat.stem)
    assert not is_for_pictures(load_header(other), other.stem)


def test_a_chat_model_for_pictures_says_that_its_projector_is_missing(folder):
    (folder / "mmproj-tiny-seer-f32.gguf").unlink()
    (folder / "tiny-seer-q4_k_m.gguf").rename(folder / "Tiny-VL-3B-q4_k_m.gguf")
    row = list_rows(folder)["tiny-vl-3b-q4_k_m"]
    assert "needs its projector too" in row.pictures and not row.damaged


def test_a_projector_that_is_cut_short_is_named_as_damaged(folder):
    path = folder / "mmproj-tiny-seer-f32.gguf"
    path.write_bytes(path.read_bytes()[:-5000])
    row = list_rows(folder)["mmproj-tiny-seer-f32"]
    assert row.role == "vision" and row.damaged and "not complete" in row.note
    assert not list_rows(folder)["tiny-seer-q4_k_m"].pictures


def test_a_template_that_takes_lists_of_parts_gets_them():
    source = (
        "{% for m in messages %}{% for line in m['content'] %}{% if line['type'] == 'text' %}"
        "{{ line['text'] }}{% endif %}{% endfor %}{% endfor %}"
    )
    template = ChatTemplate(source)
    assert template.render(ASK) == ""
    assert template.render(ASK, as_parts=True) == ASK[0].text


def test_a_spec_with_a_projector_comes_over_as_it_was():
    for projector in (None, Path("mmproj.gguf")):
        spec = HostSpec("vision", Path("chat.gguf"), "seer", projector=projector)
        assert decode_spec(encode_spec(spec)) == spec


# --- pictures read by llama.cpp -------------------------------------------------------------------


@pytest.fixture(scope="module")
def seer(made: Path) -> Iterator[HostedVision]:
    model = HostedVision(build_spec(made))
    yield model
    model.close()


def build_spec(folder: Path, projector: Path | None = None) -> HostSpec:
    chat = folder / "tiny-seer-q4_k_m.gguf"
    projector = projector or folder / "mmproj-tiny-seer-f32.gguf"
    return HostSpec("vision", chat, "tiny-seer", n_threads=1, projector=projector)


def draw(seed: int) -> bytes:
    width, height = SIZE
    noise = np.random.default_rng(seed).integers(0, 255, 3 * width * height, dtype=np.uint8)
    return noise.tobytes()


def test_the_text_depends_on_the_picture(seer):
    found = [seer.describe(ASK, draw(seed), *SIZE, max_tokens=40) for seed in (1, 2, 1)]
    assert found[0].text == found[2].text != found[1].text
    assert all(one.text.strip() and one.n_written <= 40 for one in found)
    assert found[0].n_prompt > 16  # the tokens of the picture are among them
    assert seer.describe(ASK, draw(1), *SIZE, max_tokens=3).ended == "long"


def test_a_marker_in_a_caption_is_no_second_picture(seer):
    ask = [ChatMessage("user", "Caption: <__media__> <|im_end|>")]
    assert seer.describe(ask, draw(1), *SIZE, max_tokens=3).n_written == 3


def test_a_prompt_that_is_too_long_is_refused(seer):
    ask = [ChatMessage("user", "word " * 4000)]
    with pytest.raises(UserError, match="tokens long"):
        seer.describe(ask, draw(1), *SIZE, max_tokens=3)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_after_the_death_of_its_process_another_one_describes_the_picture(seer):
    before = seer.describe(ASK, draw(2), *SIZE, max_tokens=20)
    os.kill(seer.host_pid, signal.SIGKILL)
    assert seer.describe(ASK, draw(2), *SIZE, max_tokens=20).text == before.text


def test_a_description_is_cancelled_and_the_model_is_released(seer):
    cancel = CancelToken()
    threading.Timer(0.05, cancel.cancel).start()
    with pytest.raises(Cancelled):
        for _ in range(2000):
            seer.describe(ASK, draw(3), *SIZE, max_tokens=400, cancel=cancel)
    assert seer.describe(ASK, draw(1), *SIZE, max_tokens=2).n_written == 2
    seer.release()
    assert seer.host_pid == 0


def test_a_projector_of_another_model_or_of_another_kind_is_refused_in_one_sentence(made, tmp_path):
    wide = write_projector(tmp_path / "mmproj-wide.gguf", width=320)
    with pytest.raises(UserError, match=r"does not fit .*320 numbers, the model reads 256"):
        HostedVision(build_spec(made, wide))
    strange = write_projector(tmp_path / "mmproj-strange.gguf", kind="of_next_year")
    with pytest.raises(EnvironmentProblem, match=r"mmproj-strange\.gguf could not be loaded"):
        HostedVision(build_spec(made, strange))


def test_the_registry_tries_loads_and_checks_a_pair(folder):
    registry = ModelRegistry([folder], trials=ModelTrials(folder / "trials.json"))
    try:
        model = registry.find_vision()  # tried in a child process first
        assert model is not None and model.name == "tiny-seer-q4_k_m"
        assert model.describe(ASK, draw(1), *SIZE, max_tokens=4).text
        result = registry.check("mmproj-tiny-seer-f32")
        assert result.ok and result.sample and "red square" in result.message
    finally:
        registry.close()
