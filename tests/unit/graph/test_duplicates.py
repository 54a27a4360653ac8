"""Tests likely duplicates: proposals of each method, exclusions, clusters."""

from __future__ import annotations

import random
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.graph.duplicates.model import ApartSentence, NameFacts, Pair, TextFacts
from desktop_app.engine.graph.duplicates.search import NEAR, cluster, find_pairs
from desktop_app.engine.graph.duplicates.shared_context import DISTINGUISHING, is_equating


def names(*texts: str | tuple[str, ...], n: int = 5, **more: object) -> list[NameFacts]:
    """Return one entity per text, ids from 1; a tuple is one entity with several names."""
    return [
        NameFacts(i, (text,) if isinstance(text, str) else text, n_mentions=n, **more)
        for i, text in enumerate(texts, start=1)
    ]


def find(facts: list[NameFacts], text: TextFacts | None = None) -> dict[tuple[int, int], Pair]:
    return {(pair.a, pair.b): pair for pair in find_pairs(facts, text, floor=0.05)}


def best_method(facts: list[NameFacts], text: TextFacts | None = None) -> str:
    pairs = find(facts, text)
    return pairs[1, 2].reasons[0].method if (1, 2) in pairs else ""


@pytest.mark.parametrize(
    ("left", "right", "method"),
    [
        ("Sherlock Holmes", "Holmes, Sherlock", "fingerprint"),
        ("Café Royal", "Cafe Royal", "fingerprint"),
        ("Baker Street", "Bakerstreet", "ngram"),
        ("Miss Sherman", "Sherman", "titles"),
        ("Lizzy", "Elizabeth", "nickname"),
        ("Bill Sikes", "William Sikes", "nickname"),
        ("J. Small", "Jonathan Small", "initials"),
        ("Cratchit", "Bob Cratchit", "part"),
        ("Clifford Pyncheon", "Clifford Pynchon", "spelling"),
        ("悟空", "孙悟空", "part"),
        ("武大", "武大郎", "part"),
        ("玉帝", "玉皇大帝", "part"),
        ("花知寨", "花荣", "surname"),
        ("西门大官人", "西门庆", "surname"),
        ("金大坚", "金大监", "pinyin"),
        ("Shen Heng", "沈衡", "pinyin"),
        ("Heng Shen", "沈衡", "pinyin"),
        ("Zhishen Lu", "鲁智深", "pinyin"),
        ("Dr. Seward", "John Seward", "part"),
    ],
)
def test_each_method_proposes_its_own_kind_of_duplicate(left, right, method):
    pair = find(names(left, right))[1, 2]
    assert method in {reason.method for reason in pair.reasons}
    assert any(left in reason.text and right in reason.text for reason in pair.reasons)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Mr. Bennet", "Mrs. Bennet"),
        ("Captain Morris", "Miss Morris"),
        ("Tom Tulliver", "Maggie Tulliver"),
        ("John Smith", "Peter Smith"),
        ("Bingleys", "Bingley"),
        ("Edward Gardiner", "Edward Gould"),
        ("D.F.", "F.D."),
        ("武大", "武二"),
        ("武大郎", "武二郎"),
        ("Miss Elizabeth Bennet", "Mrs. Bennet"),
        (("Mr. Casaubon", "Edward", "Edward Casaubon"), "Mr. Ned Plymdale"),
        ("尤二姐", "尤三姐"),
        ("王老爷", "王公子"),
        ("Shen Heng", "沈横渠"),
    ],
)
def test_two_different_people_are_never_proposed(left, right):
    shared = {9: 2.0, 10: 3.0, 11: 1.0}
    facts = names(left, right, chunks=frozenset((1, 2, 3)), neighbours=shared)
    assert (1, 2) not in find(facts)


def test_a_kinship_word_with_a_surname_means_nobody_with_a_bare_first_name():
    """Rachel Verinder was suggested as her own mother, who is Aunt Verinder to her cousins."""
    pairs = find(names("Aunt Verinder", ("Rachel", "Rachel Verinder"), "Lady Verinder"))
    assert (1, 2) not in pairs
    assert pairs[1, 3].score > 0.5
    assert (1, 2) in find(names("Aunt Verinder", "Julia Verinder"))
    assert (1, 2) in find(names("Aunt Rachel", ("Rachel", "Rachel Verinder")))


