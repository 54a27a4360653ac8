"""The command `model-server`: models of an OpenAI-compatible server, for one library."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine.errors import UserError, cannot_read
from .command_context import (
    open_library,
    open_models,
    open_registry,
    path_argument,
    show,
    stop_on_interrupt,
)
from .models import CapabilityLine, show_capabilities

if TYPE_CHECKING:
    from ..engine.services.library import Library
    from ..engine.services.library_models import LibraryModels
    from ..engine.services.model_servers import ModelServer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("show", help="show the server of the library, and what is sent to it")
    setting = actions.add_parser(
        "set", help="try a server, show what would be sent, and use it if you agree"
    )
    setting.add_argument("address", help="such as http://192.168.1.20:8080/v1")
    setting.add_argument("--chat", default="", help="its model for answers and enriching")
    setting.add_argument("--embedding", default="", help="its model for search by meaning")
    setting.add_argument("--reranker", default="", help="its model that orders passages (/rerank)")
    setting.add_argument(
        "--key-file", type=path_argument, help="file whose first line is the key of the server"
    )
    setting.add_argument("--at-once", type=int, help="requests side by side (default: 4)")
    setting.add_argument("--timeout", type=int, help="seconds without an answer (default: 120)")
    setting.add_argument("--context", type=int, help="tokens that the model reads")
    setting.add_argument("--billions", type=float, help="size of the model, in 10^9 parameters")
    setting.add_argument(
        "--allow-plain-http",
        action="store_true",
        help="send readable text across the internet (http:// to a public address)",
    )
    setting.add_argument("--yes", action="store_true", help="agree to what is sent, and use it")
    on = actions.add_parser("on", help="use the server that is set")
    on.add_argument("--yes", action="store_true", help="agree to what is sent")
    test = actions.add_parser(
        "test", help="ask the server a question that has nothing of the library"
    )
    test.add_argument(
        "--capabilities",
        action="store_true",
        help="find out in two minutes what its chat model can do, with texts of the demo",
    )
    actions.add_parser("off", help="use the models of this computer; the server stays set")
    actions.add_parser("forget", help="turn the server off and forget its address and key")


def run(options: argparse.Namespace) -> int:
    """Run one action and return the exit code."""
    with open_library(options) as library, open_registry() as registry:
        models = open_models(library, registry)
        if options.action == "set":
            return _set(library, models, options)
        if options.action == "on":
            return _turn_on(library, models, options)
        if options.action == "test":
            return _test(models, options)
        if options.action == "off":
            models.turn_off()
        elif options.action == "forget":
            models.forget_server()
        _show(models, options)
    return 0


def _test(models: LibraryModels, options: argparse.Namespace) -> int:
    result = models.check()
    if not (options.capabilities and result.ok):
        show(result, [str(result.message), f"  {result.sample}"], options.json)
        return 0 if result.ok else 2
    from ..engine.services.model_capabilities import check_capabilities

    if not options.json:
        print(result.message, flush=True)
    line = CapabilityLine()
    with models.borrow_served_chat() as model, stop_on_interrupt() as cancel:
        found = check_capabilities(model, cancel=cancel, on_progress=line)
    line.end()
    show_capabilities(found, {"check": result}, options.json)
    return 0


def _show(models: LibraryModels, options: argparse.Namespace) -> None:
    from ..engine.services.model_servers import WHAT_IS_SENT

    server = models.server
    lines = ["No server is set: all models are on this computer."]
    if server.url:
        used = "is used" if server.is_on else "is off"
        here = "on this computer"
        lines = [
            f"{server.url} {used} for this library.",
            f"  answers: {server.chat or here}",
            f"  search by meaning: {server.embedding or here}",
            f"  reranker: {server.reranker or here}",
        ]
        can = server.features
        lines.append(f"  context: {server.n_ctx or can.n_ctx or 'not stated'} tokens")
        lines.append(f"  requests at once: {server.n_at_once}, time-out: {server.silence_s} s")
        if server.chat and not can.n_top:
            lines.append(
                "  It does not state how likely answers are: names and connections are listed in "
                "free form, answers are checked in words, and duplicates can't be compared."
            )
        if server.is_on:
            lines += ["Sent to it:", *(f"  {WHAT_IS_SENT[role]}" for role in server.roles)]
    show(server, lines, options.json)


def _set(library: Library, models: LibraryModels, options: argparse.Namespace) -> int:
    from ..engine.llm.remote.address import parse_address

    address = parse_address(options.address)
    if address.needs_confirmation and not options.allow_plain_http:
        raise UserError(
            "Without encryption, everybody on the way to {site} could read what is sent.",
            "Use https://, or allow it with --allow-plain-http.",
            site=address.site,
        )
    key = _read_key(options.key_file)
    server = replace(models.server, url=address.url, **_read_options(options))
    listed = [one.name for one in models.connect(address.url, key)]
    others = {"embedding": options.embedding, "reranker": options.reranker}
    chat = options.chat
    if len(listed) == 1 and not any(others.values()):
        chat = chat or listed[0]
    if not chat and not any(others.values()):
        raise UserError(
            "{site} has several models: {names}.",
            "Choose with --chat, --embedding and --reranker.",
            site=address.site,
            names=", ".join(listed[:20]) or "none",
        )
    models.set_server(replace(server.with_roles({"chat": chat} | others), is_on=False), key)
    return _turn_on(library, models, options)


def _read_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the given values of the options, checked."""
    from ..engine.services.model_servers import ModelServer
    from ..engine.settings import check_value, options_of

    given = {
        "n_at_once": options.at_once,
        "silence_s": options.timeout,
        "n_ctx": options.context,
        "n_billions": options.billions,
    }
    known = {one.name: one for one in options_of(ModelServer)}
    return {n: check_value(known[n], value) for n, value in given.items() if value is not None}


def _turn_on(library: Library, models: LibraryModels, options: argparse.Namespace) -> int:
    """Use the server if the user agrees to what is sent, which is shown before the first time."""
    if models.server.needs_agreement and not options.yes and not _agrees(library, models):
        print("inkgraph: the server is set, and off; nothing of the library was sent.", flush=True)
        return 1
    models.turn_on()
    _show(models, options)
    return 0


def _agrees(library: Library, models: LibraryModels) -> bool:
    """Show what would be sent and ask; False where there is no terminal to ask on."""
    from ..engine.services.model_servers import WHAT_IS_SENT, build_examples

    server: ModelServer = models.server
    print(f"From then on this would be sent to {server.address.site}:", file=sys.stderr)
    for role in server.roles:
        print(f"- {WHAT_IS_SENT[role]}", file=sys.stderr)
    print("For example, in full:\n", file=sys.stderr)
    for example in build_examples(
        library.writer, server, models.has_key(), "What is this passage about?"
    ):
        print(example.text + "\n", file=sys.stderr)
    if not sys.stdin.isatty():
        print("inkgraph: agree with --yes.", file=sys.stderr)
        return False
    return input("Send such texts from now on? [y/N] ").strip().lower() in ("y", "yes")


def _read_key(file: Path | None) -> str | None:
    """Return the key in a file; None without one, so that the known key is kept."""
    if file is None:
        return None
    try:
        return file.read_text("utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise cannot_read(file, error) from error
