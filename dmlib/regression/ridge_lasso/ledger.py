"""The arithmetic of ridge, lasso and elastic net: the threshold of each step with its numbers, and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, few
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, changes, count, num, num4, short, signed
from dmlib.problem import Problem
from dmlib.regression.ridge_lasso.penalty import Penalised, PenaltyStep, soft

MAX_TERMS = 12  # lines of a table


@dataclass(frozen=True)
class Fit:
    """A fitted regression: all that picture and ledger are made from.

    Attributes
    ----------
    problem : Problem
        The data.
    model : Ridge, Lasso or ElasticNet
        Fitted.
    penalised : Penalised
        The problem that is solved.
    terms : tuple of str
        The names of the terms.
    """

    problem: Problem
    model: Any
    penalised: Penalised
    terms: tuple[str, ...]

    @classmethod
    def of(cls, run: Run) -> Fit:
        """Return the fit of a run."""
        problem, training = run.problem, run.problem.training
        model = run.fitted if run.trace.complete else clone(run.model).fit(*training.arguments)
        penalised = model.penalised(training.data, np.asarray(training.y))
        return cls(problem, model, penalised, model.term_names(problem.features))


def tell(fit: Fit, now: Moment, selected: int | None) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a moment, at the end also of the row that is selected."""
    caption, ledger = _BUILD[now.step.phase](fit, now.step, now.before)
    if selected is not None and now.step.phase == "done":
        ledger = [*_row(fit, selected), *ledger]
    return caption, ledger


def _table(fit: Fit, title: str, emphasis: int | None = None, **columns: Any) -> LedgerTable:
    terms = fit.terms
    cut = f" (the first {MAX_TERMS} of {len(terms)})" if len(terms) > MAX_TERMS else ""
    rows: list[tuple[Cell, ...]] = [
        (name, *(float(f"{values[j]:.5g}") for values in columns.values()))
        for j, name in enumerate(terms[:MAX_TERMS])
    ]
    marked = [emphasis] if emphasis is not None and emphasis < MAX_TERMS else []
    head = ("", *(name.replace("_", " ") for name in columns))
    return LedgerTable(head, rows, title + cut, marked, by="term", numbers=range(1, len(rows) + 1))


def _objective(fit: Fit, step: PenaltyStep) -> Formula:
    model, b = fit.model, step.standardized_coef
    parts = []
    if model.share:
        weight = "" if model.share == 1 else f" · {num(model.share)}"
        parts.append(f"{num(model.alpha)}{weight} · {num(np.abs(b).sum())}")
    if model.share < 1:
        weight = "" if model.share == 0 else f" · {num(1 - model.share)}"
        parts.append(f"{num(model.alpha)}{weight} · {num(b @ b)}")
    return Formula(
        f"{written(model)} = {num(step.sse)} + {' + '.join(parts)} = {num(step.objective)}"
    )


def written(model: Any) -> str:
    """Return the objective as a formula."""
    if model.share in (0.0, 1.0):
        return f"SSE + λ Σ{'|b|' if model.share else 'b²'}"
    return "SSE + λρ Σ|b| + λ(1 − ρ) Σb²"


def _standardise(fit: Fit, step: PenaltyStep, _: PenaltyStep) -> tuple[str, Blocks]:
    model, problem = fit.model, fit.penalised
    unit = "standard deviation" if model.fit_intercept else "root mean square"
    what = f"divided by its {unit}" if model.standardize else "left in its own unit"
    around = "moved to mean 0 and " if model.fit_intercept else ""
    caption = (
        f"Each of {count(len(fit.terms), 'column', 'columns')} is {around}{what}, and the penalty "
    )
    caption += "treats all alike." if model.standardize else "depends on the units."
    return caption, [_table(fit, "Columns", mean=problem.data.means, divided_by=problem.scale)]


def _start(fit: Fit, step: PenaltyStep, _: PenaltyStep) -> tuple[str, Blocks]:
    caption = (
        f"All coefficients start at 0, where the penalty is 0 and SSE = SST = {short(step.sse):g}."
    )
    l1, moments = fit.penalised.l1, fit.penalised.moments
    ledger: Blocks = [_table(fit, "Products z'y", z_y=moments)]
    if l1:
        largest = float(np.abs(moments).max()) / l1 * fit.model.alpha
        ledger.append(
            Formula(f"all stay 0 from λ = {num(largest)} on: 2 max |z'y|" + _per_share(fit))
        )
    return caption, [*ledger, _objective(fit, step)]


def _per_share(fit: Fit) -> str:
    return "" if fit.model.share == 1 else " / ρ"