def test_an_aunt_with_the_surname_is_the_wife_of_the_family_before_its_daughter():
    pairs = find(names("Aunt Ablewhite", "Mrs. Ablewhite", "Miss Ablewhite"))
    assert pairs[1, 2].score > 0.5
    assert (1, 3) not in pairs or pairs[1, 3].score < 0.25


def test_a_full_name_that_introduces_a_first_name_is_more_likely_than_a_later_one():
    def score(of_full: int, *others: str) -> float:
        facts = names("Ottilie", "Ottilie Vance", *others)
        facts[0] = replace(facts[0], n_mentions=12, chunks=frozenset((2, 3)))
        facts[1] = replace(facts[1], n_mentions=1, chunks=frozenset((of_full,)))
        return find(facts)[1, 2].score

    assert score(1) > score(4)
    # of two full names each may introduce another one
    assert score(1, "Ottilie Marsh") == score(4, "Ottilie Marsh")


def test_a_title_alone_has_no_surname():
    """天 of 天王 is no surname, and 天晓 ("dawn") is not he."""
    chunks = frozenset((1, 2, 3))
    assert (1, 2) not in find(names("天王", "天晓", chunks=chunks))
    assert (1, 2) in find(names("牛王", "牛晓", chunks=chunks))


def test_the_gender_of_an_alias_excludes_a_pair():
    assert not find(names(("Bennet", "Mr. Bennet"), "Mrs. Bennet"))


def test_the_gender_of_the_pronouns_beside_a_name_excludes_a_pair():
    [short, full] = names("Lindsey", "Lindsey Hartop", type="person")
    assert (1, 2) in find([short, full])
    assert (1, 2) not in find([replace(short, gender="f"), replace(full, gender="m")])
    assert (1, 2) in find([replace(short, gender="f"), full])


def test_a_first_name_belongs_to_both_surnames_of_a_married_woman():
    woman = find(names("Wilhelmina", "Miss Wilhelmina Marsh", "Mrs. Wilhelmina Harrow"))
    man = find(names("Quentin", "Mr. Quentin Marsh", "Mr. Quentin Harrow"))
    assert min(woman[1, 2].score, woman[1, 3].score) > 0.5
    assert max(man[1, 2].score, man[1, 3].score) < 0.5


def test_a_surname_and_mr_with_it_are_probably_one():
    assert find(names("Thornby", "Mr. Thornby"))[1, 2].score > 0.5
    assert find(names("Thornby", "Mrs. Thornby"))[1, 2].score < 0.5


def test_people_named_in_one_sentence_are_less_likely_duplicates():
    facts = names("Jones", "Athelney Jones", chunks=frozenset(range(6)))
    apart = find(facts, TextFacts(together={(1, 2): 6}))
    alone = find(facts)
    assert alone[1, 2].score > 0.5
    assert (1, 2) not in apart or apart[1, 2].score < alone[1, 2].score - 0.3


def test_an_ambiguous_name_goes_to_the_entity_with_the_shared_neighbours():
    shared, elsewhere = {20: 2.0, 21: 2.0, 22: 1.0}, {30: 2.0, 31: 2.0, 32: 1.0}
    facts = [
        NameFacts(1, ("王教头",), neighbours=shared, chunks=frozenset((1, 2)), n_mentions=9),
        NameFacts(2, ("王进",), neighbours=shared, chunks=frozenset((1, 2, 3)), n_mentions=9),
        NameFacts(3, ("王伦",), neighbours=elsewhere, chunks=frozenset((8, 9)), n_mentions=9),
        *(NameFacts(i, (f"Place {i}",), "place") for i in (20, 21, 22, 30, 31, 32)),
    ]
    pairs = find(facts)
    assert pairs[1, 2].score > 0.6
    assert (1, 3) not in pairs or pairs[1, 3].score < 0.2


