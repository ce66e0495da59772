import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlib.large import make_table, open_table, profile
from dmlib.large.sketches import Distinct, Frequent, Quantiles
from tests.large.pieces import blobs, cut, files, order, places

FRAME = blobs()
FRAME.loc[::9, "b"], FRAME.loc[5, "c"], FRAME.loc[::8, "sky"] = np.nan, np.inf, None


@given(places, order)
@settings(max_examples=15, deadline=None)
def test_a_small_table_is_described_exactly_however_it_is_cut(cuts, seed):
    summary = profile(cut(FRAME, cuts, seed))
    finite = FRAME.replace(np.inf, np.nan)
    assert summary.n_rows == 200
    assert (summary.rank_error, summary.distinct_error) == (0, 0)
    for column in summary.columns:
        values = finite[column.name].dropna()
        assert (column.n, column.n_missing, column.n_distinct) == (
            len(values),
            200 - len(values),
            values.nunique(),
        )
        if column.percentiles:
            numbers = (column.mean, column.variance, column.minimum, column.maximum)
            np.testing.assert_allclose(
                numbers, (values.mean(), values.var(), values.min(), values.max()), rtol=1e-9
            )
            np.testing.assert_allclose(
                column.percentiles, values.quantile([0.1, 0.25, 0.5, 0.75, 0.9]), rtol=1e-12
            )
        else:
            assert dict(column.top) == values.value_counts().to_dict()
            assert column.top_error == 0


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_files_are_described_as_the_frame(tmp_path, ending):
    days = FRAME.assign(day=pd.date_range("2024-01-01", periods=200))
    first, second = profile(files(days, tmp_path, ending)), profile(days)
    for read, expected in zip(first.columns, second.columns, strict=True):
        assert (read.n, read.n_distinct, read.top) == (
            expected.n,
            expected.n_distinct,
            expected.top,
        )
        np.testing.assert_allclose(read.percentiles, expected.percentiles)
    assert first["day"].minimum.startswith("2024-01-01")
    assert first["day"].maximum.startswith("2024-07-18")


@given(st.integers(0, 999), st.lists(st.integers(1, 40_000), min_size=1, max_size=8), st.booleans())
@settings(max_examples=25, deadline=None)
def test_ranks_are_off_by_no_more_than_is_said(seed, sizes, ties):
    rng = np.random.default_rng(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dmlib.large.sketches.MAX_POINTS", 3000)
        patch.setattr("dmlib.large.sketches.KEPT_POINTS", 500)
        parts = [
            np.sort(rng.integers(50, size=n) if ties else rng.normal(size=n)).astype(float)
            for n in sizes
        ]
        sketch = Quantiles.of(parts[0])
        for part in parts[1:]:
            sketch = sketch.merge(Quantiles.of(part))
    values = np.sort(np.concatenate(parts))
    assert sketch.weights.sum() == len(values)
    assert sketch.error <= 0.005 * len(values) + 1
    for share in (0.0, 0.01, 0.25, 0.5, 0.9, 1.0):
        (value,) = sketch.quantile([share])
        low, high = np.searchsorted(values, value, "left"), np.searchsorted(values, value, "right")
        assert low - sketch.error - 1 <= share * len(values) <= high + sketch.error + 1


@given(st.lists(st.integers(0, 30_000), min_size=1, max_size=5))
@settings(max_examples=15, deadline=None)
def test_different_values_are_counted_or_estimated(ends):
    parts = [np.arange(end + 1.0) for end in ends]
    merged = Distinct.of(parts[0])
    for part in parts[1:]:
        merged = merged.merge(Distinct.of(part))
    n = max(ends) + 1
    assert merged.exact == (n < 4096)
    assert merged.n == n if merged.exact else abs(merged.n - n) < 5 * merged.error * n


@given(st.integers(0, 999), st.integers(1, 6))
@settings(max_examples=15, deadline=None)
def test_frequent_values_have_counters_within_their_error(seed, n_parts):
    rng = np.random.default_rng(seed)
    values = np.minimum(rng.zipf(1.3, size=20_000), 10**6).astype(float)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dmlib.large.sketches.COUNTERS", 50)
        parts = [
            Frequent.of(*np.unique(part, return_counts=True))
            for part in np.array_split(values, n_parts)
        ]
        merged = parts[0]
        for part in parts[1:]:
            merged = merged.merge(part)
    assert len(merged.counts) <= 50
    assert merged.error <= len(values) / 50
    counts = pd.Series(values).value_counts()
    assert merged.top(1)[0][0] == counts.index[0]
    for value, count in merged.top(5):
        assert count <= counts[value] <= count + merged.error


def test_lists_and_truth_values_are_described_too(tmp_path):
    frame = pd.DataFrame(
        {"lists": [[1, 2], [1, 2], None], "yes": [True, False, True], "none": [None] * 3}
    )
    frame.to_parquet(tmp_path / "odd.parquet")
    summary = profile(tmp_path / "odd.parquet")
    assert [column.n for column in summary.columns] == [2, 3, 0]
    assert [column.n_distinct for column in summary.columns] == [1, 2, 0]
    assert summary["yes"].top == (("True", 2), ("False", 1))
    assert len(summary.frame()) == 3


def test_generated_tables_are_the_same_for_the_same_seed_and_chunks(tmp_path):
    first, second = (make_table(tmp_path / name, 2500, 6, chunk=1000, seed=5) for name in "ab")
    assert [path.name for path in sorted(first.iterdir())] == [
        f"part-0000{i}.parquet" for i in range(3)
    ]
    summary = profile(first)
    assert summary == profile(second)
    assert (summary.n_rows, open_table(first).columns) == (
        2500,
        ("x1", "x2", "x3", "region", "y", "group"),
    )
    with pytest.raises(ValueError, match=r"at least one row, 4 columns"):
        make_table(tmp_path, 10, 3)


def test_numbers_whose_squares_overflow_have_no_mean_but_the_rest():
    summary = profile(pd.DataFrame({"a": [1e200, -1e200, 3.0]}))["a"]
    assert np.isnan([summary.mean, summary.variance]).all()
    assert (summary.minimum, summary.percentiles[2], summary.maximum) == (-1e200, 3.0, 1e200)
