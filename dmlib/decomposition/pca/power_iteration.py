"""Eigenvectors of a covariance matrix by power iteration, one after the other by deflation."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from math import hypot
from typing import Any, Literal

import numpy as np

from dmlib.arrays import Floats
from dmlib.trace import look

Phase = Literal["start", "turn", "found", "done"]


@dataclass(frozen=True)
class PCAStep:
    """One step of the power iteration.

    Attributes
    ----------
    phase : Phase
        What was done: an axis drawn at random; the axis turned; a component accepted; all
        components found.
    component : int
        The component that is looked for, from 0; on "done" the number of components.
    iteration : int
        The number of iterations for this component.
    axis : ndarray of shape (n_features,)
        The unit vector of the axis; on "done" that of the last component.
    variance : float
        The variance (n - 1) of the rows projected onto it.
    turned : float
        The angle of the last turn, in radians.
    covariance : ndarray of shape (n_features, n_features)
        The covariance matrix without the components found before.
    components : ndarray of shape (n_found, n_features)
        The components found so far; on "done" those of ``components_``.
    variances : ndarray of shape (n_found,)
        Their variances.
    reason : str
        On "found": why the axis is accepted, as a sentence.
    """

    phase: Phase
    component: int
    iteration: int
    axis: Floats
    variance: float
    turned: float
    covariance: Floats
    components: Floats
    variances: Floats
    reason: str = ""


def power_iteration(
    covariance: Floats, enough: Callable[[Floats], bool], *, tol: float, max_iter: int, rng: Any
) -> Iterator[PCAStep]:
    r"""Find the eigenvectors of a covariance matrix by falling eigenvalue.

    A turn is :math:`w \leftarrow S w / \lVert S w \rVert`: of the directions that ``w`` is made of,
    those with a larger variance grow more. A component that is found is taken out: :math:`S
    \leftarrow S - \lambda w w'`.

    Parameters
    ----------
    covariance : ndarray of shape (n_features, n_features)
        The matrix S.
    enough : callable
        Takes the variances found so far; whether to stop.
    tol : float
        An axis is accepted when it turns by no more than this angle, in radians.
    max_iter : int
        The maximum number of iterations for one component.
    rng : RandomState
        The source of the axes to start from.

    Yields
    ------
    PCAStep
        Every turn; the phase of the last one of a component is "found".

    References
    ----------
    R. von Mises and H. Pollaczek-Geiringer (1929), Praktische Verfahren der Gleichungsauflösung.
    H. Hotelling (1933), Analysis of a complex of statistical variables into principal components.

    Examples
    --------
    >>> S = np.array([[2.5, 1.5], [1.5, 2.5]])
    >>> rng = np.random.RandomState(0)
    >>> *_, last = power_iteration(S, lambda v: len(v) == 2, tol=1e-9, max_iter=99, rng=rng)
    >>> last.variances.round(6).tolist(), last.components.round(3).tolist()
    ([4.0, 1.0], [[0.707, 0.707], [-0.707, 0.707]])
    """
    n_features = len(covariance)
    smallest = n_features * np.finfo(np.float64).eps * float(np.trace(covariance))
    components, variances = np.zeros((0, n_features)), np.zeros(0)
    while not enough(variances):
        start = _across(rng.normal(size=n_features), components)
        start /= np.linalg.norm(start)
        step = PCAStep(
            "start", len(variances), 0, start, 0.0, 0.0, covariance, components, variances
        )
        last = yield from _turns(step, smallest, tol, max_iter)
        axis = signed(last.axis[None])[0]
        components, variances = np.vstack([components, axis]), np.append(variances, last.variance)
        yield replace(last, phase="found", axis=axis, components=components, variances=variances)
        covariance = covariance - last.variance * np.outer(axis, axis)


def _turns(
    step: PCAStep, smallest: float, tol: float, max_iter: int
) -> Generator[PCAStep, None, PCAStep]:
    """Turn one axis until it rests; return the last step with the reason."""
    image = _image(step)
    step = replace(step, variance=float(step.axis @ image))
    yield step
    for iteration in range(1, max_iter + 1):
        look()
        size = hypot(*image)  # its square may be too large for a number
        if size <= smallest:
            reason = "No variance is left, so any axis orthogonal to the others is a component."
            return replace(step, variance=0.0, reason=reason)
        axis = image / size
        turned = 2 * float(np.arcsin(min(1.0, float(np.linalg.norm(axis - step.axis)) / 2)))
        step = replace(step, phase="turn", iteration=iteration, axis=axis, turned=turned)
        image = _image(step)
        step = replace(step, variance=float(axis @ image))
        yield step
        if turned <= tol:
            return replace(step, reason="The axis turned by no more than the tolerance.")
    return replace(step, reason=f"The limit of {max_iter} iterations was reached.")


def _image(step: PCAStep) -> Floats:
    """Return S w without what rounding adds to it along the components found before."""
    return _across(step.covariance @ step.axis, step.components)


def _across(vector: Floats, components: Floats) -> Floats:
    across: Floats = vector - components.T @ (components @ vector)
    return across


def signed(axes: Floats) -> Floats:
    """Return axes, one a row, with the signs that make their entries of largest size positive.

    Examples
    --------
    >>> signed(np.array([[0.6, -0.8], [0.8, 0.6]])).tolist()
    [[-0.6, 0.8], [0.8, 0.6]]
    """
    largest = np.take_along_axis(axes, np.abs(axes).argmax(axis=1)[:, None], axis=1)
    turned: Floats = axes * np.where(largest < 0, -1, 1).astype(axes.dtype)
    return turned
