"""Questions of every page: right by the next step, wrong by a named rule, and never given away."""

import json
import re
from functools import cache

import numpy as np
import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.practice import MIN_QUESTIONS, placed_questions, round_of, rules_shown
from dashboard.presets import practice_rounds
from dashboard.rounds import (
    chosen_seed,
    link_of_round,
    practice_settings,
    questions_of,
    round_number,
    rules_of,
    view_of,
)
from dashboard.settings import Settings
from dmlib.pictures.answers import Pick, Value, accepts
from dmlib.pictures.motion import still
from dmlib.pictures.question import Misconception, judge
from tests.contract.test_scenes import cases_of, feasible, of_tables, problem_of, run_of
from tests.players import marks_of, share_by_chance, verdicts_of
from tests.visit import linked, takes_tables, technique

PAGES = [slug for slug in CATALOGUE if technique(slug).practice is not None]
ROUNDS = [(slug, number) for slug in PAGES for number in range(len(practice_rounds(slug)))]
STARTS = (0, 3000, 7000)
MAX_BYTES = 60_000  # that a round adds to a page
each_page = pytest.mark.parametrize("slug", PAGES)
each_round = pytest.mark.parametrize(
    ("slug", "number"), ROUNDS, ids=[f"{slug}-{number}" for slug, number in ROUNDS]
)


@cache
def rounds(slug, number):
    """Return what a round of a page is on some data: views with the questions that are asked."""
    page, link = technique(slug), link_of_round(slug, number)
    seeds = [chosen_seed(slug, start, link) for start in STARTS]
    views = [view_of(page, practice_settings(page, seed, link)) for seed in seeds]
    return [(each, questions_of(each)) for each in views]


@cache
def asked_in(slug, number):
    """Return the questions of a round, each with the frame that is shown and its view."""
    return [
        (each.question, still(page_view.scene, each.frame - 1), page_view)
        for page_view, questions in rounds(slug, number)
        for each in questions
    ]


@each_round
def test_a_round_has_questions_of_several_topics_and_shows_every_wrong_rule_of_its_own(
    slug, number
):
    rules = rules_of(technique(slug), practice_rounds(slug)[number])
    assert len(rules) >= (2 if number else 3)
    for _, questions in rounds(slug, number):
        chosen = round_of(questions)
        assert len(chosen) >= MIN_QUESTIONS
        assert rules <= rules_shown(chosen), rules - rules_shown(chosen)
    assert len({question.topic for question, _, _ in asked_in(slug, number)}) >= (
        2 if number else 3
    )


@each_page
def test_every_wrong_rule_has_a_name_of_its_own_and_a_round(slug):
    rules = list(technique(slug).practice.rules)
    names = [rule.name for rule in rules]
    assert all(isinstance(rule, Misconception) for rule in rules)
    assert len(set(names)) == len(set(rules)) == len(rules)
    assert all(each.rules <= set(names) for each in practice_rounds(slug))


@each_round
def test_the_round_of_a_method_begins_on_the_page_that_shows_it(slug, number):
    page, each = technique(slug), practice_rounds(slug)[number]
    settings = Settings.from_query(linked(slug, each.of) or {"opening": ["defaults"]})
    if each.of:
        assert round_number(page, settings) == number
    begun = practice_settings(page, 1, link_of_round(slug, number))
    assert round_number(page, begun) == number


@each_round
def test_the_right_answer_is_right_and_those_of_wrong_rules_are_named(slug, number):
    for question, _, _ in asked_in(slug, number):
        for right in question.answer.right:
            assert judge(question, json.loads(json.dumps(right))).is_right
        for error in question.errors:
            given = json.loads(json.dumps(question.answer.read(error.answer)))
            assert judge(question, given).rule is error.rule


@each_round
def test_a_player_with_one_misconception_is_told_so_by_name(slug, number):
    questions = [question for question, _, _ in asked_in(slug, number)]
    for rule in rules_of(technique(slug), practice_rounds(slug)[number]):
        verdicts = verdicts_of(rule, questions)
        assert verdicts
        assert {verdict.rule for verdict in verdicts} == {rule}


