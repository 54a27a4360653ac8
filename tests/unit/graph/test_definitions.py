"""Which sentences define a name, and that most sentences with a name don't."""

import pytest

from desktop_app.engine.graph.definitions import (
    ONLY_NAMED,
    build_split_name,
    choose_definitions,
    continues_definition,
    order_introductions,
)
from desktop_app.engine.model import MentionRow


def choose(
    name: str, *sentences: str, is_person: bool = True, limit: int = 2, spoken: str = "–"
) -> list[str]:
    """Return the sentences that define the name; they stand in one document, in this order."""
    rows = [
        MentionRow(1, "A", n, name, at := 1000 * n + one.index(name), at + len(name), one, 1000 * n)
        for n, one in enumerate(sentences)
    ]
    chosen = choose_definitions(
        rows, is_person=is_person, limit=limit, is_spoken=lambda one: spoken in one.sentence
    )
    return [row.sentence for row in chosen]


@pytest.mark.parametrize(
    ("name", "sentence", "is_person"),
    [
        ("Mr. Bruff", "Mr. Bruff, the lawyer, had arrived a minute since.", True),
        ("Ben Gunn", "I met Ben Gunn, the maroon; and I walked on.", True),
        ("LightRAG", "We propose LightRAG, a model that integrates two indexes.", False),
        ("Candy", "The guest on her left was Mr. Candy, our doctor at Frizinghall.", True),
        ("Bumble", "Mr. Bumble, the beadle, walked on with long strides.", True),
        ("Conrad", "Conrad was undoubtedly the tenant of the house.", True),
        ("Betteredge", "She is the daughter of an old man named Betteredge, of York.", True),
        ("Lucy", "I met the fisherman’s daughter, Lucy, on the sands.", True),
        ("MuPDF", "MuPDF is a portable library for rendering documents.", False),
        ("SVG", "Scalable Vector Graphics (SVG) came later than the others.", False),
        ("The Store", "The Store is a mechanism for holding blocks of data.", False),
        ("黄信", "这黄信是个武官，终有些胆量，便拍马向前看时。", True),
        ("唐僧", "唐僧乃是离乡背井的一个行脚僧。", True),
        ("解珍", "且说登州山下有一家猎户，哥哥唤做解珍，兄弟唤做解宝。", True),
        ("刘备", "刘备，字玄德，是涿郡人。", True),
        ("孙悟空", "自今就叫做孙悟空也！”", True),  # the end of a speech
        ("孙权", "孙权乃大孝之人，随即应承。", True),
        ("长安", "长安乃西汉建都之处，城郭坚固。", False),
        ("Ezra Jennings", "His assistant--a certain Mr. Ezra Jennings--was at our disposal.", True),
        ("Rosanna", "The person here mentioned as Rosanna was our second housemaid.", True),
        ("Frizinghall", "(Frizinghall was our nearest town.)", False),
        ("柳三娘", "望潮楼的女掌柜，渡口上都叫她柳三娘。", True),
    ],
)
def test_a_whole_sentence_that_says_who_or_what_defines_a_name(name, sentence, is_person):
    assert choose(name, sentence, is_person=is_person) == [sentence]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Rachel", "Rachel was the next to say good-night."),  # a rank
        ("Franklin", "Franklin was a perfect savage by comparison with him."),  # an opinion
        ("Betteredge", "Betteredge is a wonderful man."),
        ("Cuff", "When she had last seen Sergeant Cuff, my mistress told me so."),  # the subject
        ("Moonstone", "After the loss of the Moonstone, our lawyer, at her request, sat down."),
        ("Godfrey", "He went up-stairs with Mr. Godfrey, their rooms being next door."),
        ("Tommy", "Tommy, his mind made up, slipped quickly into the recess."),
        ("Clara", "He left pretty Clara, the butler, and the cook at home."),  # a list
        ("John", "The ladies, Mr. John, the old servant, were all gazing at me."),
        ("Bruff", "“Bruff is a lawyer of the old sort, and no friend of yours.”"),  # speech
        ("Bruff", "the house of Mr. Bruff, the lawyer, was empty."),  # its beginning is missing
        ("Bruff", "Was Mr. Bruff, the lawyer, at home?"),
        ("Blake", "Mr. Blake, the elder, was up to his eyes in business."),  # which of two
        ("Overview", "5.1 Overview ."),
        ("玄德", "玄德乃拜单福为军师，调练本部人马。"),  # 乃 is "then"
        ("玄德", "玄德乃辞二人，上马投卧龙冈来。"),
        ("黑旋风", "老爷叫做黑旋风！"),  # he is another one
        ("fz_page", "fz_page is a struct { int refs; void (*drop)(ctx); };"),
        ("行者", "八戒于此始识得行者是片真心更无他意。"),
        ("悟空", "你师兄叫做悟空你叫做悟能其实是我法门中的宗派。”"),
        ("孙大圣", "原来孙大圣是熬炼过的身体急切化他不得。"),
        ("孙行者", "孙行者是那三座山压住了怎生得出？"),
        ("林冲", "林冲是个性急的人。"),  # an opinion
        ("Lydgate", "To his present visitor, Lydgate, the look was a matter of indifference."),
        ("Lucy", "Lucy lies in the tomb of her kin."),
        ("fz_page", "fz_page is a struct of int refs; void drop; and more."),
        ("Clara", "His driver, Clara and the cook left him."),  # a list
        ("戴宗", "宋江便叫他戴宗来时先吃三杯。"),
        ("戴宗", "救得宋江，戴宗，正是晁盖，花荣，黄信等人。"),
    ],
)
def test_a_sentence_that_merely_has_a_name_does_not(name, sentence):
    assert choose(name, sentence) == []