def test_a_nickname_before_a_name_belongs_to_that_name():
    facts = names("双尾蝎", "解宝", n=7)
    assert best_method(facts, TextFacts(adjacent={(1, 2): 6})) == "beside"
    assert not find(facts, TextFacts(adjacent={(1, 2): 1}))


def test_a_word_before_a_name_in_few_of_its_places_is_no_nickname():
    """多蒙大圣 ("many thanks to the sage") made 多蒙 a nickname by 2 of 11 places."""
    facts = names("多蒙", "悟空", n=11)
    assert not find(facts, TextFacts(adjacent={(1, 2): 2}))
    assert (1, 2) in find(facts, TextFacts(adjacent={(1, 2): 6}))


def test_two_full_names_of_one_family_in_a_row_are_two_people():
    others = "贾政 贾赦 贾珍 贾琏".split()
    adjacent = TextFacts(adjacent={(1, 2): 2})
    assert (1, 2) not in find(names("贾荇", "贾芷", *others, n=2), adjacent)
    # 石将军 is no full name, and he may be 石勇
    stones = "石秀 石宝 石达 石敬".split()
    assert (1, 2) in find(names("石将军", "石勇", *stones, n=2), adjacent)


def about_titles(pair: Pair) -> list[str]:
    return [one.text.format() for one in pair.against if one.method == "shared_title"]


def test_a_name_before_a_title_of_several_is_no_nickname_of_the_one_with_the_bare_title():
    adjacent = TextFacts(adjacent={(1, 2): 5})
    alone = find(names("广目", "天王", n=9), adjacent)[1, 2]
    assert about_titles(alone) == []
    shared = find(names("广目", "天王", "李天王", "托塔天王", n=9), adjacent)[1, 2]
    assert about_titles(shared) == [
        "“天王” stands after 3 different names, and may be a title of several people"
    ]
    assert shared.score < alone.score - 0.15
    # Its names are not only the title: nothing is unclear.
    merged = names("广目", ("天王", "毗沙门"), "李天王", "托塔天王", n=9)
    assert about_titles(find(merged, adjacent)[1, 2]) == []


# A word of no list is a title after three names: the surname 李 is that of four people here.
LI = ("李靖", "李彪", "李渊", "李定")


@pytest.mark.parametrize(
    ("others", "against"),
    [
        ((), ""),
        (("托塔天尊",), ""),
        (
            ("托塔天尊", "李天尊"),
            "“天尊” stands after 3 different names, and may be a title of several people",
        ),
        # 那 and 见 are no names, but words of the text before one.
        (("那天尊", "见天尊", "叫天尊"), ""),
    ],
)
def test_a_word_of_no_list_is_a_title_after_three_names(others, against):
    facts = names("广目", "天尊", *others, *LI, n=9)
    pair = find(facts, TextFacts(adjacent={(1, 2): 5}))[1, 2]
    assert about_titles(pair) == ([against] if against else [])


def test_one_place_where_a_name_is_before_a_title_makes_no_bearer():
    facts = names("广目", "天尊", "托塔天尊", "李天尊", "持国", *LI, n=9)
    pair = find(facts, TextFacts(adjacent={(1, 2): 5, (5, 2): 1}))[1, 2]
    assert "after 3 different names" in about_titles(pair)[0]


def test_a_full_name_behind_other_names_is_no_title():
    facts = names("及时雨", "李靖", "山东李靖", "大胆李靖", "黑面李靖", *LI[1:], "李成", n=9)
    assert about_titles(find(facts, TextFacts(adjacent={(1, 2): 5}))[1, 2]) == []


