"""A support vector machine in words and numbers: pairs, solutions, conditions and objectives."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.classification.class_ledger import class_weight_blocks
from dmlib.classification.kernels import Kernel
from dmlib.classification.svm.algorithm import SVC, NuSVC
from dmlib.classification.svm.smo import ENDLESS, PairMove
from dmlib.classification.svm.svm_step import SVCStep
from dmlib.pictures.ledger import Blocks, Cell, Formula, LedgerTable, numbered_table
from dmlib.pictures.regions import error_table, query_table
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, signed
from dmlib.problem import Problem, Query

MAX_FREE = 12  # multipliers listed when all free ones move
MAX_TERMS = 5  # support vectors listed for the query
MAX_WEIGHTS = 6  # columns whose weight is listed
UPPER_BOUND = "The bound of each α is C times the weight of its class: what an error there costs."
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

    def __init__(
        self, problem: Problem, model: SVC | NuSVC, first: SVCStep, query: Query | None
    ) -> None:
        self.problem = problem
        self.model = model
        self.query = query
        training = problem.training
        self.X = training.X[first.rows]
        self.rows = training.rows[first.rows] + 1
        self.sign = first.sign
        assert first.kernel is not None
        self.kernel: Kernel = first.kernel
        self.nu = model.nu if isinstance(model, NuSVC) else None
        self.C = float("nan") if isinstance(model, NuSVC) else model.C
        self.bound = "1" if self.nu is not None else "C"
        if model.class_weight is not None:
            self.bound = "C · weight"
        self.edge = "1" if self.nu is None else "ρ"  # y f(x) on the edge of the margin

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: SVCStep = moment.step
        if step.phase == "pair":
            caption, blocks = self._pair(step, moment.before)
        elif step.phase == "solve":
            caption, blocks = self._solve(step, moment.before)
        elif step.phase == "start":
            caption, blocks = self._start(step)
        else:
            caption, blocks = self._done(step)
        return caption, [*self._query_blocks(step), *blocks, self._conditions(step)]

    # --- phases -----------------------------------------------------------------------------------

    def _start(self, step: SVCStep) -> tuple[str, Blocks]:
        negative, positive = self.problem.classes
        n_positive = int((self.sign > 0).sum())
        rows = [(negative, "−1", len(self.rows) - n_positive), (positive, "+1", n_positive)]
        ledger: Blocks = [
            Formula(formula_of(self.kernel)),
            LedgerTable(("class", "y", "rows"), rows, "Classes"),
        ]
        ledger += class_weight_blocks(self.model.class_weight, self.problem, UPPER_BOUND)
        if self.nu is None:
            caption = (
                "Start: all α are 0, so f(x) is the same "
                "everywhere and every row violates its condition."
            )
            return caption, ledger
        total = num(step.alpha[self.sign > 0].sum())
        product = f"{num(self.nu)} · {len(self.rows)} / 2"
        ledger.append(Formula(f"Σα in each class = ν · n / 2 = {product} = {total}"))
        return f"Start: in each class the first rows share Σα = {total}, at most 1 each.", ledger

    def _pair(self, step: SVCStep, before: SVCStep) -> tuple[str, Blocks]:
        move = step.move
        assert move is not None
        pair = [move.i, move.j]
        old, new = before.alpha[pair], step.alpha[pair]
        f = before.b - np.array(move.slopes)
        if self.nu is None:
            f = f + self.sign[pair]
        yf = self.sign[pair] * f + 0.0  # no negative zero
        table = [
            (
                "ij"[place],
                int(self.rows[k]),
                self._class(k),
                int(self.sign[k]),
                float(old[place]),
                float(yf[place]),
                self._condition(old[place], step.bound[k]),
            )
            for place, k in enumerate(pair)
        ]
        moves = " and ".join(
            f"α of row {self.rows[k]} {_movement(old[place], new[place])}"
            for place, k in enumerate(pair)
        )
        if move.step < move.unclipped:
            moves += ", as far as the box allows"
        head = ("", "row", "class", "y", "α", "y f(x)", "needs")
        return f"Pair {step.iteration}: {moves}.", [
            numbered_table(head, table, "The maximal violating pair"),
            *self._arithmetic(step, move, f, old, new),
            self._change(step, before),
        ]

    def _condition(self, alpha: float, bound: float) -> str:
        """Return the condition on the decision value of a row with this multiplier."""
        if alpha == 0:
            return f"≥ {self.edge}"
        return f"≤ {self.edge}" if alpha >= bound else f"= {self.edge}"

    def _arithmetic(
        self, step: SVCStep, move: PairMove, f: Floats, old: Floats, new: Floats
    ) -> Blocks:
        """Return the curvature, the maximum of the parabola, the box, and both multipliers."""
        pair = [move.i, move.j]
        (K_ii, K_ij), (_, K_jj) = self.kernel(self.X[pair], self.X[pair])
        yi, yj = self.sign[pair].astype(int)
        eta = num(move.eta)
        curvature = f"K_ii + K_jj − 2 K_ij = {num(K_ii)} + {num(K_jj)} − 2 · {signed(K_ij)}"
        is_flat = move.eta > K_ii + K_jj - 2 * K_ij + 1e-9 * abs(move.eta)
        relation = "is not clearly above 0: η =" if is_flat else "="
        E_i, E_j = f - self.sign[pair]
        plus_j = "+" if yj > 0 else "−"
        quotient = f"{num(old[1])} {plus_j} ({num(E_i)} − {signed(E_j)}) / {eta}"
        maximum = num(old[1] - yj * move.unclipped)
        low, high = map(num, step.box)
        alpha_j = f"α_j = {num(new[1])}"
        if move.step < move.unclipped:
            alpha_j = f"α_j clipped to [L, H]: {num(new[1])}"
        plus_i = "+" if yi == yj else "−"
        alpha_i = f"{num(old[0])} {plus_i} ({num(old[1])} − {num(new[1])}) = {num(new[0])}"
        lines = [
            f"η = {curvature} {relation} {eta}",
            f"E = f(x) − y: E_i = {num(E_i)}, E_j = {num(E_j)}",
            f"α_j + y_j (E_i − E_j) / η = {quotient} = {maximum}",
            f"{_box_formula(yi == yj, *map(num, step.bound[pair]))}: L = {low}, H = {high}",
            alpha_j,
            f"α_i + y_i y_j (α_j before − after) = {alpha_i}",
        ]
        return list(map(Formula, lines))

    def _solve(self, step: SVCStep, before: SVCStep) -> tuple[str, Blocks]:
        solve = step.solve
        assert solve is not None
        n_stopped = len(solve.stopped)
        rows = [
            (int(self.rows[k]), self._class(k), float(before.alpha[k]), float(step.alpha[k]))
            for k in solve.free
        ]
        caption = f"All {len(rows)} free α move at once, to where all their rows lie on the margin"
        if n_stopped:
            subject = count(n_stopped, "meets a bound and stays", "meet a bound and stay")
            caption += f"; {subject} there"
        value = "y_k" if self.nu is None else "y_k ρ"
        systems = count(solve.n_systems, "linear system", "linear systems")
        head = ("row", "class", "α before", "α after")
        title = "Free multipliers, between the bounds"
        return f"{caption}.", [
            numbered_table(head, rows, title, max_rows=MAX_FREE),
            Formula(
                f"f(x_k) = {value} for every free row k: {systems} instead of many small moves"
            ),
            self._change(step, before),
        ]

    def _done(self, step: SVCStep) -> tuple[str, Blocks]:
        n_support = int((step.alpha > 0).sum())
        n_free = int(((step.alpha > 0) & (step.alpha < step.bound)).sum())
        vectors = count(n_support, "support vector", "support vectors")
        pairs = count(step.iteration, "pair", "pairs")
        caption = f"Done after {pairs}: {vectors}, {n_free} of them on the margin. {step.reason}"
        errors = error_table(self.problem, self.model)
        if step.reason == ENDLESS:
            reason = (
                "The classes are not separable, so there is no "
                "hard margin and no w: set C to a finite value."
            )
            return caption, [errors, Formula(reason)]
        blocks = self._primal(step) if self.nu is None else self._nu(step, n_support)
        return caption, [errors, self._summary(step, n_support, n_free), *blocks]

    # --- parts ------------------------------------------------------------------------------------

    def _class(self, k: int) -> str:
        return self.problem.classes[int(self.sign[k] > 0)]

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

    def _summary(self, step: SVCStep, n_support: int, n_free: int) -> LedgerTable:
        head = ("multiplier", "rows", "condition")
        title = "Rows by their multiplier"
        outside = ("α = 0", len(step.alpha) - n_support, f"y f(x) ≥ {self.edge}")
        condition = f"y f(x) = {self.edge}"
        if np.isinf(self.C):
            return LedgerTable(head, [outside, ("α > 0", n_free, condition)], title)
        bound = self.bound
        inside = (f"α = {bound}", n_support - n_free, f"y f(x) ≤ {self.edge}")
        rows = [outside, (f"0 < α < {bound}", n_free, condition), inside]
        return LedgerTable(head, rows, title)

    def _primal(self, step: SVCStep) -> Blocks:
        """Return the primal objective, at the end equal to the dual one, and the margin's width."""
        f = self._decision(step)
        slack = np.maximum(0.0, 1 - self.sign * f)
        slack[slack < AT_EDGE] = 0
        # f is linear in the multipliers: the squared length of w is the sum of y α (f − b).
        length = float((self.sign * step.alpha) @ (f - step.b))
        dual = f"dual: Σα − ½ ΣΣ α α y y K = W = {num(step.objective)}"
        if length < 0:
            negative = (
                f"‖w‖² would be {num(length)}: this kernel "
                "is no inner product here, and there is no w"
            )
            return [Formula(negative), Formula(dual)]
        if np.isinf(self.C):
            primal = f"½‖w‖² = {num(length / 2)}; no slack is allowed"
        else:
            weights = self.model.class_weight_[(self.sign > 0).astype(int)]
            total = float(weights @ slack)
            objective = num(length / 2 + self.C * total)
            terms = f"{num(length / 2)} + {num(self.C)} · {num(total)}"
            slacks = "Σξ" if self.model.class_weight is None else "Σ weight · ξ"
            primal = f"½‖w‖² + C {slacks} = {terms} = {objective}"
        blocks: Blocks = [Formula(primal), Formula(dual)]
        if self.kernel.name == "linear":
            blocks.insert(0, self._weights(step))
        if length > 0:
            norm = length**0.5
            blocks.append(Formula(f"margin: 2 / ‖w‖ = 2 / {num(norm)} = {num(2 / norm)}"))
        return blocks

    def _weights(self, step: SVCStep) -> LedgerTable:
        w = (self.sign * step.alpha) @ self.X
        names = self.problem.features[:MAX_WEIGHTS]
        title = "w = Σ y α x"
        if len(w) > MAX_WEIGHTS:
            title += f" (the first {MAX_WEIGHTS} of {len(w)} columns)"
        rows = [(name, float(value)) for name, value in zip(names, w, strict=False)]
        return LedgerTable(("column", "w"), [*rows, ("b", step.b)], title)

    def _nu(self, step: SVCStep, n_support: int) -> Blocks:
        """Return the two shares of rows between which nu lies."""
        assert self.nu is not None
        n = len(self.rows)
        n_inside = int((self.sign * self._decision(step) < step.margin * (1 - AT_EDGE)).sum())
        inside = f"inside the margin: {n_inside} / {n} = {num(n_inside / n)}"
        vectors = f"support vectors: {n_support} / {n} = {num(n_support / n)}"
        blocks: Blocks = [Formula(f"{inside} ≤ ν = {num(self.nu)} ≤ {vectors}")]
        if step.margin > 0:
            C = num(1 / step.margin)
            blocks.append(Formula(f"ρ = {num(step.margin)}; the same machine has C = 1 / ρ = {C}"))
        return blocks

    # --- the query --------------------------------------------------------------------------------

    @cached_property
    def _query_kernel(self) -> Floats:
        """The kernel of the query with every row."""
        assert self.query is not None
        values: Floats = self.kernel(self.query.x[None, :], self.X)[0]
        return values

    def _query_blocks(self, step: SVCStep) -> Blocks:
        """Return the decision value of the query."""
        if self.query is None:
            return []
        weights = self.sign * step.alpha
        parts = weights * self._query_kernel
        used = np.flatnonzero(step.alpha)
        top = used[np.argsort(-np.abs(parts[used]), kind="stable")][:MAX_TERMS]
        rows: list[list[Cell]] = [
            [int(self.rows[k]), float(weights[k]), float(self._query_kernel[k]), float(parts[k])]
            for k in top
        ]
        if len(used) > len(top):
            remainder = float(parts.sum() - parts[top].sum())
            rows.append([f"{len(used) - len(top)} more", None, None, remainder])
        value = float(parts.sum()) + step.b
        winner = self.problem.classes[int(value >= 0)]
        terms = f"{num(parts.sum())} + {signed(step.b)}"
        blocks: Blocks = [query_table(self.problem, self.query)]
        if rows:
            head = ("row", "y α", "K(row, x)", "y α K")
            blocks.append(numbered_table(head, rows, "f(x) = Σ y α K(row, x) + b"))
        return [*blocks, Formula(f"f(x) = {terms} = {num(value)}, so the class is {winner}")]


