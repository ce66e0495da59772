"""Warnings of the pages' fits stay off the server's console."""

import subprocess
import sys

RUN = """
import warnings
warnings.simplefilter("error")
import numpy as np, pandas as pd
from dmlib.classification import SVC
from dmlib.pictures.run import Run
from dmlib.problem import prepare
table = pd.DataFrame({"a": np.arange(20.0), "k": list("xy") * 10})
problem = prepare(table, ["a"], target="k", labelled=True)
model = SVC(max_iter=1)
shown = Run.of(problem, model)
print(shown.fitted.fit_status_)
try:
    model.fit(problem.X, problem.y)
except UserWarning as warning:
    print(type(warning).__name__)
"""


def test_a_page_does_not_warn_where_a_program_is_warned():
    done = subprocess.run(
        [sys.executable, "-c", RUN], check=False, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.split() == ["1", "ConvergenceWarning"], done.stderr
