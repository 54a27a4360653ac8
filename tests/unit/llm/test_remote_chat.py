"""Tests chat models on a server: answers, prompt programs, choices, and what a server can do."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from desktop_app.engine.errors import UserError
from desktop_app.engine.extraction.llm.record_guard import RecordGuard
from desktop_app.engine.llm.remote.chat import (
    FLAG,
    PLAIN,
    ChatFeatures,
    ChoicesUnknown,
    ListedModel,
    RemoteChat,
    estimate_tokens,
    find_features,
    list_server_models,
)
from desktop_app.engine.llm.remote.client import (
    BadServerAnswer,
    RequestLimits,
    ServerClient,
    ServerGone,
    ServerRefused,
)
from desktop_app.engine.model import ChatMessage
from desktop_app.engine.progress import CancelToken
from desktop_app.engine.prompt_program import (
    PASSAGE,
    STOPPED,
    UNKNOWN_LOGPROB,
    Choose,
    OneLine,
    PromptProgram,
    Talk,
    Write,
)
from tests.chat_server import ChatServer, serve_chat

pytestmark = pytest.mark.loopback

LIMITS = RequestLimits(waits_s=(0.0,), answer_bytes=200_000)
FEATURES = ChatFeatures(FLAG, True, 20, 2048, 7_000_000_000)
ASK = [ChatMessage("system", "Be short."), ChatMessage("user", "Three colours?")]
MESSAGES = (ChatMessage("system", "Read."), ChatMessage("user", PASSAGE))
KINSHIP = {" family": 0.5, " friend": 0.3, " f": 0.1, "\n": 0.05}


@pytest.fixture
def fake() -> Iterator[ChatServer]:
    with serve_chat(ChatServer()) as server:
        yield server


@pytest.fixture
def model(fake: ChatServer) -> Iterator[RemoteChat]:
    model = RemoteChat(ServerClient(fake.address, limits=LIMITS), "tiny", FEATURES)
    yield model
    model.close()


def with_features(model: RemoteChat, **values: object) -> RemoteChat:
    """Return the model on the same client with other features."""
    return RemoteChat(model.client, "tiny", replace(FEATURES, **values))  # type: ignore[arg-type]


def write(line: str = "", guard: object = None, tokens: int = 20, key: int = 0) -> PromptProgram:
    def talk() -> Talk:
        [written] = yield Write((line,), tokens, guard)  # type: ignore[arg-type]
        return written

    return PromptProgram(key, MESSAGES, f"Passage {key}.", talk)


# --- answers --------------------------------------------------------------------------------------


def test_an_answer_is_streamed_and_its_cost_recorded(fake: ChatServer, model: RemoteChat):
    pieces = list(model.stream(ASK, max_tokens=30, temperature=0.5))
    assert "".join(pieces) == "Red, green and blue." and len(pieces) > 1
    [body] = fake.chats
    assert body["messages"] == [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": "Three colours?"},
    ]
    assert (body["max_tokens"], body["temperature"], body["model"]) == (30, 0.5, "tiny")
    assert (model.last_run.n_prompt, model.last_run.n_written) == (30, 5)
    assert model.last_run.ended == "finished"
    assert model.name == f"tiny @ 127.0.0.1:{fake.port}"


def test_thinking_is_left_out_and_an_empty_answer_is_an_error(fake: ChatServer, model: RemoteChat):
    fake.reply = lambda body: "<think>Hm, colours.</think>\n\nRed."
    assert "".join(model.stream(ASK)) == "Red."
    fake.reply = lambda body: ""
    with pytest.raises(BadServerAnswer, match="empty answer"):
        list(model.stream(ASK))


def test_nothing_is_sent_to_be_read_ahead(fake: ChatServer, model: RemoteChat):
    assert list(model.stream(ASK, max_tokens=0)) == []
    assert not fake.requests and model.is_remote


def test_an_answer_of_another_form_is_an_error(fake: ChatServer, model: RemoteChat):
    fake.always = "no choices"
    with pytest.raises(UserError, match="it has no “choices”"):
        model.choose(ASK, ["Yes or no:"], (" yes", " no"))


def test_estimates_of_tokens_are_rather_too_large():
    """cl100k: 11 and 20 tokens; Qwen's tokenizer has fewer for both."""
    assert 10 <= estimate_tokens("The clerk copied letters in a cold little room.") <= 16
    assert 12 <= estimate_tokens("宋江道：“兄弟，你且听我说。”") <= 24
    assert estimate_tokens("") == 0


# --- prompt programs ------------------------------------------------------------------------------


