"""Support vector machines by scikit-learn."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.classification.svm.algorithm import SVC, NuSVC
from dmlib.comparison import Incomparable
from dmlib.pictures.reference import Reference
from dmlib.pictures.run import Run
from dmlib.problem import Problem


def fit_svc(
    X: Floats,
    y: ArrayLike,
    C: float,
    kernel: str,
    degree: int,
    gamma: Any,
    coef0: float,
    class_weight: Any,
) -> Any:
    """Fit scikit-learn's SVC, whose solver stores kernel values in single precision."""
    from sklearn.svm import SVC

    reference = SVC(
        C=C,
        kernel=kernel,
        degree=degree,
        gamma=gamma,
        coef0=coef0,
        class_weight=class_weight,
        tol=1e-10,
        max_iter=200_000,
    )
    return reference.fit(X, y)


def fit_nu_svc(
    X: Floats, y: ArrayLike, nu: float, kernel: str, degree: int, gamma: Any, coef0: float
) -> Any:
    """Fit scikit-learn's NuSVC, whose solver stores kernel values in single precision."""
    from sklearn.svm import NuSVC

    reference = NuSVC(
        nu=nu, kernel=kernel, degree=degree, gamma=gamma, coef0=coef0, tol=1e-10, max_iter=200_000
    )
    return reference.fit(X, y)


def svm_reference(run: Run[Problem, SVC | NuSVC]) -> Reference:
    """Return the same machine by scikit-learn, which agrees to about six digits.

    Raises
    ------
    dmlib.comparison.Incomparable
        If a run did not converge, or the kernel is no inner product, so that there may be several
        optima.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "c": list("nnyy")})
    >>> run = Run.of(prepare(frame, ["x"], target="c", labelled=True), SVC(kernel="linear"))
    >>> reference = svm_reference(run).answer(run)
    >>> reference.support_.tolist(), reference.dual_coef_.round(6).tolist()
    ([1, 2], [[-1.0, 1.0]])
    """
    model = run.model
    if model.kernel == "sigmoid":
        raise Incomparable(
            "the sigmoid kernel is no inner product here, so that there may be many optima."
        )
    if run.fitted.fit_status_:
        raise Incomparable("the run did not converge, so that there is no optimum to compare.")
    params = {name: getattr(model, name) for name in ("kernel", "degree", "gamma", "coef0")}
    if isinstance(model, SVC):
        reference = Reference(
            fit_svc, "X", "y", C=model.C, class_weight=model.class_weight, **params
        )
    else:
        reference = Reference(fit_nu_svc, "X", "y", nu=model.nu, **params)
    if reference.answer(run).fit_status_:
        raise Incomparable("scikit-learn's solver did not converge.")
    return reference
