"""The same machine by scikit-learn, and the code that trains it."""

from __future__ import annotations

from typing import Any

from dmlib.classification.svm import HARD, SVC, NuSVC

TOL = 1e-10
MOST_MOVES = 200_000  # of scikit-learn's solver, which has no other limit
SHARED = ("kernel", "degree", "gamma", "coef0")


def svm_reference(model: SVC | NuSVC, X: Any, y: Any) -> Any:
    """Return scikit-learn's SVC or NuSVC, fitted to ``X, y``; None where the two need not agree.

    They need not where a run was cut off, and where the kernel is no inner product ("sigmoid"): then there are several
    places at which nothing moves any more. Elsewhere they agree to about six digits: scikit-learn's solver keeps the
    values of the kernel in single precision.

    Examples
    --------
    >>> reference = svm_reference(SVC(kernel="linear"), [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> reference.support_.tolist(), reference.dual_coef_.round(6).tolist()
    ([1, 2], [[-1.0, 1.0]])
    """
    from sklearn import svm

    if model.kernel == "sigmoid" or model.fit(X, y).fit_status_:
        return None
    library = svm.NuSVC if isinstance(model, NuSVC) else svm.SVC
    reference = library(**_arguments(model), tol=TOL, max_iter=MOST_MOVES)
    reference.fit(X, y)
    return None if reference.fit_status_ else reference


def _arguments(model: SVC | NuSVC) -> dict[str, Any]:
    """Return the parameters that have the same name there; an infinite C has to be a large one."""
    shared = {name: getattr(model, name) for name in SHARED}
    return {"nu": model.nu, **shared} if isinstance(model, NuSVC) else {"C": min(model.C, HARD), **shared}


def svm_code(model: SVC | NuSVC) -> str:
    """Return code that fits scikit-learn's SVC or NuSVC as ``reference`` to ``X, y``."""
    name = "NuSVC" if isinstance(model, NuSVC) else "SVC"
    arguments = ", ".join(f"{key}={value!r}" for key, value in _arguments(model).items())
    return f"""
# The same with scikit-learn, whose solver keeps kernel values in single precision
from sklearn import svm

reference = svm.{name}({arguments}, tol={TOL!r})
reference.fit(X, y)
"""