def test_lines_are_continued_until_their_guard_ends_them(fake: ChatServer, model: RemoteChat):
    fake.reply = lambda body: " a miser.\nEverything after the line is lost."
    [result] = model.run_programs([write("Scrooge:", OneLine())])
    fake.reply = lambda body: "Scrooge: a miser.\nllama-server repeats what was begun."
    [other] = model.run_programs([write("Scrooge:", OneLine())])
    assert other.value.text.strip() == "a miser."
    assert result.value.text.strip() == "a miser."
    assert result.value.ended == "finished"
    assert result.value.mean_logprob == pytest.approx(-0.5)
    body = fake.chats[0]
    assert body["messages"][-2:] == [
        {"role": "user", "content": "Passage 0."},
        {"role": "assistant", "content": "Scrooge:"},
    ]
    assert body["continue_final_message"] is True and body["add_generation_prompt"] is False


def test_a_server_that_begins_a_new_turn_is_asked_to_continue(fake: ChatServer, model: RemoteChat):
    own = with_features(model, continues="", n_top=0)
    fake.reply = lambda body: "Scrooge: a miser.\nMore."
    [result] = own.run_programs([write("Scrooge:", OneLine())])
    assert result.value.text.strip() == "a miser."
    assert result.value.mean_logprob == UNKNOWN_LOGPROB
    [body] = fake.chats
    assert [m["role"] for m in body["messages"]] == ["system", "user"]
    assert body["messages"][-1]["content"].endswith("Scrooge:")
    assert "logprobs" not in body


def test_what_is_wrong_in_a_list_is_left_to_its_reader(fake: ChatServer, model: RemoteChat):
    fake.reply = lambda body: " Scrooge | person | A miser.\nentity | Elsewhere | place | No."
    guard = RecordGuard("Scrooge was a miser.", ("person", "place"), begun="entity |")
    [result] = model.run_programs([write("entity |", guard, 60)])
    assert "Elsewhere" in result.value.text and "Scrooge" in result.value.text


def test_replies_are_kept_and_found_again(fake: ChatServer, model: RemoteChat):
    kept: dict[str, str] = {}
    first = list(model.run_programs([write()], keep_call=kept.__setitem__))
    again = list(model.run_programs([write()], find_call=kept.get))
    assert first[0].value == again[0].value and len(fake.requests) == 1
    assert (first[0].n_prompt, first[0].n_written, again[0].n_prompt) == (30, 5, 0)


def test_as_many_requests_run_side_by_side_as_the_user_chose(fake: ChatServer):
    fake.hold = threading.Event()
    model = RemoteChat(ServerClient(fake.address, n_at_once=3, limits=LIMITS), "tiny", FEATURES)
    taken: list[int] = []

    def programs() -> Iterator[PromptProgram]:
        for key in range(9):
            taken.append(key)
            if key == 3:  # asked for only after one of the three has ended
                assert fake.peak == 3
            yield write(key=key)

    def release() -> None:
        while fake.n_open < 3:
            pass
        assert len(taken) <= 3
        fake.hold.set()  # type: ignore[union-attr]

    thread = threading.Thread(target=release)
    thread.start()
    results = list(model.run_programs(programs()))
    thread.join()
    assert {r.key for r in results} == set(range(9)) and not any(r.error for r in results)
    assert fake.peak == 3
    model.close()


def test_one_bad_answer_fails_its_program_and_many_end_the_run(fake: ChatServer, model: RemoteChat):
    model = RemoteChat(ServerClient(fake.address, n_at_once=1, limits=LIMITS), "tiny", FEATURES)
    fake.faults = ["page", "too long"]
    results = list(model.run_programs([write(key=key) for key in range(4)]))
    assert [bool(r.error) for r in results] == [True, True, False, False]
    assert "text/html" in results[0].error and "too long" in results[1].error
    fake.always = "not json"
    with pytest.raises(BadServerAnswer):
        list(model.run_programs([write(key=key) for key in range(30)]))
    assert len(fake.requests) < 30
    model.close()


@pytest.mark.parametrize(("fault", "error"), [("503", ServerGone), ("401", ServerRefused)])
def test_a_run_ends_when_the_server_is_gone_or_refuses(
    fake: ChatServer, model: RemoteChat, fault: str, error: type[Exception]
):
    gone: list[ServerGone] = []
    model.client.on_gone = gone.append
    fake.always = fault
    with pytest.raises(error):
        list(model.run_programs([write(key=key) for key in range(30)]))
    assert len(fake.requests) <= 2 * 4 + 4
    assert bool(gone) is (error is ServerGone)


def test_a_cancelled_run_ends_at_once(fake: ChatServer, model: RemoteChat):
    fake.hold = threading.Event()
    cancel = CancelToken()
    threading.Timer(0.05, cancel.cancel).start()
    results = list(model.run_programs([write(key=key) for key in range(3)], cancel=cancel))
    assert results and all(r.error == STOPPED for r in results)
    fake.hold.set()


