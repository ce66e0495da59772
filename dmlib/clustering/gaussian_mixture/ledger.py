"""EM in words and numbers: the arithmetic of its half-steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import MAX_COLUMNS, quotients
from dmlib.clustering.gaussian_mixture.em import GaussianMixtureStep
from dmlib.clustering.gaussian_mixture.gaussians import Mixture
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, class_table
from dmlib.pictures.words import changes, count, num
from dmlib.problem import Problem


def mixture_ledger(
    problem: Problem,
    step: GaussianMixtureStep,
    before: GaussianMixtureStep,
    heights: tuple[float, float],
    selected: int | None,
) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a step.

    Parameters
    ----------
    problem : Problem
        The data.
    step, before : GaussianMixtureStep
        The step, and the one before it in its restart.
    heights : tuple of float
        The log-likelihood, or its bound, before and after the step.
    selected : int or None
        The sample that the reader clicked: its responsibilities are written out.
    """
    build: Callable[..., tuple[str, Blocks]] = {
        "start": _start,
        "maximization": _maximization,
        "reset": _reset,
        "expectation": _expectation,
        "done": _done,
    }[step.phase]
    caption, ledger = build(problem, step, before, heights)
    if selected is not None:
        ledger = [*_row(problem, step, selected), *ledger]
    return caption, ledger


def _start(problem: Problem, step: GaussianMixtureStep, *_: Any) -> tuple[str, Blocks]:
    shares = step.responsibilities
    if shares is None:
        return "Start with the given weights, means and covariances.", [_parameters(problem, step)]
    sizes = shares.sum(axis=0)
    ledger: Blocks = [
        class_table(("Σ r",), [(float(size),) for size in sizes], "Rows of each component")
    ]
    if sizes.sum() < len(shares) - 0.5:
        return "Start: one row represents each component; the others have no component yet.", ledger
    if ((shares == 0) | (shares == 1)).all():
        return "Start: each row belongs to one component alone.", ledger
    return "Start: each row has a responsibility of every component.", ledger


def _maximization(
    problem: Problem,
    step: GaussianMixtureStep,
    before: GaussianMixtureStep,
    heights: tuple[float, float],
) -> tuple[str, Blocks]:
    estimates = "weights, means and covariances are estimated from the rows"
    weighted = f"weighted by responsibility{_rise('the bound', heights)}"
    mixture, shares = cast(Mixture, step.mixture), cast(Floats, step.responsibilities)
    covariance = f"Covariance = Σ r (x − μ)(x − μ)ᵀ / Σ r{_added(step)}"
    return f"M step: {estimates}, {weighted}.{_trouble(step)}", [
        _weights(mixture, shares),
        _mean_sums(problem, mixture, shares),
        _spreads(problem, mixture, covariance),
    ]


def _weights(mixture: Mixture, shares: Floats) -> LedgerTable:
    n = shares.sum()
    sizes = shares.sum(axis=0).tolist()
    rows = [
        (f"{size:.5g} / {n:.5g} = {weight:.4g}",)
        for size, weight in zip(sizes, mixture.weights, strict=True)
    ]
    return class_table(("weight",), rows, "Weight = Σ r / Σ of all")


def _mean_sums(problem: Problem, mixture: Mixture, shares: Floats) -> LedgerTable:
    features = problem.features[:MAX_COLUMNS]
    sums = shares.T @ problem.X[:, : len(features)]
    sizes = [f"{size:.5g}" for size in shares.sum(axis=0)]
    means = mixture.means[:, : len(features)]
    return class_table(features, quotients(sums, sizes, means), "Mean = Σ r x / Σ r")


def _expectation(
    problem: Problem,
    step: GaussianMixtureStep,
    before: GaussianMixtureStep,
    heights: tuple[float, float],
) -> tuple[str, Blocks]:
    caption = "E step: the responsibilities are proportional to weight times density"
    caption += _rise("the log-likelihood", heights) + "."
    shares, old = cast(Floats, step.responsibilities), before.responsibilities
    sizes = shares.sum(axis=0)
    changes_of_sizes = sizes if old is None else sizes - old.sum(axis=0)
    rows = list(zip(sizes.tolist(), changes_of_sizes.tolist(), strict=True))
    ledger: Blocks = [class_table(("Σ r", "change"), rows, "Sums of responsibilities")]
    if old is not None and old.shape == shares.shape:
        moved = np.abs(shares - old).sum() / 2
        if np.isfinite(moved):
            total = f"Σ |change of r| / 2 = {num(moved)} rows"
            ledger.append(Formula(f"moved between components: {total}"))
    ledger.append(Formula(_likelihood(step)))
    return caption, ledger


def _reset(problem: Problem, step: GaussianMixtureStep, *_: Any) -> tuple[str, Blocks]:
    names = _names([component for component, _ in step.reset])
    places = {f"row {problem.rows[row] + 1}" for _, row in step.reset if row >= 0}
    where = f"at {' and '.join(sorted(places))}" if places else "where the mean was"
    start = _agree(step.reset, "starts", "start")
    restart = f"{start} anew {where}, with the covariance of all rows"
    covariances = _spreads(problem, cast(Mixture, step.mixture), "Covariances")
    caption = f"{step.reason} {names} had collapsed, and {restart}."
    return caption, [_parameters(problem, step), covariances]


