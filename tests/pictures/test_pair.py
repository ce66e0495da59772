"""Two scenes as one: lock-step, scales, marks told apart, and what differs."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.pictures.marks import PerFrame, Points
from dmlib.pictures.motion import still
from dmlib.pictures.pair import DIFFERS, PINNED, pair, paired_frames
from dmlib.pictures.scene import Axis, Frame, Panel, Scene

sizes = st.integers(1, 60)


def scene_of(places, high=1.0, **attributes):
    """Return a scene in which a row of the data goes through some places."""
    panel = Panel("data", Axis("x", 0.0, high), Axis("y", 0.0, 1.0))
    points = Points(
        x=PerFrame([[place] for place in places]), y=np.zeros(1), data=True, **attributes
    )
    frames = [Frame(f"At {place}.") for place in places]
    return Scene([panel], [points], frames)


@given(sizes, sizes, st.booleans())
def test_both_go_from_beginning_to_end_and_never_back(n_left, n_right, in_step):
    frames = paired_frames(n_left, n_right, in_step=in_step)
    assert len(frames) == max(n_left, n_right)
    assert frames[0] == (0, 0) or len(frames) == 1
    assert frames[-1] == (n_left - 1, n_right - 1) or len(frames) == 1
    for before, after in itertools.pairwise(frames):
        assert all(0 <= b - a <= 1 for a, b in zip(before, after, strict=True))


@given(sizes, sizes)
def test_in_step_both_are_at_the_same_step_until_one_has_ended(n_left, n_right):
    for k, (i, j) in enumerate(paired_frames(n_left, n_right, in_step=True)):
        assert (i, j) == (min(k, n_left - 1), min(k, n_right - 1))


def test_a_still_shows_what_the_whole_has_in_that_frame():
    pinned, current = scene_of([0.1, 0.2]), scene_of([0.5, 0.6, 0.7])
    both = pair(pinned, current, paired_frames(2, 3, in_step=True))
    for k in range(3):
        marks = {mark.panel: mark.x for mark in still(both, k).marks}
        whole = {mark.panel: mark.x.rows[k] for mark in both.marks}
        assert marks == whole
    assert both.frames[2].pinned.caption == "At 0.2."


@pytest.mark.parametrize(("high", "common"), [(2.0, 2.0), (4.0, 4.0), (5.0, None)])
def test_axes_that_measure_alike_have_one_scale_unless_one_would_be_flat(high, common):
    both = pair(scene_of([0.1]), scene_of([0.1], high=high), [(0, 0)])
    ends = [panel.x.high for panel in both.panels]
    assert ends == ([common, common] if common else [1.0, high])


def test_rows_that_differ_are_ringed_on_both_sides_under_the_rows():
    differences = [([False], [False]), ([True], [True])]
    scenes = scene_of([0.1, 0.2]), scene_of([0.5, 0.6])
    both = pair(*scenes, [(0, 0), (1, 1)], differences, same_rows=True)
    assert [mark.panel for mark in both.marks] == [*[f"{PINNED}data"] * 2, "data", "data"]
    rings = both.marks[0], both.marks[2]
    assert all([list(row) for row in ring.opacity.rows] == [[False], [True]] for ring in rings)
    assert DIFFERS in both.legend
    assert all(both.marks[k].data for k in (1, 3))


def test_other_rows_cannot_be_selected_at_the_left():
    both = pair(scene_of([0.1]), scene_of([0.2]), [(0, 0)])
    assert [mark.data for mark in both.marks] == [False, True]
    assert DIFFERS not in both.legend


def test_rows_that_differ_are_ringed_at_the_left_too_where_it_shows_more_rows():
    differences = [([True, False], [True])]
    left = Scene(
        [Panel("data", Axis("x", 0.0, 1.0), Axis("y", 0.0, 1.0))],
        [Points(x=[0.1, 0.2], y=[0.0, 0.0], data=True)],
        [Frame("Two rows.")],
    )
    both = pair(left, scene_of([0.5]), [(0, 0)], differences)
    ring, points, *_ = both.marks
    assert (ring.panel, points.panel) == (f"{PINNED}data", f"{PINNED}data")
    assert [list(row) for row in ring.opacity.rows] == [[True, False]]
    assert not points.data