@pytest.mark.parametrize(
    ("before", "behind", "is_bearer"),
    [
        ("李四太尉", "郭申", True),
        ("李靖太尉", "郭申", True),
        ("李四太尉", "李申", False),  # one surname
        ("李四提辖", "郭申", False),  # a title that nobody else has
        ("神机太尉", "郭申", False),  # no name before the title, but a nickname
        ("铁面太尉", "郭申", False),
        ("李太尉", "郭申", False),  # a surname alone may be a nickname: 花和尚 is 鲁智深
    ],
)
def test_a_name_with_a_title_of_several_is_no_nickname_of_the_name_behind_it(
    before, behind, is_bearer
):
    facts = names(before, behind, "朱太尉", "高太尉", *LI, "铁牛", "铁武", "铁青", "铁山", n=6)
    pair = find(facts, TextFacts(adjacent={(1, 2): 5}))[1, 2]
    expected = f"“{before}” may be a name of its own with the title “太尉”"
    assert about_titles(pair) == ([expected] if is_bearer else [])
    free = find(names(before, behind, n=6), TextFacts(adjacent={(1, 2): 5}))[1, 2]
    assert (pair.score < free.score - 0.05) == is_bearer


def test_a_shared_title_that_divided_its_strength_is_not_lowered_twice():
    pair = find(names("天王", "李天王", "托塔天王", *LI, n=9))[1, 2]
    assert about_titles(pair)
    # A word of no list behind two names is no title: they divide their strength as before.
    two = find(names("天尊", "李天尊", "托塔天尊", *LI, n=9))[1, 2]
    assert about_titles(two) == [] and pair.score == two.score


def test_an_alias_stated_in_the_text_is_proposed_without_similarity():
    assert best_method(names("镇关西", "郑屠"), TextFacts(stated={(1, 2): 2})) == "also_called"


@pytest.mark.parametrize(
    ("between", "equates"),
    [
        ("，绰号", True),
        ("，人称", True),
        ("便是", True),
        (", known as ", True),
        (", better known as the ", True),
        (" alias ", True),
        (", called ", True),
        ("", False),
        (" and ", False),
        (" called “", False),  # what Mrs. Joe called “Pompeyed”
        ("和", False),
        (", who was called away by ", False),
    ],
)
def test_words_between_two_names_decide_whether_they_are_aliases(between, equates):
    assert is_equating(between) is equates


def test_is_equates_two_names_only_where_the_second_ends_the_clause():
    """那傅试原是贾政的门生 made a pupil his teacher, 便是王夫人李纨所说 a mother her son."""
    assert is_equating("原是", "。") and is_equating("就是", "了") and is_equating("即是")
    assert not is_equating("原是", "的")
    assert not is_equating("，便是", "李")
    assert is_equating("又名", "未")


def test_pairs_kept_apart_by_the_user_are_not_proposed():
    assert not find(names("Lizzy", "Elizabeth"), TextFacts(never=frozenset({(2, 1)})))