@each_round
def test_prompts_are_questions_and_proofs_are_sentences(slug, number):
    for question, _, _ in asked_in(slug, number):
        assert question.prompt.endswith("?"), question.prompt
        assert question.proof.endswith((".", "!")), question.proof


@each_round
def test_no_question_gives_its_answer_away(slug, number):
    texts = {
        question.answer.text(question.answer.value): (
            question.prompt,
            question.hint,
            shown.frames[0].caption,
        )
        for question, shown, _ in asked_in(slug, number)
        if isinstance(question.answer, Value)
    }
    numbers = {text: parts for text, parts in texts.items() if "." in text}
    disclosed = [
        parts
        for text, parts in numbers.items()
        if any(re.search(rf"(?<![\d.−-]){re.escape(text)}(?![\d.])", part) for part in parts)
    ]
    # A number may by chance be one of those that it is made of.
    assert len(disclosed) <= 0.1 * len(numbers), disclosed


@each_round
def test_marks_that_are_asked_for_are_in_the_picture(slug, number):
    for question, shown, _ in asked_in(slug, number):
        answer = question.answer
        if question.about and question.of != "class":
            assert set(question.about) <= marks_of(shown, question.of), question.prompt
        if isinstance(answer, Pick):
            choices = set(answer.among) or marks_of(shown, answer.of)
            for right in answer.right:
                assert set(right) <= choices, question.prompt
            assert len(choices) > 1
            for error in question.errors:
                assert set(error.answer) <= choices, (question.prompt, error)


@each_round
def test_it_travels_as_little_data(slug, number):
    for _, questions in rounds(slug, number):
        assert len(json.dumps([each.packed() for each in round_of(questions)])) < MAX_BYTES


def chance(slug, number):
    """Return the share of right answers of a player who guesses."""
    items = asked_in(slug, number)
    candidates = [
        marks_of(shown, question.answer.of) if isinstance(question.answer, Pick) else set()
        for question, shown, _ in items
    ]
    return share_by_chance([question for question, _, _ in items], candidates)


@each_round
def test_who_guesses_gets_at_most_half(slug, number):
    assert chance(slug, number) <= 0.5


def test_who_guesses_gets_a_third_on_most_pages():
    assert np.median([chance(*each) for each in ROUNDS]) <= 0.35


@each_page
def test_the_page_asks_about_what_it_opens_with(slug):
    page = technique(slug)
    page_view = view_of(page, Settings.from_query({}, page.opening_link))
    if page_view is not None and page_view.run is not None:
        questions = placed_questions(page.practice.questions, page_view.run, page_view.scene)
        assert all(
            accepts(each.question.answer, each.question.answer.right[0]) for each in questions
        )
        assert questions


def questions_about(slug, name):
    """Return what is asked about a table, easy or awkward, by all methods that take it."""
    page = technique(slug)
    problem = problem_of(page, name)
    n_rows = len(problem.training.X)
    questions = []
    for method in of_tables(page):
        params = {
            name: feasible(name, page.defaults(method)[name], n_rows) for name in page.specs(method)
        }
        try:
            run = run_of(page, method, problem, params)
        except ValueError:  # it refuses the data, as tests of scenes hold
            continue
        questions += list(page.practice.questions(run)) if run.trace.steps else []
    return questions


@pytest.mark.parametrize("slug", [slug for slug in PAGES if takes_tables(slug)])
def test_whatever_the_table_what_is_asked_can_be_answered(slug):
    n_questions = 0
    for _, name in cases_of(slug):
        for question in questions_about(slug, name):
            n_questions += 1
            right = json.loads(json.dumps(question.packed()))["answer"]["right"][0]
            assert judge(question, right).is_right, (name, question.prompt)
    assert n_questions or slug == "missing_values"  # of which these tables have none
