import numpy as np
import pytest

from dmlib.clustering.centers_ledger import (
    cell_sites,
    center_table,
    distances_to_centers,
    parts_of_sse,
    plane_note,
    sum_of_parts,
)
from dmlib.pictures.ledger import MAX_LINES, class_table
from tests.pictures.examples import PROBLEMS, result

CENTERS = {name: problem.X[[0, -1]] for name, problem in PROBLEMS.items()}


@pytest.mark.parametrize(("name", "data"), PROBLEMS.items(), ids=PROBLEMS)
def test_distances_are_written_out(name, data):
    centers, x = CENTERS[name], data.X[3]
    table, formula = distances_to_centers(data, centers, 1, 3)
    squares = ((x - centers) ** 2).sum(axis=1)
    np.testing.assert_allclose([row[-1] for row in table.rows], squares)
    np.testing.assert_allclose([sum(row[:-1]) for row in table.rows], squares)
    assert table.emphasis == [squares.argmin()]
    assert all(len(row) == len(table.head) for row in table.rows)
    assert result(formula.text) == pytest.approx(squares[1], rel=1e-5)
    assert table.title.startswith("Row 4:")


def test_rows_are_numbered_as_in_the_table():
    from tests.pictures.examples import problem

    data = problem([[0, 0], [np.nan, 1], [2, 2], [3, 3]])
    table, _ = distances_to_centers(data, data.X[:2], 0, 1)
    assert table.title.startswith("Row 3:")


def test_parts_sum_to_the_sse():
    data = PROBLEMS["blobs"]
    labels = np.arange(len(data.X)) % 3
    centers = np.array([data.X[labels == j].mean(axis=0) for j in range(3)])
    parts = parts_of_sse(data, centers, labels)
    for j in range(3):
        assert parts[j] == pytest.approx(((data.X[labels == j] - centers[j]) ** 2).sum())
    assert result(sum_of_parts(parts, parts.sum()).text) == pytest.approx(parts.sum(), rel=1e-5)


def test_empty_clusters_have_a_part():
    data = PROBLEMS["squares"]
    assert parts_of_sse(data, data.X[:3], np.zeros(8, int)).shape == (3,)


def test_long_tables_are_cut_and_say_so():
    rows = [(float(i),) for i in range(MAX_LINES + 5)]
    table = class_table(("x",), rows, "Centres", [2, MAX_LINES + 1])
    assert len(table.rows) == MAX_LINES
    assert f"the first {MAX_LINES} of {MAX_LINES + 5}" in table.title
    assert table.emphasis == [2]


def test_views_that_mislead_are_said_to():
    assert [
        bool(plane_note(PROBLEMS[name]))
        for name in ("blobs", "one column", "four columns", "components")
    ] == [False, False, True, True]
    assert [
        cell_sites(PROBLEMS[name]) for name in ("blobs", "one column", "four columns", "components")
    ] == [True, False, False, False]


def test_center_table_has_a_column_per_shown_feature():
    table = center_table(PROBLEMS["four columns"], CENTERS["four columns"], "Centres")
    assert len(table.head) == len(table.rows[0]) == 3