def test_vectors_propose_entities_with_similar_descriptions():
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(40, 24)).astype(np.float32)
    vectors[1] = vectors[0] + 0.05 * vectors[2]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    facts = names(*(f"Name{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(40)))
    found = find_pairs(facts, TextFacts(vectors=vectors), methods=("meaning",), floor=0.2)
    assert [(pair.a, pair.b) for pair in found] == [(1, 2)]


def test_only_the_selected_methods_propose():
    facts = names("Lizzy", "Elizabeth", "Cratchit", "Bob Cratchit")
    found = find_pairs(facts, methods=("part",))
    assert {(pair.a, pair.b) for pair in found} == {(3, 4)}


def test_a_certain_second_brother_excludes_the_first():
    shared, partly = {20: 2.0, 21: 2.0, 22: 1.0}, {20: 2.0, 23: 2.0, 24: 2.0}
    facts = [
        NameFacts(1, ("武松",), n_mentions=9, chunks=frozenset((1, 2, 3)), neighbours=shared),
        NameFacts(2, ("武二",), n_mentions=9, chunks=frozenset((1, 2, 3)), neighbours=shared),
        NameFacts(3, ("武大郎",), n_mentions=9, chunks=frozenset((1, 5, 6)), neighbours=partly),
        *(NameFacts(i, (f"Place {i}",), "place") for i in range(20, 25)),
    ]
    alone = {(pair.a, pair.b) for pair in find_pairs([facts[0], *facts[2:]])}
    assert alone == {(1, 3)}
    assert {(pair.a, pair.b) for pair in find_pairs(facts)} == {(1, 2)}


def test_different_types_make_a_pair_less_likely():
    alike = [NameFacts(1, ("Jefferson",), "person"), NameFacts(2, ("Jeffersom",), "person")]
    unlike = [alike[0], NameFacts(2, ("Jeffersom",), "place")]
    floor = 0.01
    (likely,) = find_pairs(alike, floor=floor)
    (less,) = find_pairs(unlike, floor=floor)
    assert less.score < likely.score


# --- clusters -----------------------------------------------------------------------------------


def pair(a: int, b: int, score: float) -> Pair:
    return Pair(a, b, score, ())


def test_similar_members_form_one_cluster():
    (found,) = cluster([pair(1, 2, 0.9), pair(2, 3, 0.8), pair(1, 3, 0.6)])
    assert found.ids == (1, 2, 3)
    assert found.certainty == pytest.approx((0.9 + 0.8 + 0.6) / 3, abs=1e-3)


def test_a_chain_does_not_become_one_cluster():
    found = cluster([pair(1, 2, 0.9), pair(2, 3, 0.8), pair(3, 4, 0.9)])
    assert {one.ids for one in found} == {(1, 2), (3, 4), (2, 3)}


def test_an_uncertain_pair_is_no_cluster():
    assert cluster([pair(1, 2, 0.4)]) == []


@given(
    st.dictionaries(
        st.tuples(st.integers(1, 9), st.integers(1, 9)).filter(lambda two: two[0] < two[1]),
        st.floats(0.0, 1.0),
        max_size=30,
    ),
    st.randoms(use_true_random=False),
)
def test_all_members_of_a_cluster_are_similar_in_any_order_of_input(scores, shuffler):
    pairs = [pair(a, b, score) for (a, b), score in scores.items()]
    found = cluster(pairs)
    shuffled = list(pairs)
    shuffler.shuffle(shuffled)
    assert cluster(shuffled) == found
    for one in found:
        for n, a in enumerate(one.ids):
            assert all(scores.get((a, b), 0.0) >= NEAR for b in one.ids[n + 1 :])


def test_the_search_is_deterministic_and_independent_of_order():
    facts = names("Lizzy", "Elizabeth", "Eliza", "Miss Bennet", "Bennet", "武松", "武二郎", "武二")
    shuffled = list(facts)
    random.Random(2).shuffle(shuffled)
    assert find_pairs(shuffled) == find_pairs(facts)


def test_a_reason_quotes_names_of_the_two_and_states_nothing_that_is_false():
    facts = names(
        "王班直",
        "王观察",
        ("唐牛儿", "唐二哥"),
        "唐二",
        "赵四替",
        "赵四",
        "Mrs. Roke",
        "Agnes Roke",
    )
    pairs = find(facts)
    texts = {pair: one.reasons[0].text for pair, one in pairs.items()}
    assert texts[1, 2] == "“王观察” and “王班直” start with “王”; “观察” is a title"
    assert "“唐二哥” starts with “唐二”" in texts[3, 4]
    assert texts[5, 6] == "“赵四替” starts with “赵四”"
    assert texts[7, 8] == "“Mrs. Roke” and “Agnes Roke” have “Roke” in common"


def test_what_speaks_against_a_pair_is_listed_and_lowers_its_certainty():
    tom, thomas, other = names("Tom Penhallow", "Thomas Penhallow", "Hallow Top", n=9)
    shared = frozenset((1, 2, 3))
    facts = [
        NameFacts(one.id, one.names, n_mentions=9, chunks=shared, neighbours={3: 2.0})
        for one in (tom, thomas)
    ]
    alone = find([*facts, other])[1, 2]
    assert alone.against == ()
    sentence = ApartSentence(1, 40, frozenset((2, 3)))
    told = find([*facts, other], TextFacts(distinguished={2: [sentence], 3: [sentence]}))[1, 2]
    assert told.against[0].place == (1, 40) and told.score < alone.score - 0.15
    together = find([*facts, other], TextFacts(together={(1, 2): 3.0}))[1, 2]
    assert together.against[0].text == (
        "3 sentences name both “Tom Penhallow” and “Thomas Penhallow”"
    )
    assert together.score < alone.score


def test_a_man_and_a_boy_of_one_name_are_less_likely_one():
    alike = find([NameFacts(1, ("Heathcliff",)), NameFacts(2, ("Master Heathcliff",))])[1, 2]
    apart = find(
        [NameFacts(1, ("Heathcliff", "Mr. Heathcliff")), NameFacts(2, ("Master Heathcliff",))]
    )[1, 2]
    assert "father and his son" in apart.against[0].text.format()
    assert apart.score < alike.score - 0.15 and not alike.against


def test_a_name_that_fits_several_others_equally_well_says_so():
    pair = find(names("Penhallow", "Amos Penhallow", "Ruth Penhallow"))[1, 2]
    assert pair.against[0].text == "“Ruth Penhallow” would also fit"


def test_a_woman_of_the_same_first_name_is_named_beside_the_suggestion_and_does_not_lower_it():
    alone = find([NameFacts(1, ("Agnes",)), NameFacts(2, ("Agnes Roke",))])[1, 2]
    facts = [
        NameFacts(1, ("Agnes",)),
        NameFacts(2, ("Agnes Roke",)),
        NameFacts(3, ("Agnes Penhallow",)),
    ]
    pair = find(facts)[1, 2]
    assert pair.against[0].text == "“Agnes” could also be “Agnes Penhallow”"
    assert pair.against[0].rivals == (3,) and pair.score == alone.score
    fuller = [*facts[:2], NameFacts(3, ("Agnes Mary Roke",))]
    assert not find(fuller)[1, 2].against  # a form of the same full name


def test_identifiers_and_codes_that_differ_in_a_letter_are_two():
    def things(*given: str) -> list[NameFacts]:
        return [NameFacts(i, (name,), type="concept") for i, name in enumerate(given, 1)]

    assert not find(things("FZ_IMAGE_PNG", "FZ_IMAGE_PNM"))
    assert not find(things("HP LaserJet IId", "HP LaserJet IIId"))
    assert not find(things("Language C", "Language C++", "Language C#"))
    assert not find(things("FZ_ENABLE", "FZ_ENABLE_HTML"))
    assert (1, 2) in find(things("FZ_NO_CACHE", "FZ NO CACHE"))
    assert (1, 2) in find(things("Pyncheon Street", "Pynchon Street"))


def test_a_very_long_name_takes_no_memory_for_spellings():
    base = "".join(chr(97 + n * n % 26) for n in range(400))
    tracemalloc.start()
    find([NameFacts(1, (base,)), NameFacts(2, (f"{base} {base[:300]}",))])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5e6  # 78 MB with the keys of both


def test_a_namesake_that_a_sentence_distinguishes_stays_a_rival_however_badly_it_fits():
    near = {9: 3.0, 8: 2.0}
    pilot = NameFacts(1, ("Tom", "Tom Penhallow"), n_mentions=40, neighbours=near)
    teacher = NameFacts(2, ("Thomas Penhallow",), n_mentions=2, neighbours={7: 1.0})
    bare = NameFacts(3, ("Penhallow",), n_mentions=2, neighbours=near)
    facts = [pilot, teacher, bare, *(NameFacts(i, (f"Name{i} Other",)) for i in (7, 8, 9))]
    assert find(facts)[1, 3].against == ()
    sentence = ApartSentence(1, 40, frozenset((1, 2)))
    for named in (1, 2):
        told = find(facts, TextFacts(distinguished={named: [sentence]}))[1, 3]
        assert "“Thomas Penhallow” would also fit" in [one.text for one in told.against]


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("He was no kin\nto the other.", True),
        ("她与城里的另一位同名。", True),
        ("He was kind to no other.", False),
        ("That man is no relation to you whatever.", False),
        ("They are not related to each other.", True),
        ("I call it by the same name that others use.", False),
        ("Both bore the same name.", True),
    ],
)
def test_phrases_that_distinguish_two_are_found(text, apart):
    assert bool(DISTINGUISHING.search(text)) == apart


