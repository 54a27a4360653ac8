"""The words for events and for the parts that names take in them."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_app.engine.model import ACTOR, PATIENT, PLACE, EventRow

from ..translation import later, tr
from .words import join_words

# By kind of `words/events.toml`: its name, then what to say where both are known, only who does it,
# or only to whom.
KIND_WORDS = {
    "dies": (later("dies"), "", later("{actor} dies"), later("{patient} dies")),
    "kills": (
        later("kills"),
        later("{actor} kills {patient}"),
        later("{actor} kills someone"),
        later("{patient} is killed"),
    ),
    "marries": (
        later("marries"),
        later("{actor} marries {patient}"),
        later("{actor} marries"),
        later("{patient} is married"),
    ),
    "born": (
        later("is born"),
        later("{actor} gives birth to {patient}"),
        later("{actor} gives birth"),
        later("{patient} is born"),
    ),
    "meets": (
        later("meets"),
        later("{actor} meets {patient}"),
        later("{actor} meets someone"),
        later("Someone meets {patient}"),
    ),
    "helps": (
        later("helps"),
        later("{actor} helps {patient}"),
        later("{actor} helps someone"),
        later("Someone helps {patient}"),
    ),
    "fights": (
        later("fights"),
        later("{actor} fights {patient}"),
        later("{actor} fights"),
        later("Someone fights {patient}"),
    ),
    "wins": (
        later("wins"),
        later("{actor} defeats {patient}"),
        later("{actor} wins"),
        later("{patient} is defeated"),
    ),
    "captures": (
        later("captures"),
        later("{actor} captures {patient}"),
        later("{actor} captures someone"),
        later("{patient} is captured"),
    ),
    "wounds": (
        later("wounds"),
        later("{actor} wounds {patient}"),
        later("{actor} wounds someone"),
        later("{patient} is wounded"),
    ),
    "departs": (
        later("departs"),
        later("{actor} leaves {patient}"),
        later("{actor} departs"),
        later("Someone leaves {patient}"),
    ),
    "arrives": (later("arrives"), "", later("{actor} arrives"), later("{patient} arrives")),
    "appointed": (
        later("is appointed"),
        later("{actor} appoints {patient}"),
        later("{actor} appoints someone"),
        later("{patient} is appointed"),
    ),
    "vows": (
        later("takes vows"),
        later("{actor} takes vows with {patient}"),
        later("{actor} takes vows"),
        later("{patient} takes vows"),
    ),
    "betrays": (
        later("betrays"),
        later("{actor} betrays {patient}"),
        later("{actor} betrays someone"),
        later("{patient} is betrayed"),
    ),
    "learns": (
        later("learns"),
        "",
        later("{actor} learns something"),
        later("{patient} learns something"),
    ),
    "gives": (
        later("gives"),
        later("{actor} gives something to {patient}"),
        later("{actor} gives something"),
        later("{patient} is given something"),
    ),
    "tells": (
        later("says"),
        later("{actor} speaks to {patient}"),
        later("{actor} speaks to someone"),
        later("Someone speaks to {patient}"),
    ),
    "recounts": (
        later("speaks of the past"),
        later("{actor} speaks of the past to {patient}"),
        later("{actor} speaks of the past"),
        later("{patient} hears of the past"),
    ),
    "described": (
        later("is described"),
        later("{actor} describes {patient}"),
        later("{actor} describes someone"),
        later("{patient} is described"),
    ),
}


ROLE_WORDS = {
    "": later("Takes no part"),
    ACTOR: later("Does it"),
    PATIENT: later("It is done to"),
    PLACE: later("Is the place"),
}


def format_event(event: EventRow) -> str:
    """Return what happens in one line: "Orlick fights Joe"."""
    return describe_event(event.kind, event.list_names(ACTOR), event.list_names(PATIENT))


def describe_event(kind: str, actors: Sequence[str], patients: Sequence[str]) -> str:
    """Return an event in one line: "Orlick fights Joe".

    A kind without words is shown as the library has it: a newer program may have written it.
    """
    words, both, active, passive = KIND_WORDS.get(kind, (kind, "", "", ""))
    form = (both or active) if actors and patients else active if actors else passive
    names = {"actor": join_words(actors), "patient": join_words(patients)}
    return tr(form, **names) if form else tr(words)
