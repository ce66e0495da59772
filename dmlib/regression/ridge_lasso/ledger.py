"""Captions and ledgers of ridge, lasso and elastic net: thresholds, objective, result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, abridged
from dmlib.pictures.run import Run
from dmlib.pictures.story import Moment
from dmlib.pictures.words import NO_R2, changes, count, num, num4, short, signed
from dmlib.problem import Problem
from dmlib.regression.ridge_lasso.penalty import Penalised, PenaltyStep, soft

MAX_TERMS = 12  # lines of a table


@dataclass(frozen=True)
class Fit:
    """A fitted regression, from which picture and ledger are made.

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
    def of(cls, run: Run[Problem, Any]) -> Fit:
        """Return the fit of a run."""
        problem, training = run.problem, run.problem.training
        model = run.fitted if run.trace.complete else clone(run.model).fit(*training.arguments)
        penalised = model.penalised(training.data, np.asarray(training.y))
        return cls(problem, model, penalised, model.term_names(problem.features))


def caption_and_ledger(fit: Fit, moment: Moment, selected: int | None) -> tuple[str, Blocks]:
    """Return the caption and the ledger of a moment, at the end with the selected row."""
    caption, ledger = _BLOCKS[moment.step.phase](fit, moment.step, moment.before)
    if selected is not None and moment.step.phase == "done":
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
        f"{objective(model)} = {num(step.sse)} + {' + '.join(parts)} = {num(step.objective)}"
    )


def objective(model: Any) -> str:
    """Return the objective as a formula."""
    if model.share in (0.0, 1.0):
        return f"SSE + λ Σ{'|b|' if model.share else 'b²'}"
    return "SSE + λρ Σ|b| + λ(1 − ρ) Σb²"


def _standardise(fit: Fit, step: PenaltyStep, _: PenaltyStep) -> tuple[str, Blocks]:
    model, problem = fit.model, fit.penalised
    unit = "standard deviation" if model.fit_intercept else "root mean square"
    scaling = f"divided by its {unit}" if model.standardize else "left in its own unit"
    centring = "moved to mean 0 and " if model.fit_intercept else ""
    effect = "treats all alike" if model.standardize else "depends on the units"
    columns = count(len(fit.terms), "column", "columns")
    caption = f"Each of {columns} is {centring}{scaling}, and the penalty {effect}."
    return caption, [_table(fit, "Columns", mean=problem.data.means, divided_by=problem.scale)]


def _start(fit: Fit, step: PenaltyStep, _: PenaltyStep) -> tuple[str, Blocks]:
    caption = (
        f"All coefficients start at 0, where the penalty is 0 and SSE = SST = {short(step.sse):g}."
    )
    l1 = fit.penalised.l1
    moments = fit.penalised.moments
    ledger: Blocks = [_table(fit, "Products z'y", z_y=moments)]
    if l1:
        largest = float(np.abs(moments).max()) / l1 * fit.model.alpha
        bound = "2 max |z'y|" + ("" if fit.model.share == 1 else " / ρ")
        ledger.append(Formula(f"all stay 0 from λ = {num(largest)} on: {bound}"))
    return caption, [*ledger, _objective(fit, step)]


def _coordinate(fit: Fit, step: PenaltyStep, before: PenaltyStep) -> tuple[str, Blocks]:
    j = step.column or 0
    formulas = _zeroed(fit, step) if step.phase == "zero" else _shrunk(fit, step)
    ledger: Blocks = [
        Formula(
            f"c = Σ z (r + z b) = {num(step.product)}: {fit.terms[j]} times the partial residuals"
        ),
        *map(Formula, formulas),
        _table(fit, "Coefficients", j, b=step.standardized_coef),
        _objective(fit, step),
    ]
    fall = changes("the objective", short(before.objective), short(step.objective))
    return f"Sweep {step.sweep}: {_new_coefficient(fit, step, before)}; {fall}.", ledger


def _new_coefficient(fit: Fit, step: PenaltyStep, before: PenaltyStep) -> str:
    j = step.column or 0
    name = fit.terms[j]
    if step.phase == "shrink":
        old, new = before.standardized_coef[j], step.standardized_coef[j]
        return f"b of {name} goes from {num4(old)} to {num4(new)}"
    if not fit.penalised.l1:
        return f"{name} is orthogonal to the residuals, so its b is 0"
    half = "λ/2" if fit.model.share == 1 else "λρ/2"
    return f"|c| of {name} is {short(abs(step.product)):g}, at most {half}, so its b is 0"


def _threshold(fit: Fit) -> str:
    return f"λ{'ρ' if fit.model.share < 1 else ''} / 2 = {num(fit.penalised.l1)}"


