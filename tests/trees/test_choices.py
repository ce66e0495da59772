"""Prescribed splits as text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dmlib.trees.choices import Prescribed, choose, format_choices, parse_choices

paths = st.lists(st.integers(0, 12), max_size=3).map(
    lambda branches: ".".join(["r", *map(str, branches)])
)
numbers = st.floats(allow_nan=False, allow_infinity=False)
splits = st.one_of(
    st.none(),
    st.builds(Prescribed, st.integers(0, 40)),
    st.builds(Prescribed, st.integers(0, 40), numbers),
    st.builds(
        Prescribed,
        st.integers(0, 40),
        st.none(),
        st.lists(st.integers(0, 30), min_size=1, max_size=4).map(tuple),
    ),
)


@given(st.dictionaries(paths, splits, max_size=5))
def test_text_is_read_as_it_was_written(choices):
    assert parse_choices(format_choices(choices)) == choices


def test_a_link_can_hold_it():
    text = format_choices(
        {
            "r": Prescribed(3, np.float64(2.45).item()),
            "r.0": None,
            "r.1": Prescribed(0, None, (0, 2)),
        }
    )
    assert text == "r_3_2.45~r.0_auto~r.1_0_in.0.2"


@pytest.mark.parametrize(
    "text", ["r", "r_", "0_1", "r_1_nan", "r_1_in.", "r_1_in.1..2", "r_1_e", "r_auto_1", "r_-1"]
)
def test_nonsense_is_refused(text):
    with pytest.raises(ValueError, match="no prescribed split; write for example"):
        parse_choices(text)


def test_choosing_anew_drops_what_was_below():
    choices = {"r": Prescribed(0), "r.0": Prescribed(1), "r.0.1": None, "r.1": None}
    assert choose(choices, "r.0", Prescribed(2)) == {
        "r": Prescribed(0),
        "r.1": None,
        "r.0": Prescribed(2),
    }