def formula_of(kernel: Kernel) -> str:
    """Return a kernel with its numbers.

    Examples
    --------
    >>> formula_of(Kernel("poly", gamma=0.5, degree=2, coef0=1.0))
    'K(x, z) = (0.5 · x·z + 1)^2'
    """
    gamma = num(kernel.gamma)
    inner = f"{gamma} · x·z"
    if kernel.coef0:
        inner += f" {'+' if kernel.coef0 > 0 else '−'} {num(abs(kernel.coef0))}"
    forms = {
        "linear": "x·z",
        "poly": f"({inner})^{kernel.degree}",
        "rbf": f"exp(−{gamma} · ‖x − z‖²)",
        "sigmoid": f"tanh({inner})",
    }
    return f"K(x, z) = {forms[kernel.name]}"


def _box_formula(is_same_class: bool, bound_i: str, bound_j: str) -> str:
    if is_same_class:
        return f"L = max(0, α_i + α_j − {bound_i}), H = min({bound_j}, α_i + α_j)"
    return f"L = max(0, α_j − α_i), H = min({bound_j}, {bound_i} + α_j − α_i)"


def _movement(old: float, new: float) -> str:
    if old == new:
        return f"stays {num(new)}"
    verb = "rises" if new > old else "falls"
    if num(old) == num(new):
        return f"hardly {verb} from {num(old)}"
    return f"{verb} from {num(old)} to {num(new)}"
