"""What is there from step to step, and which steps of a long run are shown."""

import numpy as np
import pytest

from dmlib.pictures.motion import during, thin, thinned_note


@pytest.mark.parametrize("n_steps", [1, 2, 3, 29, 150, 777, 2001])
@pytest.mark.parametrize("most", [2, 30, 200])
def test_steps_are_evenly_chosen_from_the_first_to_the_last(n_steps, most):
    shown = thin(n_steps, most)
    assert shown[0] == 0
    assert shown[-1] == n_steps - 1
    assert len(set(np.diff(shown[:-1]).tolist())) <= 1
    assert len(shown) <= most
    assert len(shown) == n_steps or n_steps > most
    assert bool(thinned_note(shown)) == (2 < len(shown) < n_steps)


@pytest.mark.parametrize("n", [1, 2, 10, 50])
def test_values_come_and_go(n):
    values, shown = np.arange(n) + 1.0, [0, 3, 4, 40]
    first = np.arange(n) // 2
    for row, step in zip(during(values, first, first + 3, shown, 0.0).rows, shown, strict=True):
        assert row.tolist() == np.where((first <= step) & (step <= first + 3), values, 0).tolist()