def in_scenes(*texts: str | tuple[str, ...], n: int = 9) -> list[NameFacts]:
    """Return entities that meet the same people in the same passages, with two of these people."""
    others = {91: 3.0, 92: 2.0}
    facts = names(*texts, n=n, chunks=frozenset((1, 2, 3, 4)), neighbours=others)
    return [*facts, NameFacts(91, ("Zachary Quill",)), NameFacts(92, ("Xenia Quill",))]


def test_two_names_without_a_common_word_may_both_be_one_full_name():
    facts = in_scenes("Quincey", "Mr. Morris", "Quincey Morris")
    pair = find(facts)[1, 2]
    assert pair.score > 0.5
    assert pair.reasons[0].text == "“Quincey” and “Mr. Morris” may both be “Quincey Morris”"
    assert (1, 2) not in find(facts[:2])


def test_no_names_are_joined_through_a_full_name_that_is_not_certain():
    facts = in_scenes("Quincey", "Morris", "Quincey Morris", "Ralph Morris")
    assert any(one.method == "rivals" for one in find(facts)[2, 3].against)
    assert (1, 2) not in find(facts)


def test_other_forms_of_a_full_name_are_no_rivals():
    facts = in_scenes("Beresford", "Tommy Beresford", "Thomas Beresford")
    assert all(not find(facts)[1, other].against for other in (2, 3))
    others = in_scenes("Beresford", "Tommy Beresford", "William Beresford")
    assert [one.method for one in find(others)[1, 2].against] == ["rivals"]


