"""Parses the names of all entities once for all methods, and groups them by keys.

Contains no rule about which names are duplicates.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...model import NameCount
from ...scripts import HAN, HAN_COMPATIBILITY
from ..names import normalise_name
from ..resolution import LatinForm, is_bare_latin, read_forms
from .model import NameFacts

_SHORT_FORMS = """
abigail abby gail|abraham abe abram|agnes aggie nessie|albert al bert bertie|alexander alec alex
sandy sasha|alexandra alex sandra sasha|alfred alf alfie fred|alice allie|amelia amy millie|
andrew andy drew|ann anne anna annie nan nancy|anthony tony|antoinette toni nettie|arabella bella
bell|archibald archie|arthur art artie|augustus gus august|barbara babs barbie|bartholomew bart
bat|beatrice bea trixie|belinda bella linda|benjamin ben benny benjy|bernard bernie barney|
bridget biddy bridie|caroline carrie caro lina|catherine katherine katharine kathryn cathy kate
katie kathy kitty kit kat|charles charlie charley chuck chas|charlotte lottie charlie|
christian chris|christina chrissie tina|christopher chris kit kester|clara clare|clarence clem|
cornelius neil|daniel dan danny|david dave davy davie|deborah debbie deb|dorothy dot dolly dora
dodo|ebenezer eben|edmund ed ned ted|edward ed eddie ned ted teddy|edwin ed eddie|eleanor elinor
ellen nell nellie nora|elizabeth eliza lizzy lizzie liz beth betsy betty bess bessie libby elsie
lisbeth bet|emily em emmy millie|emma em emmy|ernest ernie|esther essie hetty|eugene gene|
evelyn eve evie|ezekiel zeke|fitzwilliam fitz|florence flo flossie florrie|frances fanny fran
frankie|francis frank frankie|frederick frederic fred freddy freddie|gabriel gabe|geoffrey geoff
jeff|george georgie|georgiana georgy|gerald gerry jerry|gertrude gertie trudy|gilbert gil bert|
gregory greg|gwendolen gwen|hannah nan|harold harry hal|harriet hattie harry|helen nell nellie
lena|henrietta hetty etta|henry harry hal hank|herbert bert herb bertie|hezekiah hez|horatio
horace|hugh hughie|humphrey humph|ignatius iggy|isaac ike|isabella isabel bella bell izzy|
jacob jake|james jem jim jimmy jamie|jane janie jenny jennie janey|janet jenny|jeffrey jeff|
jeremiah jerry|jessica jess jessie|joan joanie|johanna jo|john jack johnny jackie jock|
jonathan jon jonny|joseph joe joey jo|josephine jo josie|joshua josh|judith judy|julia julie|
julian jules|kenneth ken kenny|laura laurie lolly|lawrence laurence larry laurie|leonard len
lenny leo|leopold leo|letitia letty|lewis louis lou lew|lillian lily lil|louisa louise lou lulu|
lucas luke|lucinda lucy cindy|lucretia lu|lydia liddy|mabel may|madeleine maddy|magdalen
maggie lena|margaret maggie meg peggy madge marge margery daisy greta peg|maria mimi|
marianne annie|marmaduke duke|martha mattie patty marty|martin marty|mary molly polly moll may
mamie minnie|matilda tilly mattie maud|matthew matt|maurice morris|maximilian max|michael mike
mick micky mickey|mildred millie|miriam mimi|montague monty|mortimer mort|nathaniel nat nathan
nate|nicholas nick nicky|nicodemus nick|oliver noll ollie|olivia livy|oswald ozzie|patricia pat
patty|patrick pat paddy|penelope penny|percival percy|peregrine perry|peter pete|philip phil pip|
phineas phin|priscilla cissy|prudence prue|rachel rae|randolph randy|raymond ray|rebecca becky
becca|reginald reg reggie rex|richard dick dickie rick richie dickon|robert bob bobby rob robin
bert robbie|roderick rod|roger hodge|roland rollo rowland|ronald ron ronnie|rosalind rosa roz|
rosamond rose|rose rosie|rudolph rudy|rupert bert|ruth ruthie|samuel sam sammy|sarah sara sally
sal sadie|sebastian seb|silas si|simon sim|solomon sol|sophia sophie sophy|stephen steven steve|
susan susanna susannah sue susie suky|sylvester sly|sylvia syl|tabitha tabby|thaddeus thad tad|
theodore ted teddy theo|theresa teresa tess tessa terry|thomas tom tommy|timothy tim timmy|
tobias toby|uriah uri|ursula ursie|valentine val|veronica ronnie|victor vic|victoria vicky|
vincent vince|virginia ginny|walter walt wat|wilfred will fred|wilhelmina mina minnie|william bill
billy will willy willie liam|winifred winnie freda|winston win|zachariah zach zachary
"""

FULL_NAMES: dict[str, frozenset[str]] = {}
for _entry in _SHORT_FORMS.replace("\n", " ").split("|"):
    _names = _entry.split()
    for _name in _names:
        FULL_NAMES[_name] = FULL_NAMES.get(_name, frozenset()) | {_names[0]}


def may_be_same_first_name(a: str, b: str) -> bool:
    """Return whether two first names can be forms of one name ("Lizzy" and "Eliza")."""
    return a == b or bool(FULL_NAMES.get(a, frozenset((a,))) & FULL_NAMES.get(b, frozenset((b,))))


_HAN = re.compile(f"[{HAN}{HAN_COMPATIBILITY}·]+")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_JOINED_NAMES = re.compile(r"--|—|[.!?] ?-")  # two names that were joined by mistake
MAX_BLOCK = 400  # names with one key; a key with more names is no evidence


@dataclass(frozen=True, slots=True)
class Form:
    """One name of one entity; `person` is the parsed name if it may be the name of a person."""

    id: int
    name: str
    key: str
    words: tuple[str, ...]
    is_han: bool
    person: LatinForm | None = None


class Forms:
    """The parsed names of all entities, by entity and by script."""

    def __init__(self, facts: Sequence[NameFacts]) -> None:
        self.facts = {one.id: one for one in facts}
        self.all: list[Form] = []
        self.of: dict[int, list[Form]] = defaultdict(list)
        for one in facts:
            for form in _parse_names(one):
                self.all.append(form)
                self.of[one.id].append(form)
        self._first_words = {
            form.person.words[0] for form in self.all if form.person and len(form.person.words) > 1
        }
        self.latin = [form for form in self.all if not form.is_han]
        self.han = [form for form in self.all if form.is_han]

    def has_title(self, entity_id: int, titles: frozenset[str], *, first: bool = False) -> bool:
        """Return whether a name of an entity has one of these titles.

        Args:
            first: count only titles before a first name.
        """
        return any(
            form.person is not None
            and form.person.title in titles
            and (not first or len(form.person.words) > 1 or self._is_first(form.person.words[0]))
            for form in self.of[entity_id]
        )

    def _is_first(self, word: str) -> bool:
        return word in FULL_NAMES or word in self._first_words


def _parse_names(one: NameFacts) -> Iterator[Form]:
    counts = [
        NameCount(n, name, 1, {one.type: 1}, "", one.documents) for n, name in enumerate(one.names)
    ]
    people = {form.name.name_id: form for form in read_forms(counts)}
    for n, name in enumerate(one.names):
        key = normalise_name(name)
        is_han = bool(_HAN.fullmatch(key))
        if not key or (not is_han and (is_bare_latin(name) or _JOINED_NAMES.search(name))):
            continue
        words = (key,) if is_han else tuple(_WORD.findall(strip_accents(key)))
        if words:
            yield Form(one.id, name, key, words, is_han, people.get(n))


def strip_accents(text: str) -> str:
    """Return the text in lower case without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in plain if not unicodedata.combining(char))


def iter_pairs(forms: Sequence[Form]) -> Iterator[tuple[Form, Form]]:
    """Yield the pairs of different entities in a block; none if the block is too large."""
    if len(forms) <= MAX_BLOCK:
        for n, left in enumerate(forms):
            for right in forms[n + 1 :]:
                if left.id != right.id:
                    yield left, right


def group_by_key(forms: Iterable[Form], keys: Iterable[object]) -> list[list[Form]]:
    """Return blocks of at least two forms with the same key; empty keys are ignored."""
    blocks: dict[object, list[Form]] = defaultdict(list)
    for form, key in zip(forms, keys, strict=True):
        if key:
            blocks[key].append(form)
    return [block for block in blocks.values() if len(block) > 1]