# --- choices --------------------------------------------------------------------------------------


def test_probabilities_of_options_are_those_of_the_next_words(fake: ChatServer, model: RemoteChat):
    fake.reply = lambda body: KINSHIP
    [choice] = model.choose(ASK, ["Anna & Oleg:"], (" family", " friend"))
    # " fr" and "iend" is another way to write it, which a model on this computer does not count.
    assert [math.exp(p) for p in choice.logprobs] == pytest.approx([0.5, 0.3], abs=1e-3)
    assert fake.chats[0]["max_tokens"] == 1 and fake.chats[0]["top_logprobs"] == 20


def test_options_with_a_common_beginning_are_read_on(fake: ChatServer, model: RemoteChat):
    def reply(body: dict) -> dict[str, float]:
        ended = body["messages"][-1]["content"].endswith(" work")
        return {"er": 0.25, ".": 0.7} if ended else {" work": 0.8, " play": 0.1}

    fake.reply = reply
    [choice] = model.choose(ASK, ["It is"], (" work", " worker", " play"))
    assert [math.exp(p) for p in choice.logprobs] == pytest.approx([0.6, 0.2, 0.1], abs=1e-3)


def test_an_option_that_is_not_named_has_at_most_the_least_probability(
    fake: ChatServer, model: RemoteChat
):
    fake.reply = lambda body: {" yes": 0.9, " well": 0.01}
    [choice] = model.choose(ASK, ["Is it?"], (" yes", " no"))
    assert [math.exp(p) for p in choice.logprobs] == pytest.approx([0.9, 0.01], abs=1e-3)


def test_no_probability_is_invented(fake: ChatServer, model: RemoteChat):
    fake.reply = lambda body: {" well": 0.5, " hm": 0.4}
    with pytest.raises(UserError, match="does not state how likely"):
        model.choose(ASK, ["Is it?"], (" yes", " no"))
    fake.reply = lambda body: {" yes": 0.3, " well": 0.3, " hm": 0.2}
    with pytest.raises(UserError, match="does not state how likely"):
        model.choose(ASK, ["Is it?"], (" yes", " no"))
    own = with_features(model, n_top=0)
    assert not own.can_choose
    n_before = len(fake.requests)
    with pytest.raises(ChoicesUnknown):
        own.choose(ASK, ["Is it?"], (" yes", " no"))

    def talk() -> Talk:
        return (yield Choose(("Is it?",), (" yes", " no")))

    [result] = own.run_programs([PromptProgram(0, MESSAGES, "text", talk)])
    assert "does not state how likely" in result.error
    assert len(fake.requests) == n_before


# --- what a server can do -------------------------------------------------------------------------


def answer_probes(fake: ChatServer, *, continues: bool, repeats: bool) -> None:
    def reply(body: dict) -> str | dict[str, float]:
        if "from 1 to 20" in body["messages"][0]["content"]:
            last = body["messages"][-1]
            is_begun = last["role"] == "assistant" and continues
            return f"{last['content'] if repeats else ''} 12, 13" if is_begun else "1, 2, 3"
        return {"yes": 0.8, "no": 0.1}

    fake.reply = reply


@pytest.mark.parametrize(
    ("server", "continues", "found"),
    [
        (ChatServer(n_top=1000), True, ChatFeatures(FLAG, True, 256, 512, 9)),  # llama-server
        (ChatServer(n_top=20, extras=False), True, ChatFeatures(PLAIN, False, 20, 512, 9)),
        (ChatServer(n_top=0, extras=False), False, ChatFeatures("", False, 0, 512, 9)),
    ],
)
def test_what_a_server_can_do_is_found_by_trying(
    server: ChatServer, continues: bool, found: ChatFeatures
):
    answer_probes(server, continues=continues, repeats=server.n_top > 20)
    with serve_chat(server):
        client = ServerClient(server.address, limits=LIMITS)
        assert find_features(client, ListedModel("tiny", 512, 9)) == found
        client.close()


def test_models_are_listed_with_what_servers_state_about_them(fake: ChatServer):
    fake.models = (
        {"id": "a", "meta": {"n_ctx": 4096, "n_params": 1_500_000_000}},
        {"id": "b", "max_model_len": 32768},
        {"id": "c"},
        {"id": 5},
    )
    client = ServerClient(fake.address, limits=LIMITS)
    assert list_server_models(client) == [
        ListedModel("a", 4096, 1_500_000_000),
        ListedModel("b", 32768),
        ListedModel("c"),
    ]
    fake.always = "no choices"
    with pytest.raises(BadServerAnswer, match="lists no models"):
        list_server_models(client)
    client.close()
