"""What is known of a model server, how long its answers are waited for, and how requests fail.

Without the client itself, whose HTTP library and event loop take long to import: most libraries
use no server.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...errors import EnvironmentProblem, UserError
from ...messages import Message
from .address import ServerAddress

FLAG, PLAIN = "flag", "plain"


@dataclass(frozen=True, slots=True)
class ChatFeatures:
    """What a server can do with a chat model, as `find_features` found by trying.

    Attributes:
        continues: how it continues a turn that is begun: `FLAG` with the parameters of vLLM and
            llama-server, `PLAIN` by itself, "" not at all.
        has_template_options: whether it accepts the parameter that switches thinking off.
        n_top: of how many next words it states the probability, 0 if of none.
        n_ctx, n_parameters: of the model, 0 if the server does not state them.
    """

    continues: str = ""
    has_template_options: bool = False
    n_top: int = 0
    n_ctx: int = 0
    n_parameters: int = 0


def name_remote(model: str, address: ServerAddress) -> str:
    """Return the name of a model that is recorded with what it wrote."""
    return f"{shorten_name(model)} @ {address.site}"


def shorten_name(model: str) -> str:
    """Return a model's name; llama-server names a file by its whole path."""
    if model.lower().endswith(".gguf"):
        return re.split(r"[/\\]", model)[-1][: -len(".gguf")]
    return model


class ServerGone(EnvironmentProblem):
    """The server cannot be reached, or does not answer; local models can be used instead."""


class ServerRefused(EnvironmentProblem):
    """The server is there and refuses every such request: a wrong key, an unknown model."""


class BadServerAnswer(EnvironmentProblem):
    """The server answered one request with something that can't be used."""


def unusable_answer(site: str, why: Message) -> BadServerAnswer:
    """Return the error about an answer that has another form than OpenAI's API gives it."""
    return BadServerAnswer(
        "The answer of {site} can't be used: {why}.",
        "Check that it is an OpenAI-compatible server.",
        site=site,
        why=why,
    )


class TooLongForServer(UserError):
    """The texts of a request are longer than the model on the server reads."""


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Limits of one request.

    Attributes:
        silence_s: without a byte; a slow server reads a long prompt for minutes.
        total_s: of a whole answer.
        answer_bytes: of a whole answer. A chunk's vectors take 20 KB each as JSON, an answer's
            text less than 100 KB; with the likeliest words beside each it may be 20 times as much.
        waits_s: before each retry.
    """

    connect_s: float = 10.0
    silence_s: float = 120.0
    total_s: float = 900.0
    answer_bytes: int = 30_000_000
    waits_s: tuple[float, ...] = (0.5, 1.5, 4.0)


USUAL_LIMITS = RequestLimits()
