"""The captions of EM and the arithmetic of its half-steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import MOST_COLUMNS
from dmlib.clustering.gaussian_mixture.em import GaussianMixtureStep
from dmlib.clustering.gaussian_mixture.gaussians import Mixture
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, class_table
from dmlib.pictures.scene import Frame
from dmlib.pictures.words import changes, count, num
from dmlib.problem import Problem


def mixture_frame(
    problem: Problem,
    step: GaussianMixtureStep,
    before: GaussianMixtureStep,
    heights: tuple[float, float],
    selected: int | None,
) -> Frame:
    """Return the caption and the arithmetic of a step, which comes after another.

    ``heights`` are the log-likelihood, or its bound, after the two; the shares of the ``selected`` sample are written
    out.
    """
    caption, ledger = _TELL[step.phase](problem, step, before, heights)
    if selected is not None:
        ledger = [*_row(problem, step, selected), *ledger]
    return Frame(caption, ledger, step.phase)


def _start(problem: Problem, step: GaussianMixtureStep, *_: Any) -> tuple[str, Blocks]:
    shares = step.responsibilities
    if shares is None:
        return "Start with the given weights, means and covariances.", [_parameters(problem, step)]
    sizes = shares.sum(axis=0)
    ledger: Blocks = [class_table(("Σ r",), [(float(size),) for size in sizes], "Rows of each component")]
    if sizes.sum() < len(shares) - 0.5:
        return "Start: one row represents each component; the others have no component yet.", ledger
    if ((shares == 0) | (shares == 1)).all():
        return "Start: each row belongs to one component alone.", ledger
    return "Start: each row has a responsibility of every component.", ledger


def _maximization(
    problem: Problem, step: GaussianMixtureStep, before: GaussianMixtureStep, heights: tuple[float, float]
) -> tuple[str, Blocks]:
    caption = "M step: weights, means and covariances are estimated from the rows, weighted by responsibility"
    caption += _rise("the bound", heights) + "." + _trouble(step)
    mixture, shares = cast(Mixture, step.mixture), cast(Floats, step.responsibilities)
    sizes, n = shares.sum(axis=0), shares.sum()
    weights = [(f"{size:.5g} / {n:.5g} = {weight:.4g}",) for size, weight in zip(sizes, mixture.weights, strict=True)]
    shown = problem.features[:MOST_COLUMNS]
    sums = shares.T @ problem.X[:, : len(shown)]
    means = [
        tuple(f"{total:.5g} / {size:.5g} = {mean:.5g}" for total, mean in zip(row, center, strict=False))
        for row, size, center in zip(sums, sizes, mixture.means, strict=True)
    ]
    return caption, [
        class_table(("weight",), weights, "Weight = Σ r / Σ of all"),
        class_table(shown, means, "Mean = Σ r x / Σ r"),
        _spreads(problem, mixture, f"Covariance = Σ r (x − μ)(x − μ)ᵀ / Σ r{_added(step)}"),
    ]


def _expectation(
    problem: Problem, step: GaussianMixtureStep, before: GaussianMixtureStep, heights: tuple[float, float]
) -> tuple[str, Blocks]:
    caption = "E step: the responsibilities are proportional to weight times density"
    caption += _rise("the log-likelihood", heights) + "."
    shares = cast(Floats, step.responsibilities)
    old = before.responsibilities
    moved = np.abs(shares - old).sum() / 2 if old is not None and old.shape == shares.shape else np.nan
    sizes = shares.sum(axis=0)
    gained = sizes - old.sum(axis=0) if old is not None else sizes
    rows = [(float(size), float(gain)) for size, gain in zip(sizes, gained, strict=True)]
    ledger: Blocks = [class_table(("Σ r", "change"), rows, "Sums of responsibilities")]
    if np.isfinite(moved):
        ledger.append(Formula(f"moved between components: Σ |change of r| / 2 = {num(moved)} rows"))
    ledger.append(Formula(_likelihood(step)))
    return caption, ledger


def _reset(problem: Problem, step: GaussianMixtureStep, *_: Any) -> tuple[str, Blocks]:
    names = _names([component for component, _ in step.reset])
    places = {f"row {problem.rows[row] + 1}" for _, row in step.reset if row >= 0}
    where = f"at {' and '.join(sorted(places))}" if places else "where the mean was"
    start = _agree(step.reset, "starts", "start")
    caption = f"{step.reason} {names} had collapsed, and {start} anew {where}, with the covariance of all rows."
    return caption, [_parameters(problem, step), _spreads(problem, cast(Mixture, step.mixture), "Covariances")]


def _done(problem: Problem, step: GaussianMixtureStep, *_: Any) -> tuple[str, Blocks]:
    mixture = cast(Mixture, step.mixture)
    n, p, likelihood = len(problem.X), mixture.n_parameters, step.log_likelihood
    bic, aic = p * np.log(n) - 2 * likelihood, 2 * p - 2 * likelihood
    ledger: Blocks = [
        _parameters(problem, step),
        _spreads(problem, mixture, "Covariances"),
        Formula(_likelihood(step)),
        Formula(f"parameters: {_parameter_count(mixture)} = {p}"),
        Formula(f"BIC = p ln n − 2 ln L = {p} × {np.log(n):.5g} − 2 × {num(likelihood)} = {num(bic)}"),
        Formula(f"AIC = 2 p − 2 ln L = {2 * p} − 2 × {num(likelihood)} = {num(aic)}"),
    ]
    return f"Done after {count(step.iteration, 'iteration', 'iterations')}. {step.reason}{_trouble(step)}", ledger


def _row(problem: Problem, step: GaussianMixtureStep, selected: int) -> Blocks:
    """Write out the shares of one row."""
    x, name = problem.X[selected], f"Row {problem.rows[selected] + 1}"
    shares = None if step.responsibilities is None else step.responsibilities[selected]
    if step.phase in ("expectation", "done", "reset") or shares is None:
        mixture = cast(Mixture, step.mixture)
        joint = mixture.log_joint(x[:, None])[:, 0]
        top = joint.max()
        density = float(np.log(np.exp(joint - top).sum()) + top)
        current = np.exp(joint - density)
        rows = [
            (float(weight), float(log - np.log(weight)), float(np.exp(log)), float(share))
            for weight, log, share in zip(mixture.weights, joint, current, strict=True)
        ]
        head = ("weight π", "ln N(x)", "π N(x)", "resp. r")
        table = class_table(head, rows, f"{name}: r = π N(x) / p(x)", [int(current.argmax())])
        return [table, Formula(f"p(x) = Σ π N(x) = {num(np.exp(density))}, ln p(x) = {num(density)}")]
    columns = range(min(MOST_COLUMNS, len(x)))
    counted = [(float(share), *(float(share * x[j]) for j in columns)) for share in shares]
    products = [f"r × {problem.features[j]}" for j in columns]
    return [class_table(("resp. r", *products), counted, f"{name}: its terms in the sums")]


def _parameters(problem: Problem, step: GaussianMixtureStep) -> LedgerTable:
    mixture = cast(Mixture, step.mixture)
    shown = problem.features[: MOST_COLUMNS + 1]
    rows = [
        (float(weight), *map(float, center[: len(shown)]))
        for weight, center in zip(mixture.weights, mixture.means, strict=True)
    ]
    return class_table(("weight", *shown), rows, "Weights and means")


def _spreads(problem: Problem, mixture: Mixture, title: str) -> LedgerTable:
    """Return variances and covariance of the first columns."""
    shown = problem.features[:MOST_COLUMNS]
    head = [f"var({name})" for name in shown]
    if len(shown) > 1:
        head.append("cov")
    rows = [
        (*map(float, np.diag(matrix)[: len(shown)]), *([float(matrix[0, 1])] if len(shown) > 1 else []))
        for matrix in mixture.matrices()
    ]
    return class_table(head, rows, title)


def _parameter_count(mixture: Mixture) -> str:
    k, d = mixture.means.shape
    triangle = f"{d} × {d + 1} / 2"
    shape = {"spherical": f"{k}", "diag": f"{k} × {d}", "tied": triangle, "full": f"{k} × {triangle}"}
    return f"{count(k - 1, 'weight', 'weights')} + {k} × {d} means + {shape[mixture.covariance_type]} (co)variances"


def _rise(what: str, heights: tuple[float, float]) -> str:
    before, after = heights
    if not np.isfinite(after):
        return ""
    if not np.isfinite(before):
        return f"; {what} is {num(after)}"
    return f"; {changes(what, before, after)}"


def _trouble(step: GaussianMixtureStep) -> str:
    """Return what has to be said of components that cannot be estimated, or only with help."""
    text = ""
    if step.lost:
        text += f" {_names(step.lost)} {_agree(step.lost, 'has', 'have')} no rows left"
        text += f", and {_agree(step.lost, 'stays', 'stay')} where {_agree(step.lost, 'it was', 'they were')}."
    if step.held:
        names, them = _names(step.held).lower(), _agree(step.held, "it", "they")
        text += f" Most of the smallest variance of {names} is reg_covar, {num(step.reg_covar)};"
        text += f" without that {them} could collapse."
    return text


def _names(components: Sequence[int]) -> str:
    *most, last = (str(j + 1) for j in components)
    return f"Components {', '.join(most)} and {last}" if most else f"Component {last}"


def _agree(components: Sequence[Any], one: str, several: str) -> str:
    return one if len(components) == 1 else several


def _added(step: GaussianMixtureStep) -> str:
    return f" + {step.reg_covar:g}" if step.reg_covar else ""


def _likelihood(step: GaussianMixtureStep) -> str:
    n = len(cast(Floats, step.responsibilities))
    return f"ln L = Σ ln p(x) = {num(step.log_likelihood)}; a row has {num(step.log_likelihood / n)} on average"


_TELL: dict[str, Callable[..., tuple[str, Blocks]]] = {
    "start": _start,
    "maximization": _maximization,
    "reset": _reset,
    "expectation": _expectation,
    "done": _done,
}
