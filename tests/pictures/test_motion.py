"""Which steps of a long run have a frame."""

import numpy as np
import pytest

from dmlib.pictures.motion import thin, thinned_note


@pytest.mark.parametrize("n_steps", [1, 2, 3, 29, 150, 777, 2001])
@pytest.mark.parametrize("max_frames", [2, 30, 200])
def test_steps_are_evenly_chosen_from_the_first_to_the_last(n_steps, max_frames):
    numbers = thin(n_steps, max_frames)
    assert numbers[0] == 0
    assert numbers[-1] == n_steps - 1
    assert len(set(np.diff(numbers[:-1]).tolist())) <= 1
    assert len(numbers) <= max_frames
    assert len(numbers) == n_steps or n_steps > max_frames
    assert bool(thinned_note(numbers)) == (2 < len(numbers) < n_steps)
