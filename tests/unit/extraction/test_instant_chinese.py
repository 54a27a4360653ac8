"""Tests the instant graph of Chinese text with the real tagger."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import pytest

from desktop_app.engine.extraction.instant import InstantExtractor
from desktop_app.engine.extraction.rules.chinese_names import (
    ChineseNames,
    build_chinese_names,
    find_bare_titles,
    find_chinese_alias_pairs,
    find_cut_names,
    find_glued,
    find_gone_to,
    find_nicknames,
    find_titles_of_others,
    is_direction,
    is_phrase,
    locate_chinese_names,
)
from desktop_app.engine.extraction.rules.chinese_tagger import iter_found, repair_names
from desktop_app.engine.extraction.rules.chinese_use import find_used_as_words, measure_use
from desktop_app.engine.extraction.spans import LocatedName, TaggedSpan
from desktop_app.engine.model import ChunkEvidence, ChunkSpan

TEXT = (
    "且说王进是东京的教头，姓王，名进，绰号铁臂膀。那王提辖住在东京城里。\n\n"
    "王进道：“李忠哥哥何在？”李忠大怒，王进听了便笑。知府叫庄客请李忠吃酒。\n\n"
    "次日，铁臂膀王进与李忠同到延安府。只见李忠拜了王进，王进说道：“且去延安府。”\n\n"
    "后来铁臂膀王进读了《史记》。王进和李忠都在延安府住下。铁臂膀王进大喜。"
)


def split_sentences(text: str, _: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"[^。！？\n]+[。！？]?”?", text)]


@pytest.fixture(scope="module")
def evidence() -> ChunkEvidence:
    extractor = InstantExtractor(split_sentences)
    return next(extractor.extract(TEXT, [ChunkSpan(0, 0, len(TEXT), 0)], "zh"))


def test_every_mention_of_a_name_has_exact_offsets(evidence: ChunkEvidence) -> None:
    for mention in evidence.mentions:
        assert TEXT[mention.start : mention.end] == mention.name
        assert mention.sentence_start <= mention.start < mention.end <= mention.sentence_end
    assert sum(m.name == "王进" for m in evidence.mentions) == TEXT.count("王进")


def test_verbs_and_narrative_words_are_cut_from_names(evidence: ChunkEvidence) -> None:
    names = {mention.name for mention in evidence.mentions}
    assert {"王进", "李忠", "延安府"} <= names
    assert not names & {"王进道", "李忠大怒", "王进听", "只见李忠", "且说王进", "那王提辖"}


def test_titles_alone_are_no_names_but_with_a_surname_they_are(evidence: ChunkEvidence) -> None:
    names = {mention.name for mention in evidence.mentions}
    assert "王提辖" in names
    assert not names & {"知府", "庄客", "哥哥", "教头", "提辖"}


def test_people_places_and_works_have_their_types(evidence: ChunkEvidence) -> None:
    types = {mention.name: mention.type for mention in evidence.mentions}
    assert types["王进"] == "person"
    assert types["延安府"] == "place"
    assert types["史记"] == "object"


def test_a_nickname_is_a_separate_name_and_an_alias_of_its_owner(evidence: ChunkEvidence) -> None:
    assert "铁臂膀" in {mention.name for mention in evidence.mentions}
    assert any(set(pair) == {"铁臂膀", "王进"} for pair in evidence.also_called)


def test_pairs_carry_the_words_between_them(evidence: ChunkEvidence) -> None:
    ties = [r for r in evidence.relations if {r.source, r.target} == {"王进", "李忠"}]
    assert len(ties) == 1
    assert ties[0].weight > 1


def test_traditional_characters_are_supported() -> None:
    text = "劉備與關羽、張飛在桃園結義。劉備道：「關羽何在？」關羽笑道：「兄長！」張飛大怒。"
    extractor = InstantExtractor(split_sentences)
    found = next(extractor.extract(text, [ChunkSpan(0, 0, len(text), 0)], "zh"))
    assert {"劉備", "關羽", "張飛"} <= {mention.name for mention in found.mentions}


def test_chunks_do_not_change_the_names() -> None:
    extractor = InstantExtractor(split_sentences)
    half = TEXT.index("次日")
    chunks = [ChunkSpan(0, 0, half, 0), ChunkSpan(1, half, len(TEXT), 0)]
    whole = list(extractor.extract(TEXT, chunks, "zh"))
    rest = list(extractor.extract(TEXT, chunks, "zh", skip=frozenset({0})))
    assert rest == whole[1:]


def test_a_word_before_many_names_is_no_nickname() -> None:
    text = "花和尚鲁智深来了。" * 5 + "好汉林冲，好汉武松，好汉史进，好汉鲁智深。" * 4
    found = find_nicknames(text, ["鲁智深", "林冲", "武松", "史进"])
    assert found == {"花和尚": "鲁智深"}


@pytest.mark.parametrize(("how", "kind"), [("绰号", "person"), ("到了", "place")])
def test_who_has_a_nickname_like_a_place_is_a_person(how: str, kind: str) -> None:
    body = f"那人姓郑，{how}镇河东，住在桥下。众人进了镇河东，又出了镇河东。次日来到镇河东。"
    extractor = InstantExtractor(split_sentences)
    found = next(extractor.extract(body, [ChunkSpan(0, 0, len(body), 0)], "zh"))
    assert {m.type for m in found.mentions if m.name == "镇河东"} == {kind}


def test_find_names_returns_the_starts_of_all_names() -> None:
    assert list(iter_found("宋江见宋江", ["宋江"])) == [(0, "宋江"), (3, "宋江")]
    assert list(iter_found("宋江", [])) == []


def votes_of(text: str, **names: int) -> dict[str, Counter[str]]:
    votes = {name: Counter(person=n) for name, n in names.items()}
    repair_names(text, votes)
    return {name: counter for name, counter in votes.items() if counter.total()}


def test_words_at_both_ends_of_a_name_are_removed_together() -> None:
    votes = votes_of("宋江。" * 9 + "只见宋江大怒。", **{"宋江": 9, "只见宋江大怒": 1})
    assert votes == {"宋江": Counter(person=10)}


def test_a_given_name_that_is_a_place_gets_its_surname() -> None:
    met = "".join(f"{char}遲衡山道：你來了。" for char in "那這見了問請同向答謝說看叫喚")
    text = met + "我去衡山。" + "中国大陆的。" * 15
    votes = defaultdict(Counter, {"衡山": Counter(place=13), "大陆": Counter(place=15)})
    repair_names(text, votes)
    assert votes["遲衡山"] == Counter(person=13) and "衡山" not in votes
    assert votes["大陆"] == Counter(place=15)


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("张稍道：“好。”" * 4 + "张稍去了。", {"张稍道": 4}, {"张稍"}),
        ("庄客道：“不敢。”庄客报知。庄客报来。" * 4, {"庄客道": 4, "庄客报": 8}, set()),
        ("卓曰：“来！”" * 9 + "卓怒，起身。卓怒，杀之。", {"卓怒": 2}, set()),
        ("卞喜来了。" * 5, {"卞喜": 5}, {"卞喜"}),
        ("王进答应。" + "王进走了。" * 6, {"王进": 6, "王进答": 1}, {"王进"}),
        ("那庄客去了。" * 4, {"那庄客": 4}, set()),
        ("云长在此。" * 80 + "今云长去。关云长来。" * 3, {"云长": 80, "今云长": 3, "关云长": 3},
         {"云长", "关云长"}),
        ("黛玉笑。湘云笑。" * 60 + "黛玉湘云都在。" * 2, {"黛玉": 60, "湘云": 60, "黛玉湘云": 2},
         {"黛玉", "湘云"}),
    ],
)  # fmt: skip
def test_name_boundaries_are_corrected_with_counts_of_the_whole_text(
    text: str, names: dict[str, int], expected: set[str]
) -> None:
    assert votes_of(text, **names).keys() == expected


def test_a_title_of_a_single_person_is_an_alias() -> None:
    text = (
        "孙行者道：“走！”" * 60
        + "那里行者笑道：“来！”" * 120
        + "高太尉。宿太尉。太尉道：“是。”" * 120
    )
    found = find_bare_titles(text, {"孙行者": 60, "高太尉": 120, "宿太尉": 120})
    assert found == {"行者": 120}


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("那人姓刘，名备，字玄德。玄德大喜。", ("玄德", "玄德"), {("刘备", "玄德")}),
        ("司马懿为掾。懿字仲达，河内人。仲达笑。", ("司马懿", "仲达", "仲达"),
         {("司马懿", "仲达")}),
        ("酒家俗姓鲁，法名智深。鲁智深笑。", ("智深", "鲁智深"), {("鲁智深", "智深")}),
        ("马超，字孟起，西凉人。孟起来。", ("马超", "孟起", "孟起"), {("马超", "孟起")}),
        ("穆春，唤做小遮拦。", ("穆春", "小遮拦"), {("穆春", "小遮拦")}),
        ("贾芸小名芸儿。", ("贾芸", "芸儿"), {("贾芸", "芸儿")}),
        ("王庆，道号清虚，住在山里。", ("王庆", "清虚"), {("王庆", "清虚")}),
        ("方腊手下一员大将，绰号小养由基庞万春。", ("方腊", "小养由基", "庞万春"),
         {("庞万春", "小养由基")}),
        ("有一僧，是关公同乡人，法名普净。", ("关公", "普净"), set()),
        ("袭人亦是贾母之婢，本名珍珠。", ("贾母", "珍珠"), set()),
        ("寇封拜玄德为父，改名刘封。", ("玄德", "刘封"), set()),
        ("刘璝道：“有一异人，道号紫虚。”", ("刘璝", "紫虚"), set()),
    ],
)  # fmt: skip
def test_an_alias_stated_in_the_text_belongs_to_the_right_person(
    text: str, names: tuple[str, ...], expected: set[tuple[str, str]]
) -> None:
    located, at = [], 0
    for name in names:
        at = text.index(name, at)
        located.append(LocatedName(at, at + len(name), name, "person"))
        at += len(name)
    accepted = {*names, "刘备", "鲁智深"}
    assert {pair[1:] for pair in find_chinese_alias_pairs(text, located, {}, accepted)} == expected


def test_a_word_in_a_quoted_poem_is_not_counted_elsewhere() -> None:
    text = "读了《诗》。有诗为证。" * 3
    extractor = InstantExtractor(split_sentences)
    found = next(extractor.extract(text, [ChunkSpan(0, 0, len(text), 0)], "zh"))
    assert "诗" not in {mention.name for mention in found.mentions}


def test_idioms_clauses_and_numbers_are_no_names() -> None:
    for phrase in ("罔知所措", "望乞恕罪", "五七百人", "四五里路", "二马相交"):
        assert is_phrase(phrase, "person"), phrase
    for name in (
        "诸葛亮",
        "王熙凤",
        "贾赦",
        "善财童子",
        "百丈村",
        "三清殿",
        "观音菩萨",
        "小养由基",
    ):
        assert not is_phrase(name, "person"), name
    assert not is_phrase("逍遥津", "place")


def _glued(text: str, *, is_long: bool = True, **counts: tuple[str, int, int]) -> list[str]:
    """Return the glued names among name=(type, tagged, occurrences)."""
    votes = {name: Counter({kind: n}) for name, (kind, n, _) in counts.items()}
    totals = Counter({name: n for name, (_, _, n) in counts.items()})
    return sorted(find_glued(text, votes, totals, is_long=is_long))


def test_a_verb_behind_a_frequent_person_is_no_part_of_the_name() -> None:
    rare = {"武松掇": ("person", 2, 2), "武松公": ("person", 2, 2)}
    assert _glued("", 武松=("person", 900, 1_000), **rare) == ["武松掇"]
    # What recurs is a name, as 张翼德 beside 张翼.
    assert _glued("", 张翼=("person", 90, 95), 张翼德=("person", 17, 17)) == []
    # Without a surname the shorter string may be no name of its own.
    assert _glued("", 玄德=("person", 900, 1_800), 玄德泣=("person", 4, 4)) == ["玄德泣"]
    assert _glued("", 玄德=("person", 90, 180), 玄德泣=("person", 4, 4)) == []
    # A short text has few occurrences of anything.
    short = {"韩绍": ("person", 6, 9), "韩绍革": ("person", 1, 1)}
    assert _glued("", is_long=False, **short) == ["韩绍革"]
    assert _glued("", **short) == []


def test_a_word_of_position_behind_a_place_is_no_part_of_the_name() -> None:
    places = {
        "梁山泊": ("place", 400, 466),
        "梁山泊里": ("place", 7, 7),
        "梁山泊贼": ("place", 9, 9),
        "梁山泊寨": ("place", 9, 9),
    }
    assert _glued("", **places) == ["梁山泊贼", "梁山泊里"]


def test_the_first_character_of_the_next_name_is_no_part_of_the_name() -> None:
    text = "九纹龙史进来了。九纹龙史进去了。"
    people = {"九纹龙": ("person", 9, 2), "史进": ("person", 9, 2), "九纹龙史": ("person", 2, 2)}
    assert _glued(text, **people) == ["九纹龙史"]


def test_a_name_that_people_go_to_is_a_place_unless_it_says_something_or_owns_a_house():
    text = (
        "唐僧往西天取经。行者到西天去。八戒离西天而来。西天佛老在此。"
        "众人到史进庄上。吴用到史进处说话。林冲到史进面前。史进道：好。"
        "天子在宋江背后。石秀出宋江来。宋江说道。燕青到宋江来。顾大嫂入宋江来。"
    )
    assert find_gone_to(text, ["西天", "史进", "宋江", "唐僧"]) == ["西天"]
    assert find_gone_to(text.replace("宋江说道", ""), ["宋江"]) == ["宋江"]
    assert find_gone_to("到李先生来。到李先生来。到李先生来。", ["李先生"]) == []


def test_a_string_used_as_a_word_differs_from_a_name_by_what_stands_around_it() -> None:
    name = "众人见天晓，却与天晓道好。天晓道：“来。”教天晓去，天晓说。"
    word = "直睡到天晓方起，又坐天晓方才，至五更天晓方散。待天晓方行，不觉天晓方明。"
    rest = "那人来了，众人都去。" * 20
    assert find_used_as_words(name + rest, {"天晓": 4}) == []
    assert find_used_as_words(word + rest, {"天晓": 2}) == ["天晓"]
    used, named = (measure_use(text, {"天晓": 2})["天晓"] for text in (word, name))
    assert used["same_after"] == 5 / 7 and named["addressed"] == 3 / 7
    # a full name that the tagger knows everywhere stays, even if it does nothing
    assert find_used_as_words("只说高俅如何，高俅怎样。又是高俅了。", {"高俅": 3}) == []


def test_words_that_the_tagger_takes_for_people_are_no_names_of_a_long_text() -> None:
    """The weights, fitted without this text, find a common word among the names of a tale."""
    scene = "李三娘见张大郎来，与张大郎道：“你来。”张大郎道：“来了。”教李三娘坐。李三娘笑道：“好。”"
    verse = "只睡到天晓方起来，又走到天晓方歇息。"
    text = (scene + verse) * 1_000
    spans = [
        TaggedSpan(match.start(), match.end(), "person")
        for match in re.finditer("李三娘|张大郎|天晓", text)
        if match.group() != "天晓" or match.start() % 2
    ]
    borders = bytearray([1]) * (len(text) + 1)
    names = build_chinese_names(text, 0, len(text), spans, borders)
    assert {"李三娘", "张大郎"} <= names.types.keys() and "天晓" not in names.types


def test_a_bare_title_is_no_mention_inside_the_title_of_another_one() -> None:
    text = (
        "牛魔王道：“我即称做平天大圣。”蛟魔王称为复海大圣做了二哥。大圣笑道：“好平天大圣！”"
        "又称孙大圣。他是齐天大圣，称悟空大圣。"
    )
    names = ChineseNames(dict.fromkeys(("大圣", "孙大圣", "齐天大圣", "悟空"), "person"))
    assert find_titles_of_others(text, names.types) == {"平天大圣", "复海大圣"}
    located = locate_chinese_names(text, 0, len(text), names, bytearray(b"\1" * (len(text) + 1)))
    found = [text[name.start - 2 : name.end] for name in located if name.name == "大圣"]
    assert found == ["哥。大圣", "悟空大圣"]
    assert {"孙大圣", "齐天大圣"} <= {name.name for name in located}


@pytest.mark.parametrize(
    ("text", "name", "other"),
    [
        ("渡口上都叫她柳三娘。她本名柳含章，原是青石驿人。柳三娘笑了。", "柳三娘", "柳含章"),
        ("何雨柱听了一愣。此人本名何大雨，是隔壁的。何大雨走了。", "何雨柱", "何大雨"),
        ("掌秤的人姓沈，名衡，字子平。沈衡笑了。子平说：好。", "沈衡", "子平"),
        ("张建国是我的邻居，小名叫阿宝。阿宝爱哭。张建国笑了。", "张建国", "阿宝"),
        ("李大勇外号“铁头”，是工人。铁头不怕疼。李大勇笑了。", "李大勇", "铁头"),
        ("孙秀兰（小名秀秀）是班长。秀秀唱歌好。孙秀兰笑了。秀秀来了。", "孙秀兰", "秀秀"),
        (
            "刘德全是村里的木匠，大家都叫他老刘头。老刘头手艺好。刘德全笑了。老刘头来了。",
            "刘德全",
            "老刘头",
        ),
        ("人们送沈衡一个绰号，叫“铁秤先生”。铁秤先生走了。沈衡笑。", "沈衡", "铁秤先生"),
        ("周文斌，英文名David Chow，在上海工作。周文斌笑了。", "周文斌", "David Chow"),
    ],
)
def test_a_sentence_that_gives_another_name_makes_an_alias(text, name, other):
    found = next(
        InstantExtractor(split_sentences).extract(text, [ChunkSpan(0, 0, len(text), 0)], "zh")
    )
    assert {name, other} in [set(pair) for pair in found.also_called]


@pytest.mark.parametrize(
    "text",
    [
        "周大江见了吴小川。他本名吴三，是木匠。吴三笑了。周大江走了。吴小川走了。",
        "周大江有一个儿子，小名叫阿宝。阿宝爱哭。周大江笑了。",
        "周大江和吴小川是邻居，小名叫阿宝。阿宝爱哭。周大江笑了。",
    ],
)
def test_another_name_without_a_certain_owner_is_no_alias(text):
    found = next(
        InstantExtractor(split_sentences).extract(text, [ChunkSpan(0, 0, len(text), 0)], "zh")
    )
    assert found.also_called == ()


def test_a_cut_name_is_the_whole_one_where_one_character_always_follows() -> None:
    votes = {name: Counter(person=2) for name in ("鲁大", "沈衡", "余秋", "韩绍")}
    votes |= {"望潮": Counter(place=3), "加勒": Counter(place=2)}
    text = (
        "鲁大成水性好，翻江的鲁大成领着。沈衡说好。沈衡说不。余秋里来，余秋里来。韩绍走了，韩绍来了。"
        "望潮楼上，望潮楼的。加勒比海，加勒比人。"
    )
    assert find_cut_names(text, votes) == {"鲁大": "鲁大成", "望潮": "望潮楼"}


@pytest.mark.parametrize(
    ("name", "is_one"), [("朝江", True), ("向东", True), ("朝阳", False), ("长江", False)]
)
def test_where_something_faces_is_no_name(name, is_one):
    assert is_direction(name) == is_one