@pytest.mark.parametrize("other", ["Morris and Son", "Jonathan Morris's Journal"])
def test_a_name_of_several_or_of_a_thing_is_no_other_bearer_of_a_name(other):
    assert find(in_scenes("Morris", "Quincey Morris", other))[1, 2].against == ()


@pytest.mark.parametrize(
    ("short", "full", "is_short_form"),
    [
        ("Tilly", "Ottilie Vance", True),
        ("Rosy", "Rosamond Vance", True),
        ("Dora", "Theodora Vance", True),
        ("Tan", "Tantripp", False),  # "Tan" is a word before an ending where nobody has a surname
        ("Mary", "Marianna Vance", False),  # a first name of its own
        ("Rosy", "Grosvenor Vance", True),
        ("Tilly", "Amos Vance", False),
    ],
)
def test_a_short_form_that_no_list_has_needs_the_same_scenes(short, full, is_short_form):
    found = find(in_scenes(short, full))
    assert (
        "nickname" in {r.method for r in found[1, 2].reasons} if (1, 2) in found else False
    ) == (is_short_form)
    assert (1, 2) not in find(names(short, full))  # never met


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("凤丫头", "王熙凤"),
        ("林姑娘", "林黛玉"),
        ("珍大爷", "贾珍"),
        ("蓉哥儿", "贾蓉"),
        ("小周", "周文斌"),
        ("苏姐", "苏晓梅"),
        ("凤丫头", "凤姐"),
    ],
)
def test_a_form_of_address_is_suggested_for_who_has_its_character(address, name):
    assert find(in_scenes(address, name))[1, 2].score > 0.5
    assert (1, 2) not in find(names(address, name))


def test_of_a_family_the_form_of_address_is_who_meets_the_same_people():
    facts = in_scenes("林姑娘", "林黛玉")
    stranger = NameFacts(
        3, ("林之孝",), n_mentions=9, chunks=frozenset((4, 8, 9)), neighbours={7: 1}
    )
    pairs = find([*facts, stranger, NameFacts(7, ("赖大",))])
    assert pairs[1, 2].score > 0.5
    assert (1, 3) not in pairs or pairs[1, 3].score < pairs[1, 2].score / 2


def test_a_miss_without_a_first_name_is_the_only_woman_of_the_surname():
    assert find(names("Miss Finn", "Jane Finn"))[1, 2].score > 0.5