def test_the_best_ones_are_chosen_in_the_order_of_the_text_without_copies():
    weak = "It was the widow’s son, Samuel, who opened."
    first = "Samuel, the footman, followed Rosanna."
    second = "That was Samuel, the footman of the house."
    assert choose("Samuel", weak, first, first, second) == [first, second]
    assert choose("Samuel", weak, first, limit=1) == [first]


def test_direct_speech_that_began_before_the_sentence_is_no_definition():
    said, told = "Samuel is a robber of the mails.", "Samuel, the footman, went out."
    assert choose("Samuel", said, told, spoken="robber") == [told]


def test_the_sentence_that_ends_with_the_name_is_better_than_one_that_goes_on():
    goes_on = "有一个姓孙的名悟空行者先偷四个果子吃了。"
    ends = "自今就叫做悟空也！"
    assert choose("悟空", goes_on, ends) == [ends]
    assert choose("悟空", goes_on, "悟空近前便拜。") == [goes_on]


def test_a_sentence_that_only_gives_the_name_answers_no_question():
    def answer(name: str, sentence: str) -> bool:
        at = sentence.index(name)
        row = MentionRow(1, "A", 1, name, at, at + len(name), sentence, 0)
        return bool(choose_definitions([row], is_person=True, least=ONLY_NAMED))

    assert not answer("猪八戒", "因此又叫做猪八戒。")
    assert not answer("沙和尚", "三藏见他行礼真象个和尚家风故又叫他做沙和尚。")
    assert answer("解珍", "且说登州山下有一家猎户，哥哥唤做解珍，兄弟唤做解宝。")
    assert answer("柳三娘", "望潮楼的女掌柜，渡口上都叫她柳三娘。")


@pytest.mark.parametrize(
    ("name", "sentence", "is_answer"),
    [
        ("沈衡", "掌秤的人姓沈，名衡，字子平。", True),
        ("王进", "这个教头姓王名进。", True),
        ("诸葛亮", "那先生姓诸葛名亮，道号卧龙。", True),
        ("王进", "因此姓王名进。", False),  # nothing says who he is
        ("王进", "这个教头姓王名进宝。", False),  # another one
    ],
)
def test_a_name_in_two_parts_is_found_and_defined(name, sentence, is_answer):
    found = build_split_name(name).search(sentence)
    row = MentionRow(1, "A", 1, found[0], *found.span(), sentence, 0)
    assert bool(choose_definitions([row], is_person=True, least=ONLY_NAMED)) is is_answer


def test_only_short_chinese_names_have_two_parts():
    assert build_split_name("Ben Gunn") is None and build_split_name("衡") is None


def test_a_name_given_in_a_dialogue_is_believed_and_an_opinion_in_one_is_not():
    given, told = "自今就叫做孙悟空也！", "孙悟空是个妖怪。"
    assert choose("孙悟空", given, told, spoken="孙悟空") == [given]


@pytest.mark.parametrize(
    ("sentence", "goes_on"),
    [
        ("她本名柳含章，原是青石驿一位老塾师的女儿。", True),
        ("他是个猎户。", True),
        ("他便拜了四拜。", False),
        ("She was a tall woman of fifty.", True),
        ("He was the first to speak.", False),
        ("It was raining.", False),
    ],
)
def test_the_next_sentence_goes_on_with_a_pronoun_and_a_class(sentence, goes_on):
    assert continues_definition(sentence) is goes_on


def order(name: str, *sentences: str) -> list[str]:
    """Return the sentences in their new order; each stands in a document of its own."""
    rows = [
        MentionRow(n, "A", n, name, at := 100 + one.index(name), at + len(name), one, 100)
        for n, one in enumerate(sentences)
    ]
    return [row.sentence for row in order_introductions(rows)]


def test_a_sentence_that_defines_a_name_is_before_one_that_calls_it():
    called = "“And now, Ben Gunn,” said the squire to him in the same breath, “come here.”"
    plain = "Ben Gunn ran down the long hill to the water as fast as he could."
    apposition = "It was Ben Gunn, the half-idiot maroon, whom they met beside the white rock."
    predicate = "Ben Gunn was a sailor of the old crew, and had been left on the island."
    assert order("Ben Gunn", called, plain, apposition, predicate) == [
        predicate,
        apposition,
        plain,
        called,
    ]


def test_a_clause_after_a_comma_is_no_apposition():
    clause = "Catherine, his happiest days were over when your days began, and he knew it."
    role = "A woman called Catherine waited at the gate until the evening of that day."
    assert order("Catherine", clause, role)[0] == role


def test_who_a_chinese_name_is_comes_before_what_it_says():
    says = "唐僧道：“徒弟们，前面又有一座大山挡住去路了。”"
    is_who = "唐僧乃是离乡背井的一个行脚僧，往西天取经去。"
    assert order("唐僧", says, is_who)[0] == is_who
