import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from dmlib.large import sample
from dmlib.large.sampling import _shares, uniforms
from tests.large.pieces import blobs, cut, files, places

FRAME = blobs()


@given(places, st.integers(1, 250), st.sampled_from([None, "group", "sky"]), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_same_seed_gives_the_same_rows_however_the_table_is_cut(cuts, n, stratify, shuffled):
    how = {"stratify": stratify, "random_state": 3, "shuffled": shuffled}
    rows, rows_of_parts = sample(FRAME, n, **how), sample(cut(FRAME, cuts), n, **how)
    pd.testing.assert_frame_equal(rows, rows_of_parts)
    pd.testing.assert_frame_equal(rows, FRAME.loc[rows.index], check_index_type=False)
    assert len(rows) == min(n, 200)
    assert rows.index.is_unique
    if not shuffled:
        assert rows.index.is_monotonic_increasing


@given(
    st.dictionaries(st.text(max_size=3), st.integers(1, 50), min_size=1, max_size=6),
    st.integers(1, 100),
)
def test_shares_are_whole_and_nearest(sizes, n):
    shares, total = _shares(sizes, n), sum(sizes.values())
    assert sum(shares.values()) == min(n, total)
    for name, size in sizes.items():
        assert abs(shares[name] - size * min(n, total) / total) < 1
        assert shares[name] <= size


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_files_give_the_rows_of_the_frame(tmp_path, ending):
    folder = files(FRAME, tmp_path, ending)
    read, expected = (
        sample(folder, 50, columns=["sky", "b"], random_state=9),
        sample(FRAME, 50, random_state=9),
    )
    assert read.index.tolist() == expected.index.tolist()
    assert read["sky"].tolist() == expected["sky"].tolist()
    assert list(read) == ["sky", "b"]


def test_every_row_has_the_same_chance():
    table = pd.DataFrame({"a": np.arange(20)})
    samples = np.concatenate([sample(table, 5, random_state=seed)["a"] for seed in range(400)])
    assert chisquare(np.bincount(samples)).pvalue > 1e-4


@given(st.integers(0, 2**63 - 1), st.integers(0, 10**12), st.integers(0, 9))
def test_a_row_has_its_random_number_wherever_it_is_read(seed, first, n):
    long = uniforms(seed, first, n + 5)
    assert (uniforms(seed, first + n, 5) == long[n:]).all()
    assert ((long >= 0) & (long < 1)).all()


def test_missing_strata_are_one_and_too_many_are_refused():
    frame = pd.DataFrame({"a": range(30), "b": ["x", None, "y"] * 10})
    assert sample(frame, 3, stratify="b")["b"].isna().sum() == 1
    with pytest.raises(
        ValueError, match=r"more than 1000 strata. Choose a column with fewer values."
    ):
        sample(pd.DataFrame({"a": range(3000)}), 3, stratify="a")
    with pytest.raises(
        ValueError, match=r"n must be a whole number of rows, at least 1; it was 0."
    ):
        sample(frame, 0)
    with pytest.raises(ValueError, match=r"no column 'z'"):
        sample(frame, 3, stratify="z")
