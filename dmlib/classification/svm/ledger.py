"""A support vector machine in words and numbers: pairs, solutions, conditions and objectives."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.classification.kernels import Kernel
from dmlib.classification.svm.smo import ENDLESS, PairMove
from dmlib.classification.svm.svm_step import SVCStep
from dmlib.pictures.ledger import Blocks, Formula, LedgerTable, numbered_table
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, signed
from dmlib.problem import Problem, Query

MAX_FREE = 12  # multipliers listed when all free ones move
MAX_TERMS = 5  # support vectors listed for the query
MAX_WEIGHTS = 6  # columns whose weight is listed
AT_EDGE = 1e-6  # a row so little inside the margin is on its edge


class Narrator:
    """Captions and ledgers of a support vector machine; class 1 of the problem is y = +1.

    Parameters
    ----------
    problem : Problem
        The data.
    model : SVC or NuSVC
        Fitted to the training rows, if the run is complete.
    first : SVCStep
        The first step of the run.
    query : Query, optional
        The place or row that is classified.
    """

    def __init__(self, problem: Problem, model: Any, first: SVCStep, query: Query | None) -> None:
        self.problem, self.model, self.query = problem, model, query
        training = problem.training
        self.X = training.X[first.rows]
        self.rows = training.rows[first.rows] + 1
        self.sign = first.sign
        assert first.kernel is not None
        self.kernel: Kernel = first.kernel
        self.of_nu = hasattr(model, "nu")

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: SVCStep = moment.step
        if step.phase == "pair":
            caption, blocks = self._pair(step, moment.before)
        elif step.phase == "solve":
            caption, blocks = self._solve(step, moment.before)
        else:
            caption, blocks = self._start(step) if step.phase == "start" else self._done(step)
        return caption, [*self._query_blocks(step), *blocks]

    # --- phases -----------------------------------------------------------------------------------

    def _start(self, step: SVCStep) -> tuple[str, Blocks]:
        n = len(self.rows)
        ledger: Blocks = [Formula(formula_of(self.kernel)), self._classes(step)]
        if self.of_nu:
            total = num(step.alpha[self.sign > 0].sum())
            ledger.append(
                Formula(f"Σα in each class = ν · n / 2 = {num(self.model.nu)} · {n} / 2 = {total}")
            )
            caption = f"Start: in each class the first rows share Σα = {total}, at most 1 each."
        else:
            caption = (
                "Start: all α are 0, so f(x) is the same "
                "everywhere and every row violates its condition."
            )
        return caption, [*ledger, self._conditions(step)]

    def _pair(self, step: SVCStep, before: SVCStep) -> tuple[str, Blocks]:
        move = step.move
        assert move is not None
        i, j = move.i, move.j
        old, new = before.alpha[[i, j]], step.alpha[[i, j]]
        f = before.b - np.array(move.slopes) + (0 if self.of_nu else self.sign[[i, j]])
        margin = (self.sign[[i, j]] * f + 0.0).tolist()  # no negative zero
        table = [
            (
                name,
                int(self.rows[k]),
                self._class(k),
                int(self.sign[k]),
                float(a),
                yf,
                self._needs(a, step.bound[k]),
            )
            for name, k, a, yf in zip("ij", (i, j), old, margin, strict=True)
        ]
        ledger: Blocks = [
            numbered_table(
                ("", "row", "class", "y", "α", "y f(x)", "needs"),
                table,
                "The maximal violating pair",
            ),
            *self._arithmetic(step, move, f, old, new),
            self._change(step, before),
            self._conditions(step),
        ]
        moves = " and ".join(
            f"α of row {self.rows[k]} {_movement(a, b)}"
            for k, a, b in zip((i, j), old, new, strict=True)
        )
        clipped = ", as far as the box allows" if move.moved < move.wanted else ""
        return f"Pair {step.iteration}: {moves}{clipped}.", ledger

    def _needs(self, alpha: float, bound: float) -> str:
        """Return what the decision value of a row with this multiplier should be."""
        if alpha == 0:
            return f"≥ {self._edge}"
        return f"≤ {self._edge}" if alpha >= bound else f"= {self._edge}"

    def _arithmetic(
        self, step: SVCStep, move: PairMove, f: Floats, old: Floats, new: Floats
    ) -> Blocks:
        """Write out one move: the curvature, the top of the parabola, the box, and both multipliers."""
        i, j = move.i, move.j
        (K_ii, K_ij), (_, K_jj) = self.kernel(self.X[[i, j]], self.X[[i, j]])
        yi, yj = self.sign[[i, j]].astype(int)
        curvature = f"K_ii + K_jj − 2 K_ij = {num(K_ii)} + {num(K_jj)} − 2 · {signed(K_ij)}"
        flat = move.eta > K_ii + K_jj - 2 * K_ij + 1e-9 * abs(move.eta)
        top = old[1] - yj * move.wanted
        E = f - self.sign[[i, j]]
        low, high = map(num, step.box)
        return [
            Formula(
                f"η = {curvature}"
                + (
                    f" is not clearly above 0: η = {num(move.eta)}"
                    if flat
                    else f" = {num(move.eta)}"
                )
            ),
            Formula(f"E = f(x) − y: E_i = {num(E[0])}, E_j = {num(E[1])}"),
            Formula(
                f"α_j + y_j (E_i − E_j) / η = {num(old[1])} {'+' if yj > 0 else '−'} "
                f"({num(E[0])} − {signed(E[1])}) / {num(move.eta)} = {num(top)}"
            ),
            Formula(f"{_box_formula(yi == yj, num(step.bound[j]))}: L = {low}, H = {high}"),
            Formula(
                f"α_j clipped to [L, H]: {num(new[1])}"
                if move.moved < move.wanted
                else f"α_j = {num(new[1])}"
            ),
            Formula(
                f"α_i + y_i y_j (α_j before − after) = {num(old[0])} {'+' if yi == yj else '−'} "
                f"({num(old[1])} − {num(new[1])}) = {num(new[0])}"
            ),
        ]

    def _solve(self, step: SVCStep, before: SVCStep) -> tuple[str, Blocks]:
        solve = step.solve
        assert solve is not None
        n_free, stopped = len(solve.free), len(solve.stopped)
        free = [
            (int(self.rows[k]), self._class(k), float(before.alpha[k]), float(step.alpha[k]))
            for k in solve.free
        ]
        caption = f"All {n_free} free α move at once, to where all their rows lie on the margin"
        if stopped:
            caption += (
                f"; {count(stopped, 'meets a bound and stays', 'meet a bound and stay')} there"
            )
        margin = "y_k ρ" if self.of_nu else "y_k"
        systems = count(solve.n_systems, "linear system", "linear systems")
        return caption + ".", [
            numbered_table(
                ("row", "class", "α before", "α after"),
                free,
                "Free multipliers, between the bounds",
                most=MAX_FREE,
            ),
            Formula(
                f"f(x_k) = {margin} for every free row k: {systems} instead of many small moves"
            ),
            self._change(step, before),
            self._conditions(step),
        ]

    def _done(self, step: SVCStep) -> tuple[str, Blocks]:
        used, free = (
            int((step.alpha > 0).sum()),
            int(((step.alpha > 0) & (step.alpha < step.bound)).sum()),
        )
        vectors = count(used, "support vector", "support vectors")
        pairs = count(step.iteration, "pair", "pairs")
        caption = f"Done after {pairs}: {vectors}, {free} of them on the margin. {step.reason}"
        ledger: Blocks = [error_table(self.problem, self.model)]
        if step.reason == ENDLESS:
            ledger.append(
                Formula(
                    "The classes are not separable, so there is no "
                    "hard margin and no w: set C to a finite value."
                )
            )
        else:
            ledger.append(self._summary(step, used, free))
            ledger += self._nu(step, used) if self.of_nu else self._primal(step)
        return caption, [*ledger, self._conditions(step)]

    # --- parts ------------------------------------------------------------------------------------

    @property
    def _price(self) -> float:
        return float(getattr(self.model, "C", 1.0))

    def _class(self, k: int) -> str:
        return self.problem.classes[int(self.sign[k] > 0)]

    def _classes(self, step: SVCStep) -> LedgerTable:
        rows = [
            (
                self.problem.classes[int(y > 0)],
                f"{y:+d}".replace("-", "−"),
                int((self.sign == y).sum()),
            )
            for y in (-1, 1)
        ]
        return LedgerTable(("class", "y", "rows"), rows, "Classes")

    @staticmethod
    def _change(step: SVCStep, before: SVCStep) -> Formula:
        return Formula(
            f"W: {num(before.objective)} → {num(step.objective)}; "
            f"b: {num(before.b)} → {num(step.b)}"
        )

    def _conditions(self, step: SVCStep) -> Formula:
        violating = count(
            step.n_violating, "row violates its condition", "rows violate their conditions"
        )
        return Formula(f"{violating}; the largest violation by a pair is {num(step.gap)}")

    def _decision(self, step: SVCStep) -> Floats:
        """Return f(x) of the training rows, by this step."""
        used = np.flatnonzero(step.alpha)
        values: Floats = self.kernel(self.X, self.X[used]) @ (self.sign * step.alpha)[used] + step.b
        return values

    def _summary(self, step: SVCStep, used: int, free: int) -> LedgerTable:
        bound = "1" if self.of_nu else "C"
        rows = [
            ("α = 0", len(step.alpha) - used, f"y f(x) ≥ {self._edge}"),
            (
                f"0 < α < {bound}" if np.isfinite(self._price) else "α > 0",
                free,
                f"y f(x) = {self._edge}",
            ),
        ]
        if np.isfinite(self._price):
            rows.append((f"α = {bound}", used - free, f"y f(x) ≤ {self._edge}"))
        return LedgerTable(("multiplier", "rows", "condition"), rows, "Rows by their multiplier")

    @property
    def _edge(self) -> str:
        return "ρ" if self.of_nu else "1"

    def _primal(self, step: SVCStep) -> Blocks:
        """Write out the primal objective, which at the end is the dual one, and the width of the margin."""
        f = self._decision(step)
        slack = np.maximum(0.0, 1 - self.sign * f)
        slack[slack < AT_EDGE] = 0
        # f is linear in the multipliers: the squared length of w is the sum of y α (f − b).
        length = float((self.sign * step.alpha) @ (f - step.b))
        dual = Formula(f"dual: Σα − ½ ΣΣ α α y y K = W = {num(step.objective)}")
        if length < 0:
            negative = (
                f"‖w‖² would be {num(length)}: this kernel "
                "is no inner product here, and there is no w"
            )
            return [Formula(negative), dual]
        blocks: Blocks = [self._weights(step)] if self.kernel.name == "linear" else []
        if np.isinf(self._price):
            blocks.append(Formula(f"½‖w‖² = {num(length / 2)}; no slack is allowed"))
        else:
            total = float(slack.sum())
            primal = length / 2 + self._price * total
            sum_ = f"{num(length / 2)} + {num(self._price)} · {num(total)} = {num(primal)}"
            blocks.append(Formula(f"½‖w‖² + C Σξ = {sum_}"))
        blocks.append(dual)
        if length > 0:
            blocks.append(
                Formula(f"margin: 2 / ‖w‖ = 2 / {num(length**0.5)} = {num(2 / length**0.5)}")
            )
        return blocks

    def _weights(self, step: SVCStep) -> LedgerTable:
        w = (self.sign * step.alpha) @ self.X
        names = self.problem.features[:MAX_WEIGHTS]
        remark = f" (the first {MAX_WEIGHTS} of {len(w)} columns)" if len(w) > MAX_WEIGHTS else ""
        rows = [(name, float(value)) for name, value in zip(names, w, strict=False)]
        return LedgerTable(("column", "w"), [*rows, ("b", step.b)], f"w = Σ y α x{remark}")

    def _nu(self, step: SVCStep, used: int) -> Blocks:
        """Write out what nu bounds."""
        n = len(self.rows)
        inside = int((self.sign * self._decision(step) < step.margin * (1 - AT_EDGE)).sum())
        nu = num(self.model.nu)
        blocks: Blocks = [
            Formula(
                f"inside the margin: {inside} / {n} = {num(inside / n)} ≤ ν = {nu} ≤ "
                f"support vectors: {used} / {n} = {num(used / n)}"
            )
        ]
        if step.margin > 0:
            blocks.append(
                Formula(
                    f"ρ = {num(step.margin)}; the same machine "
                    f"has C = 1 / ρ = {num(1 / step.margin)}"
                )
            )
        return blocks

    # --- the query --------------------------------------------------------------------------------

    @cached_property
    def _query_kernel(self) -> Floats:
        """The kernel of the query with every row."""
        assert self.query is not None
        values: Floats = self.kernel(self.query.x[None, :], self.X)[0]
        return values

    def _query_blocks(self, step: SVCStep) -> Blocks:
        """Write out the decision value of the query."""
        if self.query is None:
            return []
        weights = self.sign * step.alpha
        parts = weights * self._query_kernel
        used = np.flatnonzero(step.alpha)
        top = used[np.argsort(-np.abs(parts[used]), kind="stable")][:MAX_TERMS]
        rows: list[tuple[Any, ...]] = [
            (int(self.rows[k]), float(weights[k]), float(self._query_kernel[k]), float(parts[k]))
            for k in top
        ]
        if len(used) > len(top):
            rows.append(
                (f"{len(used) - len(top)} more", None, None, float(parts.sum() - parts[top].sum()))
            )
        value = float(parts.sum()) + step.b
        winner = self.problem.classes[int(value >= 0)]
        blocks: Blocks = [query_table(self.problem, self.query)]
        if rows:
            blocks.append(
                numbered_table(
                    ("row", "y α", "K(row, x)", "y α K"), rows, "f(x) = Σ y α K(row, x) + b"
                )
            )
        sum_ = f"f(x) = {num(parts.sum())} + {signed(step.b)} = {num(value)}"
        return [*blocks, Formula(f"{sum_}, so the class is {winner}")]


def formula_of(kernel: Kernel) -> str:
    """Return a kernel with its numbers.

    Examples
    --------
    >>> formula_of(Kernel("poly", gamma=0.5, degree=2, coef0=1.0))
    'K(x, z) = (0.5 · x·z + 1)^2'
    """
    gamma, coef0 = num(kernel.gamma), num(abs(kernel.coef0))
    inner = f"{gamma} · x·z" + (
        f" {'+' if kernel.coef0 > 0 else '−'} {coef0}" if kernel.coef0 else ""
    )
    forms = {
        "linear": "x·z",
        "poly": f"({inner})^{kernel.degree}",
        "rbf": f"exp(−{gamma} · ‖x − z‖²)",
        "sigmoid": f"tanh({inner})",
    }
    return f"K(x, z) = {forms[kernel.name]}"


def _box_formula(alike: bool, bound: str) -> str:
    if alike:
        return f"L = max(0, α_i + α_j − {bound}), H = min({bound}, α_i + α_j)"
    return f"L = max(0, α_j − α_i), H = min({bound}, {bound} + α_j − α_i)"


def _movement(old: float, new: float) -> str:
    before, after = num(old), num(new)
    if old == new:
        return f"stays {after}"
    word = "rises" if new > old else "falls"
    return f"{word} from {before} to {after}" if before != after else f"hardly {word} from {before}"