def _coordinate(fit: Fit, step: PenaltyStep, before: PenaltyStep) -> tuple[str, Blocks]:
    j = step.column or 0
    name, problem = fit.terms[j], fit.penalised
    l1, l2, size, new = (
        problem.l1,
        problem.l2,
        float(problem.gram[j, j]),
        float(step.standardized_coef[j]),
    )
    ledger: Blocks = [
        Formula(f"c = Σ z (r + z b) = {num(step.product)}: {name} times the partial residuals")
    ]
    threshold = f"λ{'ρ' if fit.model.share < 1 else ''} / 2 = {num(l1)}"
    below = num(size) + (f" + {num(l2)}" if l2 else "")
    if step.phase == "zero":
        caption = (
            f"Sweep {step.sweep}: |c| of {name} is {short(abs(step.product)):g}, at most λ/2, so"
            " its b is 0"
        )
        if fit.model.share < 1:
            caption = caption.replace("λ/2", "λρ/2")
        if not l1:
            caption = f"Sweep {step.sweep}: {name} is orthogonal to the residuals, so its b is 0"
        ledger.append(Formula(f"|c| = {num(abs(step.product))} ≤ {threshold}, so b = 0"))
    else:
        caption = (
            f"Sweep {step.sweep}: b of {name} goes from {num4(before.standardized_coef[j])} to"
            f" {num4(new)}"
        )
        if l1:
            sign = "−" if step.product > 0 else "+"
            left = soft(step.product, l1)
            ledger.append(
                Formula(f"S(c, {threshold}) = {num(step.product)} {sign} {num(l1)} = {num(left)}")
            )
        over = f"S / (z'z{' + λ(1 − ρ)' if l2 else ''})" if l1 else "c / (z'z + λ)"
        ledger.append(
            Formula(f"b = {over} = {signed(soft(step.product, l1))} / ({below}) = {num(new)}")
        )
    fall = changes("the objective", short(before.objective), short(step.objective))
    return f"{caption}; {fall}.", [
        *ledger,
        _table(fit, "Coefficients", j, b=step.standardized_coef),
        _objective(fit, step),
    ]


def _solve(fit: Fit, step: PenaltyStep, before: PenaltyStep) -> tuple[str, Blocks]:
    l1 = fit.penalised.l1
    n_terms = int(np.count_nonzero(step.standardized_coef))
    sweeps = count(step.sweep, "sweep", "sweeps")
    caption = (
        f"After {sweeps}, the equations of the {count(n_terms, 'column', 'columns')} that are not 0"
        " give b exactly."
    )
    if not l1:
        caption = f"After {sweeps}, the equations (Z'Z + λI) b = Z'y give b exactly."
    left = fit.penalised.moments - fit.penalised.gram @ step.standardized_coef
    table = _table(fit, "At the minimum", b=step.standardized_coef, z_r=left)
    rule = (
        "z'r = λ b"
        if not l1
        else f"z'r = ± {num(l1)}" + (" + λ(1 − ρ) b" if fit.penalised.l2 else "")
    )
    return caption, [table, Formula(f"{rule} for each b that is not 0"), _objective(fit, step)]


def _done(fit: Fit, step: PenaltyStep, _: PenaltyStep) -> tuple[str, Blocks]:
    model = fit.model
    n_terms, p = int(np.count_nonzero(step.standardized_coef)), len(step.standardized_coef)
    name = {0.0: "Ridge", 1.0: "The lasso"}.get(model.share, "The elastic net")
    selection = f"keeps {n_terms} of {count(p, 'column', 'columns')}"
    share = NO_R2 if np.isnan(model.r2_) else f"R² = {short(model.r2_):g}"
    caption = f"{name} with λ = {short(model.alpha):g} {selection}: {share}, "
    free = short(model.degrees_of_freedom_)
    caption += f"{free:g} {'degree' if free == 1 else 'degrees'} of freedom."
    terms = [f"{num(b)} · {term}" for b, term in zip(model.coef_, fit.terms, strict=True) if b]
    equation = " + ".join(
        [num(model.intercept_), *([few(terms, MAX_TERMS)] if terms else [])]
    ).replace("+ −", "− ")
    alpha, ratio = map(num, model.sklearn_)
    coefficients = (
        {"standardised": step.standardized_coef, "original": model.coef_}
        if model.standardize
        else {"b": model.coef_}
    )
    ledger: Blocks = [
        Formula(f"ŷ = {equation}"),
        _table(fit, "Coefficients", **coefficients),
        _objective(fit, step),
        Formula(f"RMSE = √({num(step.sse)} / {len(fit.penalised.data.y)}) = {num(model.rmse_)}"),
    ]
    testing = fit.problem.testing
    if testing is not None:
        errors = np.asarray(testing.y, float) - model.predict(testing.data)
        rmse = num(np.sqrt(np.mean(errors**2)))
        ledger.append(Formula(f"test set: RMSE = {rmse} in {count(len(errors), 'row', 'rows')}"))
    if model.share == 0:
        columns = "standardised columns" if model.standardize else "the columns as they are"
        ledger.append(Formula(f"scikit-learn: Ridge(alpha={num(model.alpha)}) on {columns}"))
    else:
        ledger.append(Formula(f"scikit-learn: alpha={alpha}, l1_ratio={ratio}"))
    strength, mixed = map(num, model.glmnet_)
    ledger.append(Formula(f"glmnet: lambda={strength}, alpha={mixed}"))
    return caption, ledger


def _row(fit: Fit, row: int) -> Blocks:
    """Write out the prediction for a row."""
    problem, model = fit.problem, fit.model
    z = model.design(problem.table(problem.X[row][None]))[0]
    parts = [f"{signed(b)} · {signed(v)}" for b, v in zip(model.coef_, z, strict=True) if b]
    predicted, y = float(z @ model.coef_ + model.intercept_), float(np.asarray(problem.y)[row])
    terms = few([num(model.intercept_), *parts], MAX_TERMS)
    return [
        Formula(f"row {problem.rows[row] + 1}: ŷ = {terms} = {num(predicted)}"),
        Formula(f"residual = {num(y)} − {signed(predicted)} = {num(y - predicted)}"),
    ]


_BUILD = {
    "standardise": _standardise,
    "start": _start,
    "shrink": _coordinate,
    "zero": _coordinate,
    "solve": _solve,
    "done": _done,
}
