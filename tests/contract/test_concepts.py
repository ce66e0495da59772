"""The data of the pages on first concepts: the map, the traits of techniques, and the glossary."""

import re
import string
from collections import Counter

import pandas as pd
import pytest

from dashboard.catalogue import CATALOGUE, ENTRIES
from dashboard.glossary import terms, terms_about, terms_named
from dashboard.problems import problem_map
from dashboard.traits import FINDS, LEVELS, TAKEN, advice, all_traits, measures_of, rules, target_of
from dmlib.datasets import LIBRARY, Table, load
from dmlib.datasets.table import infer_kinds

MIN_TERMS = 150
TABLES = [name for name, entry in LIBRARY.items() if entry.kind == "table"]


def is_sentence(text):
    return bool(re.fullmatch(r"[^\s].*[.?]", text)) and "\n" not in text


# --- the map -------------------------------------------------------------------------------------


def test_every_technique_is_on_the_map():
    leaves = problem_map().leaves
    assert {example.entry.slug for leaf in leaves for example in leaf.examples} >= set(CATALOGUE)


def test_leaves_name_answers_that_there_are_and_every_answer_leads_somewhere():
    page_map = problem_map()
    for question in page_map.questions:
        answers = [answer for leaf in page_map.leaves for answer in leaf.answers[question.name]]
        assert set(answers) == set(question.answers)
    assert all(is_sentence(leaf.text) for leaf in page_map.leaves)


def test_leaves_differ_in_their_answers():
    paths = Counter(
        (data, target, want)
        for leaf in problem_map().leaves
        for data in leaf.answers["data"]
        for target in leaf.answers["target"]
        for want in leaf.answers["want"]
    )
    assert max(paths.values()) == 1


def test_a_technique_of_a_leaf_takes_its_data():
    names = {"surface": "table", "pattern": "image"}
    for leaf in problem_map().leaves:
        for example in leaf.examples:
            kind = all_traits()[example.entry.slug].data
            if not example.link and leaf.answers["data"] != ("image",):
                assert names.get(kind, kind) in leaf.answers["data"], example


def test_answers_that_lead_nowhere_are_left_out():
    page_map = problem_map()
    link = {"data": "baskets", "target": "class", "want": "rules", "data2": "x"}
    assert page_map.answers(link) == {"data": "baskets", "want": "rules"}
    (leaf,) = page_map.matching({"data": "baskets", "want": "rules"})
    assert leaf.family == "Association"
    assert len(page_map.matching({})) == len(page_map.leaves)


def test_every_word_of_a_section_has_an_example():
    for section in problem_map().sections:
        assert is_sentence(section.text)
        names = [item.name for item in section.items]
        assert len(names) == len(set(names)) > 1
        for item in section.items:
            assert is_sentence(item.text)
            assert item.examples, item.name


# --- the traits of techniques --------------------------------------------------------------------


def test_every_technique_has_traits():
    assert set(all_traits()) == set(CATALOGUE), "add it to assets/traits.toml"


@pytest.mark.parametrize("slug", CATALOGUE)
def test_traits_say_what_they_can(slug):
    traits = all_traits()[slug]
    assert traits.finds
    assert set(traits.finds) <= set(FINDS)
    assert {traits.cost, traits.readable} <= set(LEVELS)
    assert not set(traits.strong) & set(traits.weak)
    named = {*traits.strong, *traits.weak} - {"noise"}
    assert named <= {rule.name for rule in rules()} - set(TAKEN)
    texts = [traits.assumes, traits.fails, traits.runtime]
    assert all(map(is_sentence, texts))
    assert len(set(texts)) == len(texts)


def test_sentences_are_not_repeated():
    for name in ("fails", "assumes"):
        texts = Counter(getattr(traits, name) for traits in all_traits().values())
        assert [text for text, count in texts.items() if count > 1] == []


def test_rules_say_what_they_measure():
    measures = measures_of(load("iris"), "classes")
    for rule in rules():
        assert (rule.above is None) != (rule.below is None)
        fields = {name for _, name, _, _ in string.Formatter().parse(rule.fact) if name}
        assert fields <= set(measures)
        assert rule.measure in measures


