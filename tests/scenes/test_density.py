import numpy as np
import pytest

from dmlib.scene import NO_CLASS
from dmlib.scenes.density import BUDGET, CROSS, FEWEST, cluster_sizes, frames_shown, in_blocks, rows_in_blocks
from tests.scenes.examples import PROBLEMS


@pytest.mark.parametrize("n_steps", [1, 2, 3, 29, 150, 777, 2001])
@pytest.mark.parametrize("size", [10.0, 700.0, 5000.0])
@pytest.mark.parametrize("fixed", [0.0, 1e5, 1e9])
def test_frames_are_evenly_chosen_and_light(n_steps, size, fixed):
    shown = frames_shown(np.full(n_steps, size), fixed)
    assert shown[0] == 0
    assert shown[-1] == n_steps - 1
    assert len(set(np.diff(shown[:-1]).tolist())) <= 1
    assert len(shown) <= FEWEST + 1 or fixed + size * len(shown) <= BUDGET
    if fixed + size * n_steps <= BUDGET:
        assert shown == list(range(n_steps))


@pytest.mark.parametrize("n", [1, 2, 10, 50])
def test_values_come_and_go(n):
    values, shown = np.arange(n) + 1.0, [0, 3, 4, 40]
    first = np.arange(n) // 2
    last = first + 3
    found = np.full((len(shown), n), np.nan)
    for block, rows in in_blocks(values, shown, 0.0, first, last):
        found[:, block] = np.stack(rows.rows)
    for row, step in zip(found, shown, strict=True):
        assert row.tolist() == np.where((first <= step) & (step <= last), values, 0).tolist()


def test_blocks_draw_every_row_once():
    problem = PROBLEMS["squares"]
    labels = np.array([[-2] * 8, [0, 0, -1, -2, -2, 300, 1, -1]])
    border = np.zeros((2, 8), bool)
    border[1, 1] = True
    order = np.array([3, 4, 2, 1, 0, 5, 7, 6])
    blocks = rows_in_blocks(problem, labels, order, border)
    assert np.concatenate([np.asarray(mark.x) for mark in blocks]).tolist() == problem.points[order, 0].tolist()
    colors, symbols, hollow = (
        np.concatenate([np.asarray(getattr(mark, name).rows[1]) for mark in blocks])[np.argsort(order)].tolist()
        for name in ("color", "symbol", "hollow")
    )
    assert colors == [0, 0, NO_CLASS, NO_CLASS, NO_CLASS, 300 % NO_CLASS, 1, NO_CLASS]
    assert symbols == [0, 0, CROSS, 0, 0, 300 % NO_CLASS, 1, CROSS]
    assert hollow == [False, True] + [False] * 6


def test_many_clusters_are_cut_off_with_a_word():
    (table,) = cluster_sizes(np.arange(99))
    assert len(table.rows) == 30
    assert table.title == "Clusters (the first 30 of 99)"
    assert cluster_sizes(np.array([-1, -2])) == []
