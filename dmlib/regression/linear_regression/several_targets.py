"""Several targets at once: the same steps for each, and what their residuals have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dmlib.arrays import Floats
from dmlib.regression.design import LeastSquares
from dmlib.regression.linear_regression.inference import Inference
from dmlib.regression.linear_regression.solvers import LinearRegressionStep, Phase
from dmlib.regression.targets import numeric_target


@dataclass(frozen=True)
class TargetsStep:
    """One step of a linear regression of several targets.

    Attributes
    ----------
    phase : str
        That of each target; of gradient descent, of those that have not ended.
    iteration : int
        The largest of the targets.
    intercept : ndarray of shape (n_targets,)
        The constant terms after the step.
    coef : ndarray of shape (n_targets, n_terms)
        The coefficients after the step.
    sse, r2, rmse : ndarray of shape (n_targets,)
        Those of each target.
    converged : bool
        On "done": whether these are the coefficients of least squares.
    reason : str
        On "done": how it ended, as a sentence.
    inferences : tuple of Inference
        On "done": standard errors and tests of each target; empty where there are none.
    residual_covariance : ndarray of shape (n_targets, n_targets) or None
        On "done": E'E / df of the residuals E.
    parts : tuple of LinearRegressionStep
        The step of each target.
    """

    phase: Phase
    iteration: int
    intercept: Floats
    coef: Floats
    sse: Floats
    r2: Floats
    rmse: Floats
    converged: bool
    reason: str
    inferences: tuple[Inference, ...]
    residual_covariance: Floats | None
    parts: tuple[LinearRegressionStep, ...]


def several_targets(y: ArrayLike | None) -> Floats | None:
    """Return a target of several columns, shape (n_samples, n_targets); None of a single one.

    Examples
    --------
    >>> several_targets([[1, 2], [3, 4]]).tolist(), several_targets([1, 2])
    ([[1.0, 2.0], [3.0, 4.0]], None)
    """
    values = np.asarray(numeric_target(y))
    if values.ndim != 2 or values.shape[1] < 2:
        return None
    targets: Floats = values.astype(np.float64)
    return targets


def joint_steps(
    runs: Sequence[Iterator[LinearRegressionStep]], problems: Sequence[LeastSquares]
) -> Iterator[TargetsStep]:
    """Yield the steps of several targets side by side; one that has ended stays as it is.

    Parameters
    ----------
    runs : sequence of iterator of LinearRegressionStep
        The steps of each target.
    problems : sequence of LeastSquares
        What they solve.
    """
    parts: tuple[LinearRegressionStep, ...] = ()
    for step in zip_longest(*runs):
        parts = tuple(new or old for new, old in zip_longest(step, parts))
        yield _joint(parts, problems)


def _joint(
    parts: tuple[LinearRegressionStep, ...], problems: Sequence[LeastSquares]
) -> TargetsStep:
    running = [part for part in parts if part.phase != "done"]
    intercept, coef, sse, r2, rmse = (
        np.array([getattr(part, name) for part in parts])
        for name in ("intercept", "coef", "sse", "r2", "rmse")
    )
    step = TargetsStep(
        running[0].phase if running else "done",
        max(part.iteration for part in parts),
        intercept,
        coef,
        sse,
        r2,
        rmse,
        converged=False,
        reason="",
        inferences=(),
        residual_covariance=None,
        parts=parts,
    )
    return step if running else _ended(step, problems)


def _ended(step: TargetsStep, problems: Sequence[LeastSquares]) -> TargetsStep:
    """Return the last step with what is known at the end."""
    failed = [part for part in step.parts if not part.converged]
    inferences = tuple(part.inference for part in step.parts if part.inference is not None)
    return replace(
        step,
        converged=not failed,
        reason=(failed or step.parts)[0].reason,
        inferences=inferences if len(inferences) == len(step.parts) else (),
        residual_covariance=_covariance(step.parts, problems, inferences),
    )


def _covariance(
    parts: Sequence[LinearRegressionStep],
    problems: Sequence[LeastSquares],
    inferences: Sequence[Inference],
) -> Floats:
    """Return E'E / df; NaN without a residual degree of freedom."""
    if len(inferences) < len(parts):
        return np.full((len(parts), len(parts)), np.nan)
    pairs: Any = zip(parts, problems, strict=True)
    E = np.column_stack([data.residuals(part.coef, part.intercept) for part, data in pairs])
    covariance: Floats = E.T @ E / inferences[0].df_resid
    return covariance
