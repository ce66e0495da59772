"""EM in words and numbers: the arithmetic of its half-steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from dmlib.arrays import Floats
from dmlib.clustering.centers_ledger import MAX_COLUMNS, quotients
from dmlib.clustering.gaussian_mixture.em import GaussianMixtureStep
from dmlib.clustering.gaussian_mixture.gaussians import IDENTITY, Mixture
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, class_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import changes, count, num
from dmlib.problem import Problem

STARTS = {
    "given": "Start with the given weights, means and covariances.",
    "rows": "Start: one row represents each component; the others have no component yet.",
    "clusters": "Start: each row belongs to one component alone.",
    "shares": "Start: each row has a responsibility of every component.",
}


@dataclass(frozen=True)
class Narrator:
    """Captions and ledgers of EM."""

    problem: Problem
    heights: Floats  # log-likelihood or bound after each step; NaN where far below the later ones
    selected: int | None  # the sample that the reader clicked: its responsibilities are written out

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: GaussianMixtureStep = moment.step
        if step.phase == "expectation":
            caption, ledger = self._expectation(step, moment)
        elif step.phase == "maximization":
            caption, ledger = self._maximization(step, moment)
        else:
            build = {"start": self._start, "reset": self._reset, "done": self._done}[step.phase]
            caption, ledger = build(step)
        return caption, [*self._row(step), *ledger]

    def _start(self, step: GaussianMixtureStep) -> tuple[str, Blocks]:
        shares = step.responsibilities
        if shares is None:
            return STARTS["given"], [self._parameters(step)]
        sizes = shares.sum(axis=0)
        kind = "clusters" if ((shares == 0) | (shares == 1)).all() else "shares"
        if sizes.sum() < len(shares) - 0.5:
            kind = "rows"
        rows = [(size,) for size in sizes.tolist()]
        return STARTS[kind], [class_table(("Σ r",), rows, "Rows of each component")]

    def _maximization(self, step: GaussianMixtureStep, moment: Moment) -> tuple[str, Blocks]:
        estimates = "weights, means and covariances are estimated from the rows"
        weighted = f"weighted by responsibility{self._rise('the bound', moment)}"
        mixture, shares = cast(Mixture, step.mixture), cast(Floats, step.responsibilities)
        added = f" + {step.reg_covar:g}" if step.reg_covar else ""
        spreads = f"Covariance = Σ r (x − μ)(x − μ)ᵀ / Σ r{added}"
        if mixture.covariance_type == IDENTITY:
            estimates, spreads = "weights and means are estimated from the rows", "σ² I, fixed"
        return f"M step: {estimates}, {weighted}.{_trouble(step)}", [
            _weights(mixture, shares),
            self._mean_sums(mixture, shares),
            self._spreads(mixture, spreads),
        ]

    def _mean_sums(self, mixture: Mixture, shares: Floats) -> LedgerTable:
        features = self.problem.features[:MAX_COLUMNS]
        sums = shares.T @ self.problem.X[:, : len(features)]
        sizes = [f"{size:.5g}" for size in shares.sum(axis=0)]
        means = mixture.means[:, : len(features)]
        return class_table(features, quotients(sums, sizes, means), "Mean = Σ r x / Σ r")

    def _expectation(self, step: GaussianMixtureStep, moment: Moment) -> tuple[str, Blocks]:
        proportion = "the responsibilities are proportional to weight times density"
        rise = self._rise("the log-likelihood", moment)
        shares, old = cast(Floats, step.responsibilities), moment.before.responsibilities
        sizes = shares.sum(axis=0)
        change = sizes if old is None else sizes - old.sum(axis=0)
        rows = np.column_stack([sizes, change]).tolist()
        ledger: Blocks = [class_table(("Σ r", "change"), rows, "Sums of responsibilities")]
        if old is not None and old.shape == shares.shape:
            moved = np.abs(shares - old).sum() / 2
            if np.isfinite(moved):
                total = f"Σ |change of r| / 2 = {num(moved)} rows"
                ledger.append(Formula(f"moved between components: {total}"))
        return f"E step: {proportion}{rise}.", [*ledger, _likelihood(step)]

    def _rise(self, what: str, moment: Moment) -> str:
        before, after = self.heights[max(moment.index - 1, 0)], self.heights[moment.index]
        if not np.isfinite(after):
            return ""
        if not np.isfinite(before):
            return f"; {what} is {num(after)}"
        return f"; {changes(what, before, after)}"

    def _reset(self, step: GaussianMixtureStep) -> tuple[str, Blocks]:
        names = _names([component for component, _ in step.reset])
        places = {f"row {self.problem.rows[row] + 1}" for _, row in step.reset if row >= 0}
        where = f"at {' and '.join(sorted(places))}" if places else "where the mean was"
        start = _agree(step.reset, "starts", "start")
        restart = f"{start} anew {where}, with the covariance of all rows"
        covariances = self._spreads(cast(Mixture, step.mixture), "Covariances")
        caption = f"{step.reason} {names} had collapsed, and {restart}."
        return caption, [self._parameters(step), covariances]

    def _done(self, step: GaussianMixtureStep) -> tuple[str, Blocks]:
        mixture, likelihood = cast(Mixture, step.mixture), step.log_likelihood
        n, p = len(self.problem.X), mixture.n_parameters
        bic, aic = p * np.log(n) - 2 * likelihood, 2 * p - 2 * likelihood
        deviance = f"2 × {num(likelihood)}"
        after = count(step.iteration, "iteration", "iterations")
        return f"Done after {after}. {step.reason}{_trouble(step)}", [
            self._parameters(step),
            self._spreads(mixture, "Covariances"),
            _likelihood(step),
            Formula(f"parameters: {_parameter_count(mixture)} = {p}"),
            Formula(f"BIC = p ln n − 2 ln L = {p} × {np.log(n):.5g} − {deviance} = {num(bic)}"),
            Formula(f"AIC = 2 p − 2 ln L = {2 * p} − {deviance} = {num(aic)}"),
        ]

    def _row(self, step: GaussianMixtureStep) -> Blocks:
        """Write out the responsibilities of the selected row, or its terms in the sums."""
        if self.selected is None:
            return []
        x, name = self.problem.X[self.selected], f"Row {self.problem.rows[self.selected] + 1}"
        if step.phase in ("expectation", "done", "reset") or step.responsibilities is None:
            return _posterior(cast(Mixture, step.mixture), x, name)
        features = self.problem.features[:MAX_COLUMNS]
        shares = step.responsibilities[self.selected]
        terms = np.column_stack([shares, shares[:, None] * x[: len(features)]]).tolist()
        head = ("resp. r", *(f"r × {feature}" for feature in features))
        return [class_table(head, terms, f"{name}: its terms in the sums")]

    def _parameters(self, step: GaussianMixtureStep) -> LedgerTable:
        mixture, features = cast(Mixture, step.mixture), self.problem.features[: MAX_COLUMNS + 1]
        rows = np.column_stack([mixture.weights, mixture.means[:, : len(features)]]).tolist()
        return class_table(("weight", *features), rows, "Weights and means")

    def _spreads(self, mixture: Mixture, title: str) -> LedgerTable:
        """Return variances and covariance of the first columns."""
        features, matrices = self.problem.features[:MAX_COLUMNS], mixture.matrices()
        head = [f"var({name})" for name in features]
        columns = [matrices[:, j, j] for j in range(len(features))]
        if len(features) > 1:
            head.append("cov")
            columns.append(matrices[:, 0, 1])
        return class_table(head, np.column_stack(columns).tolist(), title)


def _weights(mixture: Mixture, shares: Floats) -> LedgerTable:
    sizes = shares.sum(axis=0)[:, None]
    rows = quotients(sizes, [f"{shares.sum():.5g}"] * len(sizes), mixture.weights[:, None], ".4g")
    return class_table(("weight",), rows, "Weight = Σ r / Σ of all")


def _posterior(mixture: Mixture, x: Floats, name: str) -> Blocks:
    """Write out the density of a row and its responsibilities."""
    joint = mixture.log_joint(x[:, None])[:, 0]
    top = joint.max()
    density = float(np.log(np.exp(joint - top).sum()) + top)
    shares, weights = np.exp(joint - density), mixture.weights
    rows = np.column_stack([weights, joint - np.log(weights), np.exp(joint), shares]).tolist()
    head = ("weight π", "ln N(x)", "π N(x)", "resp. r")
    table = class_table(head, rows, f"{name}: r = π N(x) / p(x)", [int(shares.argmax())])
    return [table, Formula(f"p(x) = Σ π N(x) = {num(np.exp(density))}, ln p(x) = {num(density)}")]


def _parameter_count(mixture: Mixture) -> str:
    k, d = mixture.means.shape
    triangle = f"{d} × {d + 1} / 2"
    shape = {
        IDENTITY: "0",
        "spherical": f"{k}",
        "diag": f"{k} × {d}",
        "tied": triangle,
        "full": f"{k} × {triangle}",
    }
    weights, covariances = count(k - 1, "weight", "weights"), shape[mixture.covariance_type]
    return f"{weights} + {k} × {d} means + {covariances} (co)variances"


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


def _likelihood(step: GaussianMixtureStep) -> Formula:
    n = len(cast(Floats, step.responsibilities))
    total, mean = num(step.log_likelihood), num(step.log_likelihood / n)
    return Formula(f"ln L = Σ ln p(x) = {total}; a row has {mean} on average")
