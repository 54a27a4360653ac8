"""Chinese words that stand after the names of several people: titles with more than one bearer.

Counts the names of the library, and proposes nothing. 天王 after 李, 托塔 and 广目 is the title of
three: alone it means now one and now another. Such a count works for the titles of any text (天王,
经理, 老师), because a title is what is added to the name of whoever has it. A given name that
several families use is as ambiguous, and counts the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from .chinese_words import TITLES, count_surnames, is_full_name, rank_of, surname_of
from .forms import Forms
from .model import PairKey

# Entities with a word at the end of their names that make it a shared title. A word of the list is
# a title already, so that two show that it is shared; another word may be behind two names because
# the recognition of names made a mistake (蒙大圣 and 闻大圣 are both 大圣).
_MIN_BEARERS, _MIN_BEARERS_OF_KNOWN = 3, 2
_MIN_ADJACENT = 2  # places; in one, the next word of a sentence may begin there
_KNOWN_TITLES = frozenset(title for title in TITLES if len(title) > 1)


class SharedTitles:
    """The titles with several bearers, from all names of a library and the names in a row.

    Args:
        adjacent: as in `TextFacts`.
    """

    def __init__(self, forms: Forms, adjacent: Mapping[PairKey, int]) -> None:
        self._forms = forms
        people = [form for form in forms.han if forms.facts[form.id].type == "person"]
        self._people = {form.key for form in people}
        self._surnames = count_surnames(self._people)
        owners: dict[str, set[int]] = defaultdict(set)
        for form in forms.han:
            owners[form.key].add(form.id)
        bearers: dict[str, set[int]] = defaultdict(set)
        for form in people:
            for cut in range(1, len(form.key) - 1):
                name, word = form.key[:cut], form.key[cut:]
                # 那 of 那大圣 is no surname
                is_name_part = cut > 1 or name in self._surnames
                if word in _KNOWN_TITLES or (word in owners and is_name_part):
                    bearers[word].add(form.id)
        # At the end of one other name only, it is a given name (智深 of 鲁智深), and may have a
        # nickname before it.
        bearers = {
            word: found - owners.get(word, set())
            for word, found in bearers.items()
            if len(found - owners.get(word, set())) > 1 and not self._is_full_name(word)
        }
        for (before, behind), n in adjacent.items():
            for form in forms.of.get(behind, ()):
                if n >= _MIN_ADJACENT and form.key in bearers and before in forms.of:
                    bearers[form.key].add(before)  # 广目 before 天王
        self._n_bearers = {
            word: len(found)
            for word, found in bearers.items()
            if len(found) >= (_MIN_BEARERS_OF_KNOWN if word in _KNOWN_TITLES else _MIN_BEARERS)
        }

    def n_bearers(self, title: str) -> int:
        """Return how many entities have a title; 0 for a word that is no title of several."""
        return self._n_bearers.get(title, 0)

    def find_bare(self, entity_id: int) -> str:
        """Return the title that is the only name of an entity; "" if it has another name."""
        forms = self._forms.of.get(entity_id, ())
        if len(self._forms.facts[entity_id].names) == len(forms) == 1:
            return forms[0].key if forms[0].key in self._n_bearers else ""
        return ""

    def find_bearer(self, before: int, behind: int) -> tuple[str, str]:
        """Return a name and its title if it is no nickname of the entity behind it; else "", "".

        李四太尉 before 郭申 is another man: 李四 is a name, and of another surname. 圣水将军 before
        单廷珪 and 铁面孔目 before 裴宣 are nicknames: 圣水 and 铁面 are no names. A surname alone
        does not decide: 花和尚 is 鲁智深.
        """
        surnames = {surname_of(form.key) for form in self._forms.of.get(behind, ()) if form.is_han}
        for form in self._forms.of.get(before, ()):
            for cut in range(2, len(form.key) - 1) if form.is_han else ():
                name, title = form.key[:cut], form.key[cut:]
                if (
                    title in self._n_bearers
                    and surname_of(name) not in surnames
                    and self._is_known_name(name)
                ):
                    return form.name, title
        return "", ""

    def _is_known_name(self, word: str) -> bool:
        """Return whether a word is a surname with a rank, or a full name of the library."""
        is_ranked = surname_of(word) in self._surnames and bool(rank_of(word))
        return is_ranked or (word in self._people and self._is_full_name(word))

    def _is_full_name(self, word: str) -> bool:
        return surname_of(word) in self._surnames and is_full_name(word)