@pytest.mark.parametrize("name", TABLES)
def test_advice_is_a_sentence_for_every_table(name):
    table = load(name)
    rows = advice(table, target_of(table))
    assert rows
    assert [row.score for row in rows] == sorted((row.score for row in rows), reverse=True)
    for row in rows:
        assert is_sentence(row.reason)
        assert "{" not in row.reason


def table_of(frame, target=None):
    return Table(frame, infer_kinds(frame), "own", target=target)


def reasons(table, finds):
    return {row.traits.slug: row for row in advice(table, finds)}


def test_nominal_columns_and_gaps_speak_for_what_takes_them():
    rows = reasons(load("heart_disease"), "classes")
    assert rows["naive_bayes"].score > rows["knn"].score > rows["svm"].score
    assert rows["svm"].reason.startswith("There are nominal columns (7 of 13), but it leaves")


def test_what_takes_numbers_alone_is_not_offered_names_alone():
    rows = reasons(load("weather_nominal"), "classes")
    assert "svm" not in rows
    assert "naive_bayes" in rows


def test_many_columns_and_few_rows_speak_for_shrinkage():
    first, *_ = advice(load("mtcars"), "number")
    assert first.traits.slug == "ridge_lasso"


def test_a_rare_class_is_named():
    frame = pd.DataFrame({"x": range(200), "kind": ["a"] * 190 + ["b"] * 10})
    rows = reasons(table_of(frame, "kind"), "classes")
    assert rows["knn"].reason == (
        "The rarest class has 5.0 % of the rows, but it tends to overlook a rare class."
    )
    assert rows["lda_classifier"].score > rows["knn"].score


def test_outliers_speak_for_medoids():
    frame = pd.DataFrame({"x": [*range(95), *range(1000, 1005)], "y": range(100)})
    rows = reasons(table_of(frame), "groups")
    assert rows["kmedoids"].score > rows["kmeans"].score
    assert "5.0 % of the rows have a value far outside" in rows["kmeans"].reason


def test_a_table_without_anything_special_has_no_reason():
    rows = reasons(load("iris"), "classes")
    assert {row.score for row in rows.values()} == {0}
    assert rows["svm"].reason == "Nothing about these data speaks for or against it."


def test_nothing_suits_a_table_without_rows_or_columns():
    assert advice(table_of(pd.DataFrame({"x": pd.Series(dtype=float)})), "groups") == []
    assert advice(table_of(pd.DataFrame()), "groups") == []


# --- the glossary --------------------------------------------------------------------------------


def test_the_glossary_is_large_and_in_order():
    names = [term.name.lower() for term in terms()]
    assert len(names) >= MIN_TERMS
    assert names == sorted(names)


def test_names_lead_to_one_term():
    names = Counter(name.lower() for term in terms() for name in term.names)
    assert [name for name, count in names.items() if count > 1] == []
    anchors = Counter(term.slug for term in terms())
    assert max(anchors.values()) == 1
    assert all(anchors)


def test_terms_are_explained_once_and_lead_to_pages():
    texts = Counter(term.text for term in terms())
    assert [text for text, count in texts.items() if count > 1] == []
    for term in terms():
        assert is_sentence(term.text)
        assert not term.differs or is_sentence(term.differs), term.name
        assert term.pages
        assert len(term.pages) == len(set(term.pages))
        assert set(term.pages) <= set(ENTRIES)


@pytest.mark.parametrize("slug", CATALOGUE)
def test_the_main_word_of_a_title_is_a_term(slug):
    names = [name.lower() for term in terms() if slug in term.pages for name in term.names]
    assert any(name in CATALOGUE[slug].title.lower() for name in names)


@pytest.mark.parametrize(
    "name", ["kappa", "medoid", "Wiener index", "selectivity", "support", "C of a support vector"]
)
def test_words_that_differ_between_courses_say_so(name):
    term, *_ = terms_named(name)
    assert term.differs


def test_other_names_and_words_find_terms():
    assert terms_named("sensitivity")[0].name == "recall"
    assert terms_named("neighborhood")[0].name == "neighbourhood"
    assert terms_named("zzqx") == terms_about("zzqx") == []
    assert "margin" in [term.name for term in terms_about("nearest rows border")]
