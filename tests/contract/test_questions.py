"""Questions of every page: right by the next step, wrong by a named rule, and never given away."""

import json
import re
from functools import cache

import numpy as np
import pytest

from dashboard.catalogue import CATALOGUE
from dashboard.practice import MIN_QUESTIONS, placed_questions, round_of, rules_shown
from dashboard.rounds import chosen_seed, practice_settings, questions_of, view_of
from dashboard.settings import Settings
from dmlib.pictures.answers import Pick, Value, accepts
from dmlib.pictures.motion import still
from dmlib.pictures.question import Misconception, judge
from tests.contract.test_scenes import cases_of, feasible, of_tables, problem_of, run_of
from tests.players import marks_of, share_by_chance, verdicts_of
from tests.visit import takes_tables, technique

PAGES = [slug for slug in CATALOGUE if technique(slug).practice is not None]
STARTS = (0, 3000, 7000)
MAX_BYTES = 60_000  # that a round adds to a page
each_page = pytest.mark.parametrize("slug", PAGES)


@cache
def rounds(slug):
    """Return some rounds of a page: views with the questions that are asked."""
    page = technique(slug)
    views = [view_of(page, practice_settings(page, chosen_seed(slug, start))) for start in STARTS]
    return [(each, questions_of(each)) for each in views]


@cache
def asked_in(slug):
    """Return the questions of the rounds, each with the frame that is shown and its view."""
    return [
        (each.question, still(page_view.scene, each.frame - 1), page_view)
        for page_view, questions in rounds(slug)
        for each in questions
    ]


@each_page
def test_a_round_has_questions_of_several_topics_and_shows_every_wrong_rule(slug):
    rules = technique(slug).practice.rules
    assert issubclass(rules, Misconception)
    assert len(rules) >= 3
    for _, questions in rounds(slug):
        chosen = round_of(questions)
        assert len(chosen) >= MIN_QUESTIONS
        assert rules_shown(chosen) == set(rules), set(rules) - rules_shown(chosen)
    assert len({question.topic for question, _, _ in asked_in(slug)}) >= 3


@each_page
def test_the_right_answer_is_right_and_those_of_wrong_rules_are_named(slug):
    for question, _, _ in asked_in(slug):
        for right in question.answer.right:
            assert judge(question, json.loads(json.dumps(right))).is_right
        for error in question.errors:
            given = json.loads(json.dumps(question.answer.read(error.answer)))
            assert judge(question, given).rule is error.rule


@each_page
def test_a_player_with_one_misconception_is_told_so_by_name(slug):
    questions = [question for question, _, _ in asked_in(slug)]
    for rule in technique(slug).practice.rules:
        verdicts = verdicts_of(rule, questions)
        assert verdicts
        assert {verdict.rule for verdict in verdicts} == {rule}


@each_page
def test_prompts_are_questions_and_proofs_are_sentences(slug):
    for question, _, _ in asked_in(slug):
        assert question.prompt.endswith("?"), question.prompt
        assert question.proof.endswith((".", "!")), question.proof


@each_page
def test_no_question_gives_its_answer_away(slug):
    texts = {
        question.answer.text(question.answer.value): (
            question.prompt,
            question.hint,
            shown.frames[0].caption,
        )
        for question, shown, _ in asked_in(slug)
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


@each_page
def test_marks_that_are_asked_for_are_in_the_picture(slug):
    for question, shown, _ in asked_in(slug):
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


@each_page
def test_it_travels_as_little_data(slug):
    for _, questions in rounds(slug):
        assert len(json.dumps([each.packed() for each in round_of(questions)])) < MAX_BYTES


def chance(slug):
    """Return the share of right answers of a player who guesses."""
    items = asked_in(slug)
    candidates = [
        marks_of(shown, question.answer.of) if isinstance(question.answer, Pick) else set()
        for question, shown, _ in items
    ]
    return share_by_chance([question for question, _, _ in items], candidates)


@each_page
def test_who_guesses_gets_at_most_half(slug):
    assert chance(slug) <= 0.5


def test_who_guesses_gets_a_third_on_most_pages():
    assert np.median([chance(slug) for slug in PAGES]) <= 0.35


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
