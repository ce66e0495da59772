"""Standard errors and the test of r written out; p-values corrected for several tests."""

import re

import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import linregress
from statsmodels.stats.multitest import multipletests

from tests.visit import open_settings

MTCARS = {"source": "library", "data": "mtcars", "test": "0"}


def ledger_of(**settings):
    run, scene = open_settings("linear_regression", **MTCARS, **settings)
    return run, scene["frames"][-1]["ledger"]


def last_number(ledger, start):
    (line,) = (block["text"] for block in ledger if block.get("text", "").startswith(start))
    return float(re.findall(r"[\d.]+", line.split("=")[-1])[0]), line


def test_errors_and_r_of_one_column():
    run, ledger = ledger_of(**{"mtcars.features": ("wt",)})
    X, y = run.problem.training.X[:, 0], run.problem.training.y
    expected = linregress(X, y)
    slope, _ = last_number(ledger, "SE(b) =")
    intercept, _ = last_number(ledger, "SE(b₀) =")
    assert_allclose(slope, expected.stderr, rtol=1e-4)
    assert_allclose(intercept, expected.intercept_stderr, rtol=1e-4)
    _, line = last_number(ledger, "r =")
    r = float(line.split(";")[0].removeprefix("r = ").replace("−", "-"))
    assert_allclose(r, expected.rvalue, rtol=1e-4)
    t = float(re.search(r"= ([−\d.]+): its test", line)[1].replace("−", "-"))
    assert_allclose(t, expected.slope / expected.stderr, rtol=1e-4)


def test_p_values_of_several_columns_are_corrected_as_statsmodels_does():
    run, ledger = ledger_of(**{"mtcars.features": ("wt", "hp", "qsec", "drat")})
    (table,) = (block for block in ledger if "corrected for 4 tests" in str(block.get("title")))
    p = run.fitted.inference_.p[1:]
    for column, method in ((2, "bonferroni"), (3, "fdr_bh")):
        shown = [float(str(row[column]).replace("−", "-")) for row in table["rows"]]
        assert_allclose(shown, multipletests(p, method=method)[1], rtol=1e-2)
    assert np.isfinite(p).all()