def _done(problem: Problem, step: GaussianMixtureStep, *_: Any) -> tuple[str, Blocks]:
    mixture = cast(Mixture, step.mixture)
    n, p, likelihood = len(problem.X), mixture.n_parameters, step.log_likelihood
    bic, aic = p * np.log(n) - 2 * likelihood, 2 * p - 2 * likelihood
    deviance = f"2 × {num(likelihood)}"
    ledger: Blocks = [
        _parameters(problem, step),
        _spreads(problem, mixture, "Covariances"),
        Formula(_likelihood(step)),
        Formula(f"parameters: {_parameter_count(mixture)} = {p}"),
        Formula(f"BIC = p ln n − 2 ln L = {p} × {np.log(n):.5g} − {deviance} = {num(bic)}"),
        Formula(f"AIC = 2 p − 2 ln L = {2 * p} − {deviance} = {num(aic)}"),
    ]
    after = count(step.iteration, "iteration", "iterations")
    return f"Done after {after}. {step.reason}{_trouble(step)}", ledger


def _row(problem: Problem, step: GaussianMixtureStep, selected: int) -> Blocks:
    """Write out the responsibilities of one row, or after a maximisation its terms in the sums."""
    x, name = problem.X[selected], f"Row {problem.rows[selected] + 1}"
    if step.phase in ("expectation", "done", "reset") or step.responsibilities is None:
        return _posterior(cast(Mixture, step.mixture), x, name)
    columns = range(min(MAX_COLUMNS, len(x)))
    terms = [
        (float(share), *(float(share * x[j]) for j in columns))
        for share in step.responsibilities[selected]
    ]
    products = [f"r × {problem.features[j]}" for j in columns]
    return [class_table(("resp. r", *products), terms, f"{name}: its terms in the sums")]


def _posterior(mixture: Mixture, x: Floats, name: str) -> Blocks:
    """Write out the density of a row and its responsibilities."""
    joint = mixture.log_joint(x[:, None])[:, 0]
    top = joint.max()
    density = float(np.log(np.exp(joint - top).sum()) + top)
    shares = np.exp(joint - density)
    rows = [
        (float(weight), float(log - np.log(weight)), float(np.exp(log)), float(share))
        for weight, log, share in zip(mixture.weights, joint, shares, strict=True)
    ]
    head = ("weight π", "ln N(x)", "π N(x)", "resp. r")
    table = class_table(head, rows, f"{name}: r = π N(x) / p(x)", [int(shares.argmax())])
    return [table, Formula(f"p(x) = Σ π N(x) = {num(np.exp(density))}, ln p(x) = {num(density)}")]


def _parameters(problem: Problem, step: GaussianMixtureStep) -> LedgerTable:
    mixture = cast(Mixture, step.mixture)
    features = problem.features[: MAX_COLUMNS + 1]
    rows = [
        (float(weight), *map(float, center[: len(features)]))
        for weight, center in zip(mixture.weights, mixture.means, strict=True)
    ]
    return class_table(("weight", *features), rows, "Weights and means")


def _spreads(problem: Problem, mixture: Mixture, title: str) -> LedgerTable:
    """Return variances and covariance of the first columns."""
    features, matrices = problem.features[:MAX_COLUMNS], mixture.matrices()
    head = [f"var({name})" for name in features]
    columns = [matrices[:, j, j].tolist() for j in range(len(features))]
    if len(features) > 1:
        head.append("cov")
        columns.append(matrices[:, 0, 1].tolist())
    rows = list(zip(*columns, strict=True))
    return class_table(head, rows, title)


def _parameter_count(mixture: Mixture) -> str:
    k, d = mixture.means.shape
    triangle = f"{d} × {d + 1} / 2"
    shape = {
        "spherical": f"{k}",
        "diag": f"{k} × {d}",
        "tied": triangle,
        "full": f"{k} × {triangle}",
    }
    weights, covariances = count(k - 1, "weight", "weights"), shape[mixture.covariance_type]
    return f"{weights} + {k} × {d} means + {covariances} (co)variances"


def _rise(what: str, heights: tuple[float, float]) -> str:
    before, after = heights
    if not np.isfinite(after):
        return ""
    if not np.isfinite(before):
        return f"; {what} is {num(after)}"
    return f"; {changes(what, before, after)}"


def _trouble(step: GaussianMixtureStep) -> str:
    """Return a sentence on components that cannot be estimated, or only with reg_covar."""
    text = ""
    if step.lost:
        verbs = _agree(step.lost, "has no rows left, and stays", "have no rows left, and stay")
        text += f" {_names(step.lost)} {verbs} where {_agree(step.lost, 'it was', 'they were')}."
    if step.regularised:
        names, them = _names(step.regularised).lower(), _agree(step.regularised, "it", "they")
        text += f" Most of the smallest variance of {names} is reg_covar, {num(step.reg_covar)};"
        text += f" without that {them} could collapse."
    return text


def _names(components: Sequence[int]) -> str:
    *first, last = (str(j + 1) for j in components)
    return f"Components {', '.join(first)} and {last}" if first else f"Component {last}"


def _agree(components: Sequence[Any], singular: str, plural: str) -> str:
    return singular if len(components) == 1 else plural


def _added(step: GaussianMixtureStep) -> str:
    return f" + {step.reg_covar:g}" if step.reg_covar else ""


def _likelihood(step: GaussianMixtureStep) -> str:
    n = len(cast(Floats, step.responsibilities))
    total, mean = num(step.log_likelihood), num(step.log_likelihood / n)
    return f"ln L = Σ ln p(x) = {total}; a row has {mean} on average"
