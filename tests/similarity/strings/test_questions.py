"""Questions about strings: distances by recursion, and parts by slicing."""

from functools import cache

import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.pictures.question import judge
from dmlib.pictures.run import Run
from dmlib.problem import prepare_texts
from dmlib.similarity import StringAlignment, StringKernel
from dmlib.similarity.strings.questions import Rule, questions
from tests.visit import technique


@cache
def distance(a, b):
    """Return the edit distance of two strings."""
    if not a or not b:
        return len(a) + len(b)
    pair = distance(a[:-1], b[:-1]) + (a[-1] != b[-1])
    return min(pair, distance(a[:-1], b) + 1, distance(a, b[:-1]) + 1)


@pytest.fixture(params=range(4))
def parts(request):
    """Return the strings and the questions of a round."""
    page = technique("strings")
    view = view_of(page, practice_settings(page, request.param))
    all_questions = questions_of(view)
    return *view.run.problem.texts, [each.question for each in all_questions]


def test_values_and_moves_are_those_of_the_edit_distance(parts):
    a, b, all_questions = parts
    for question in all_questions:
        if question.topic == "path":
            continue
        i, j = divmod(question.about[0] - 1, len(b) + 1)
        value = distance(a[:i], b[:j])
        if question.topic in ("border", "value"):
            assert judge(question, value).is_right
        if question.topic == "move":
            sources = {
                (k, m)
                for k, m, cost in (
                    (i - 1, j - 1, int(a[i - 1] != b[j - 1])),
                    (i - 1, j, 1),
                    (i, j - 1, 1),
                )
                if distance(a[:k], b[:m]) + cost == value
            }
            right = {divmod(cell - 1, len(b) + 1) for (cell,) in question.answer.right}
            assert right == sources


def test_first_row_of_zeros_is_recognised(parts):
    _, _, all_questions = parts
    borders = [question for question in all_questions if question.topic == "border"]
    assert {judge(question, 0).rule for question in borders} == {Rule.BORDER}


@pytest.mark.parametrize("measure", ["damerau", "hamming", "lcs", "smith-waterman"])
def test_all_measures_have_questions(measure):
    run = Run.of(prepare_texts(["GATTAC", "GCATGC"]), StringAlignment(measure))
    assert {"value", "path"} <= {question.topic for question in questions(run)}


def test_a_kernel_is_the_number_of_pairs_of_equal_parts():
    run = Run.of(prepare_texts(["downtown", "known"]), StringKernel(k=2))
    *windows, product = questions(run)
    first, second = ([text[i : i + 2] for i in range(len(text) - 1)] for text in run.problem.texts)
    assert judge(product, sum(part == other for part in first for other in second)).is_right
    steps = run.trace.steps
    for question in windows:
        (right,) = question.answer.right[0]
        text = run.problem.texts[steps[question.step].side]
        place = steps[question.step - 1].place + 1
        assert question.answer.names[right] == text[place : place + 2]
