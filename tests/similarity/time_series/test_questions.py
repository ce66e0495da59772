"""Questions about dynamic time warping: costs from all warping paths of small series."""

from functools import cache

import numpy as np
import pytest

from dashboard.rounds import practice_settings, questions_of, view_of
from dmlib.pictures.question import judge
from dmlib.similarity.time_series.questions import Rule
from tests.visit import technique


@pytest.fixture(params=range(5))
def questions(request):
    """Return the two series of a round, and its questions by topic."""
    page = technique("time_series")
    view = view_of(page, practice_settings(page, request.param))
    by_topic = {}
    for each in questions_of(view):
        by_topic.setdefault(each.question.topic, []).append(each.question)
    x, y = (values.tolist() for values in view.run.problem.values)

    @cache
    def paths(i, j):
        """Return all warping paths to a cell with their costs."""
        gap = abs(x[i] - y[j])
        if i == j == 0:
            return [(gap, ((0, 0),))]
        before = [(i - 1, j - 1), (i - 1, j), (i, j - 1)]
        return [
            (cost + gap, (*path, (i, j)))
            for a, b in before
            if min(a, b) >= 0
            for cost, path in paths(a, b)
        ]

    return x, y, paths, by_topic


def cell_of(number, y):
    """Return the row and the column of a cell."""
    return divmod(number - 1, len(y))


def test_the_cost_of_a_cell_is_that_of_its_cheapest_path(questions):
    x, y, paths, by_topic = questions
    for question in [*by_topic["cell"], *by_topic["border"]]:
        (number,) = question.about
        i, j = cell_of(number, y)
        assert judge(question, min(paths(i, j))[0]).is_right
        assert judge(question, abs(x[i] - y[j])).rule in (Rule.DISTANCE, None)


def test_moves_come_from_the_cells_before_the_last_of_cheapest_paths(questions):
    _, y, paths, by_topic = questions
    for question in by_topic["move"]:
        i, j = cell_of(question.about[0], y)
        cheapest = min(paths(i, j))[0]
        sources = {path[-2] for cost, path in paths(i, j) if np.isclose(cost, cheapest)}
        assert {cell_of(number, y) for (number,) in question.answer.right} == sources
        assert bool(question.tie) == (len(sources) > 1)


def test_the_path_passes_the_cells_of_a_cheapest_one(questions):
    x, y, paths, by_topic = questions
    cheapest = min(paths(len(x) - 1, len(y) - 1))[0]
    for question in by_topic.get("path", []):
        row = cell_of(question.answer.among[0], y)[0]
        expected = {
            frozenset(cell for cell in path if cell[0] == row)
            for cost, path in paths(len(x) - 1, len(y) - 1)
            if np.isclose(cost, cheapest)
        }
        given = {frozenset(cell_of(k, y) for k in right) for right in question.answer.right}
        assert given == expected