def _zeroed(fit: Fit, step: PenaltyStep) -> list[str]:
    return [f"|c| = {num(abs(step.product))} ≤ {_threshold(fit)}, so b = 0"]


def _shrunk(fit: Fit, step: PenaltyStep) -> list[str]:
    """Return the formulas of the soft threshold and of the new coefficient."""
    j = step.column or 0
    l1, l2 = fit.penalised.l1, fit.penalised.l2
    thresholded = soft(step.product, l1)
    divisor = num(fit.penalised.gram[j, j]) + (f" + {num(l2)}" if l2 else "")
    new = num(step.standardized_coef[j])
    if not l1:
        return [f"b = c / (z'z + λ) = {signed(thresholded)} / ({divisor}) = {new}"]
    sign = "−" if step.product > 0 else "+"
    ridge = " + λ(1 − ρ)" if l2 else ""
    return [
        f"S(c, {_threshold(fit)}) = {num(step.product)} {sign} {num(l1)} = {num(thresholded)}",
        f"b = S / (z'z{ridge}) = {signed(thresholded)} / ({divisor}) = {new}",
    ]


def _solve(fit: Fit, step: PenaltyStep, before: PenaltyStep) -> tuple[str, Blocks]:
    problem = fit.penalised
    columns = count(int(np.count_nonzero(step.standardized_coef)), "column", "columns")
    if problem.l1:
        equations = f"the equations of the {columns} that are not 0"
        condition = f"z'r = ± {num(problem.l1)}" + (" + λ(1 − ρ) b" if problem.l2 else "")
    else:
        equations = "the equations (Z'Z + λI) b = Z'y"
        condition = "z'r = λ b"
    caption = f"After {count(step.sweep, 'sweep', 'sweeps')}, {equations} give b exactly."
    products = problem.moments - problem.gram @ step.standardized_coef
    table = _table(fit, "At the minimum", b=step.standardized_coef, z_r=products)
    return caption, [table, Formula(f"{condition} for each b that is not 0"), _objective(fit, step)]


def _done(fit: Fit, step: PenaltyStep, _: PenaltyStep) -> tuple[str, Blocks]:
    model = fit.model
    n_terms = int(np.count_nonzero(step.standardized_coef))
    columns = count(len(step.standardized_coef), "column", "columns")
    name = {0.0: "Ridge", 1.0: "The lasso"}.get(model.share, "The elastic net")
    r2 = NO_R2 if np.isnan(model.r2_) else f"R² = {short(model.r2_):g}"
    freedom = short(model.degrees_of_freedom_)
    caption = (
        f"{name} with λ = {short(model.alpha):g} keeps {n_terms} of {columns}: {r2},"
        f" {freedom:g} {'degree' if freedom == 1 else 'degrees'} of freedom."
    )
    terms = [f"{num(b)} · {term}" for b, term in zip(model.coef_, fit.terms, strict=True) if b]
    equation = " + ".join(
        [num(model.intercept_), *([abridged(terms, MAX_TERMS)] if terms else [])]
    ).replace("+ −", "− ")
    coefficients = {"b": model.coef_}
    if model.standardize:
        coefficients = {"standardised": step.standardized_coef, "original": model.coef_}
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
    return caption, [*ledger, *_settings_of_libraries(model)]


def _settings_of_libraries(model: Any) -> Blocks:
    """Return the parameters with which scikit-learn and glmnet fit the same model."""
    alpha, ratio = map(num, model.sklearn_)
    sklearn = f"alpha={alpha}, l1_ratio={ratio}"
    if model.share == 0:
        columns = "standardised columns" if model.standardize else "the columns as they are"
        sklearn = f"Ridge(alpha={num(model.alpha)}) on {columns}"
    strength, mixing = map(num, model.glmnet_)
    return [
        Formula(f"scikit-learn: {sklearn}"),
        Formula(f"glmnet: lambda={strength}, alpha={mixing}"),
    ]


def _row(fit: Fit, row: int) -> Blocks:
    """Write out the prediction for a row."""
    problem, model = fit.problem, fit.model
    z = model.design(problem.table(problem.X[row][None]))[0]
    parts = [f"{signed(b)} · {signed(v)}" for b, v in zip(model.coef_, z, strict=True) if b]
    predicted = float(z @ model.coef_ + model.intercept_)
    y = float(np.asarray(problem.y)[row])
    terms = abridged([num(model.intercept_), *parts], MAX_TERMS)
    return [
        Formula(f"row {problem.rows[row] + 1}: ŷ = {terms} = {num(predicted)}"),
        Formula(f"residual = {num(y)} − {signed(predicted)} = {num(y - predicted)}"),
    ]


_BLOCKS = {
    "standardise": _standardise,
    "start": _start,
    "shrink": _coordinate,
    "zero": _coordinate,
    "solve": _solve,
    "done": _done,
}
