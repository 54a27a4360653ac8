"""Tries the models of a real server: what it can do, choices beside this computer's, speed.

    python -m benchmarks.model_server http://127.0.0.1:8080 --local MODEL.gguf

`--local` is the file that the server has loaded: the probabilities of the same options are then
read on this computer too. The texts are the program's own. With `--kill PID` the server is ended
in the middle of a run, which must then end with `ServerGone` within seconds. With `--rerank` the
server ranks instead, such as llama-server that was started with `--reranking`.
"""

from __future__ import annotations

import math
import os
import signal
import time
from pathlib import Path

from desktop_app.engine.llm.remote.address import parse_address
from desktop_app.engine.llm.remote.chat import RemoteChat, find_features, list_server_models
from desktop_app.engine.llm.remote.client import ServerClient
from desktop_app.engine.llm.remote.contract import BadServerAnswer, ServerGone
from desktop_app.engine.llm.remote.vectors import RemoteReranker, find_has_logits
from desktop_app.engine.model import ChatMessage
from desktop_app.engine.prompt_program import PASSAGE, OneLine, PromptProgram, Talk, Write

from .common import make_parser

_INSTRUCTION = "Choose the kind of the relation: family, friend, enemy, work."
_TEXT = (
    "Scrooge paid his clerk Bob fifteen shillings a week. Fred was the son of his sister. "
    "Marley had been his partner, his sole friend and his sole mourner."
)
_LINES = ("Scrooge & Bob:", "Scrooge & Fred:", "Scrooge & Marley:")
_OPTIONS = (" family", " friend", " enemy", " work")


def _build_programs(n: int) -> list[PromptProgram]:
    """Return programs that each write two lines about a text of their own."""
    messages = (ChatMessage("system", "Describe the people."), ChatMessage("user", PASSAGE))

    def talk() -> Talk:
        return (yield Write(("Scrooge is", "Bob is"), 24, OneLine()))

    return [PromptProgram(k, messages, f"Page {k}. {_TEXT}", talk) for k in range(n)]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("address")
    parser.add_argument("--model", default="")
    parser.add_argument("--local", type=Path)
    parser.add_argument("--kill", type=int, default=0)
    parser.add_argument("--programs", type=int, default=8)
    parser.add_argument("--rerank", action="store_true")
    options = parser.parse_args()
    address = parse_address(options.address)
    client = ServerClient(address)
    models = list_server_models(client)
    listed = next(m for m in models if options.model in ("", m.name))
    if options.rerank:
        _rank(client, listed.name)
        client.close()
        return
    started = time.perf_counter()
    features = find_features(client, listed)
    print(f"{listed.name}: {features} ({time.perf_counter() - started:.1f} s)")
    model = RemoteChat(client, listed.name, features)
    ask = [ChatMessage("user", "Name three colours of the rainbow in one short sentence.")]
    print("answer:", "".join(model.stream(ask, max_tokens=40)))
    run = model.last_run
    print(f"read {run.n_prompt} tokens in {run.prompt_s:.2f} s, wrote {run.write_rate:.0f}/s")
    if model.can_choose:
        _compare(model, options.local)
    for n in (1, 4):
        own = ServerClient(address, n_at_once=n)
        runner = RemoteChat(own, listed.name, features)
        started = time.perf_counter()
        results = list(runner.run_programs(_build_programs(options.programs)))
        took = time.perf_counter() - started
        failed = sum(bool(r.error) for r in results)
        print(f"{n} at once: {60 * len(results) / took:.0f} programs a minute, {failed} failed")
        own.close()
    if options.kill:
        _kill(model, options.kill)
    client.close()


def _compare(model: RemoteChat, local: Path | None) -> None:
    """Print the probabilities of options, and the largest difference to this computer's."""
    from desktop_app.engine.llm.llama_chat import LlamaChat

    messages = [ChatMessage("system", _INSTRUCTION), ChatMessage("user", _TEXT)]
    remote = model.choose(messages, _LINES, _OPTIONS)
    here = LlamaChat(local, n_threads=1).choose(messages, _LINES, _OPTIONS) if local else remote
    for line, one, other in zip(_LINES, remote, here, strict=True):
        pairs = zip(_OPTIONS, one.logprobs, other.logprobs, strict=True)
        words = (f"{o.strip()} {math.exp(a):.4f} ({math.exp(b):.4f})" for o, a, b in pairs)
        print(f"{line} {', '.join(words)}")


def _kill(model: RemoteChat, pid: int) -> None:
    """End the server when the first result is there; print how long the run took to notice."""
    killed_at = 0.0
    try:
        for _ in model.run_programs(_build_programs(50)):
            if not killed_at:
                os.kill(pid, signal.SIGKILL)
                killed_at = time.perf_counter()
    except ServerGone as problem:
        print(f"killed: {problem} after {time.perf_counter() - killed_at:.1f} s")


def _rank(client: ServerClient, model: str) -> None:
    """Print how a server ranks texts, one of which is longer than most models read at once."""
    question, *texts = "How much does Bob earn?", *_TEXT.split(". "), _TEXT * 60
    try:
        print("log-odds" if find_has_logits(client, model) else "from 0 to 1")
    except BadServerAnswer as problem:  # a model of random weights ranks at random
        print(problem)
    started = time.perf_counter()
    scores = RemoteReranker(client, model, True).score(question, texts)
    took = time.perf_counter() - started
    for text, score in zip(texts, scores, strict=True):
        print(f"{score:.6f} {len(text):,} characters: {text[:60]}")
    print(f"{took:.2f} s")


if __name__ == "__main__":
    main()
