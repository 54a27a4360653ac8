"""Which sentences say most about a name."""

from desktop_app.engine.graph.introductions import order_introductions
from desktop_app.engine.model import MentionRow


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
