"""The same machine by scikit-learn, and the code that trains it."""

from __future__ import annotations

from typing import Any

from dmlib.classification.svm.algorithm import SVC, NuSVC
from dmlib.comparison import Incomparable
from dmlib.pictures.run import Run

TOL = 1e-10
MOST_MOVES = 200_000  # of scikit-learn's solver, which has no other limit
SHARED = ("kernel", "degree", "gamma", "coef0")


def svm_reference(run: Run) -> Any:
    """Return scikit-learn's SVC or NuSVC, fitted to ``X, y``; None where the two need not agree.

    They need not where a run was cut off, and where the kernel is no inner product ("sigmoid"):
    then there are several places at which nothing moves any more. Elsewhere they agree to about six
    digits: scikit-learn's solver keeps the values of the kernel in single precision.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "c": list("nnyy")})
    >>> problem = prepare(frame, ["x"], target="c", labelled=True)
    >>> reference = svm_reference(Run.of(problem, SVC(kernel="linear")))
    >>> reference.support_.tolist(), reference.dual_coef_.round(6).tolist()
    ([1, 2], [[-1.0, 1.0]])
    """
    model, (X, y) = run.model, run.problem.training.arguments
    from sklearn import svm

    if model.kernel == "sigmoid":
        raise Incomparable(
            "the sigmoid kernel is no inner product here, so that there may be many optima."
        )
    if run.fitted.fit_status_:
        raise Incomparable("the run did not converge, so that there is no optimum to compare.")
    library = svm.NuSVC if isinstance(model, NuSVC) else svm.SVC
    reference = library(**_arguments(model), tol=TOL, max_iter=MOST_MOVES)
    reference.fit(X, y)
    if reference.fit_status_:
        raise Incomparable("scikit-learn's solver did not converge.")
    return reference


def _arguments(model: SVC | NuSVC) -> dict[str, Any]:
    """Return the parameters that have the same name there."""
    shared = {name: getattr(model, name) for name in SHARED}
    return {"nu": model.nu, **shared} if isinstance(model, NuSVC) else {"C": model.C, **shared}


def svm_code(run: Run) -> str:
    """Return code that fits scikit-learn's SVC or NuSVC as ``reference`` to ``X, y``."""
    model = run.model
    name = "NuSVC" if isinstance(model, NuSVC) else "SVC"
    arguments = ", ".join(
        f"{key}={value!r}".replace("=inf", "=float('inf')")
        for key, value in _arguments(model).items()
    )
    return f"""
# The same with scikit-learn, whose solver keeps kernel values in single precision
from sklearn import svm

reference = svm.{name}({arguments}, tol={TOL!r})
reference.fit(X, y)
"""
