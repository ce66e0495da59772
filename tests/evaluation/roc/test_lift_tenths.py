import numpy as np

from dmlib.evaluation import ThresholdSweep
from dmlib.evaluation.roc.figures.lift_tenths import lift_tenths_data, plot_lift_tenths


def test_bars_are_the_groups_and_the_line_is_all_so_far():
    rng = np.random.default_rng(0)
    y = rng.random(57) < 0.3
    data = lift_tenths_data(ThresholdSweep("column").fit(rng.normal(y)[:, None], y))
    bars, line = plot_lift_tenths(data).data
    np.testing.assert_allclose(np.average(bars.y, weights=bars.customdata), 1)
    np.testing.assert_allclose(line.y[-1], 1)
    np.testing.assert_allclose(line.y[0], bars.y[0])


def test_ties_are_told():
    data = lift_tenths_data(ThresholdSweep("column").fit([[1.0]] * 30, [0, 1] * 15))
    assert "ties" not in plot_lift_tenths(data).layout.title.text
    assert "tied" in plot_lift_tenths(data).layout.title.text
    np.testing.assert_allclose(data.table.lift, 1)
