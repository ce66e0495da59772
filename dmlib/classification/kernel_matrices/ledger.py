"""A kernel matrix in words and numbers: its rows, a pair written out, and Mercer's condition."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.kernel_matrices.algorithm import KernelMatrix
from dmlib.classification.kernel_matrices.algorithm import KernelMatrixStep as Step
from dmlib.classification.kernel_matrices.closure import border
from dmlib.classification.kernels import DISTANCES, Kernel, monomials, polynomial_features
from dmlib.pictures.ledger import (
    Blocks,
    Formula,
    LedgerTable,
    abridged,
    numbered_table,
    short_table,
)
from dmlib.pictures.story import Moment
from dmlib.pictures.words import count, num, signed
from dmlib.problem import Problem

MAX_TERMS = 4  # of a sum
MAX_VALUES = 8  # of a row of the matrix, or eigenvalues at each end
MAX_FEATURES = 12  # of a feature map that are listed
MAX_DIMENSIONS = 500  # of a feature map that is computed
MAPPED = (2, 3)  # degrees whose feature map is written out


class Narrator:
    """Captions and ledgers of a kernel matrix, with a pair of rows written out.

    Parameters
    ----------
    problem : Problem
        The data.
    last : KernelMatrixStep
        The last step.
    model : KernelMatrix
        The estimator.
    selected : int or None
        The row that the reader clicked.
    pair : tuple of int, optional
        Two rows; by default the selected or the first row, and the one with the largest kernel with
        it.
    """

    def __init__(
        self,
        problem: Problem,
        last: Step,
        model: KernelMatrix,
        selected: int | None,
        pair: tuple[int, int] | None = None,
    ) -> None:
        self.problem, self.selected = problem, selected
        self.operation, self.factor, self.outside = model.operation, model.factor, model.outside
        self.pair = pair or nearest_pair(_of(last.matrix), selected or 0)

    def caption_and_ledger(self, moment: Moment) -> tuple[str, Blocks]:
        """Return the caption and the ledger of a moment."""
        step: Step = moment.step
        narrate = {
            "row": self._row,
            "second": self._second,
            "combine": self._combine,
            "eigenvalues": self._eigenvalues,
            "done": self._done,
        }
        caption, blocks = narrate[step.phase](step)
        return caption, [*blocks, *self._nearest(step)]

    def _nearest(self, step: Step) -> Blocks:
        """Return the rows with the largest kernel with the selected one."""
        if self.selected is None or step.matrix is None:
            return []
        return [self._largest(self.selected, step.matrix[self.selected], "its largest kernels")]

    def _largest(self, i: int, values: Floats, title: str) -> LedgerTable:
        order = [m for m in np.argsort(-values, kind="stable") if m != i][:MAX_VALUES]
        rows = [(int(self.problem.rows[m]) + 1, float(values[m])) for m in order]
        return numbered_table(("row", "kernel"), rows, f"{self.name(i).capitalize()}: {title}")

    def name(self, i: int) -> str:
        """Return a row as sentences call it."""
        return f"row {self.problem.rows[i] + 1}"

    # --- the matrix -------------------------------------------------------------------------------

    def _row(self, step: Step) -> tuple[str, Blocks]:
        i, values = step.index, _of(step.values)
        name = self.name(i).capitalize()
        if i == 0:
            return f"{name}: its kernel with itself is {num(values[0])}.", self._value(
                step.kernel, 0, 0
            )
        j = int(values[:-1].argmax())
        caption = (
            f"{name}: its kernel with {self.name(j)} is {num(values[j])}, with "
            f"itself {num(values[-1])}; the rest of the matrix follows by symmetry."
        )
        return caption, [
            *self._value(step.kernel, i, j),
            self._largest(i, values, "its largest kernels so far"),
        ]

    def _second(self, step: Step) -> tuple[str, Blocks]:
        S = _of(step.second)
        ends = f"from {num(S.min())} to {num(S.max())}"
        return f"The second kernel, {step.other.name}, has values {ends}.", self._value(
            step.other, *self.pair, "k₂"
        )

    def _combine(self, step: Step) -> tuple[str, Blocks]:
        words = {
            "sum": (
                "The two matrices are added entry by entry: the sum is a kernel if both parts are."
            ),
            "product": (
                "The two matrices are multiplied entry by entry: "
                "the product is a kernel if both parts are."
            ),
            "constant": (
                f"Every entry is multiplied by {num(self.factor)}: "
                + (
                    "the result is a kernel if k₁ is."
                    if self.factor >= 0
                    else "a negative factor reverses all signs."
                )
            ),
            "function": (
                "Every entry is multiplied by the lengths of "
                "its two rows: the result is a kernel if k₁ is."
            ),
            "zero extension": (
                "The kernel stays where both rows are in the "
                "subset, else it is 0: a kernel if k₁ is."
            ),
        }
        return words[self.operation], self._pair(step)

    def _pair(self, step: Step) -> Blocks:
        """Write out the value of the resulting kernel for the pair."""
        i, j = self.pair
        K1, K = _of(step.first), _of(step.matrix)
        lines = self._value(step.kernel, i, j, "k₁" if self.operation != "none" else "k")
        if step.second is not None:
            lines += self._value(step.other, i, j, "k₂")[2:]  # the rows are written out already
        if self.operation != "none":
            lines.append(
                Formula(f"k = {num(K[i, j])} = {self._operation(step, i, j, float(K1[i, j]))}")
            )
        return lines

    def _operation(self, step: Step, i: int, j: int, value: float) -> str:
        if step.second is not None:
            sign = "+" if self.operation == "sum" else "·"
            return f"k₁ {sign} k₂ = {signed(value)} {sign} {signed(step.second[i, j])}"
        if self.operation == "constant":
            return f"a · k₁ = {signed(self.factor)} · {signed(value)}"
        if self.operation == "function":
            lengths = np.linalg.norm(self.problem.X[[i, j]], axis=1)
            return f"f(x) · k₁ · f(z) = {num(lengths[0])} · {signed(value)} · {num(lengths[1])}"
        edge = border(self.problem.X, self.outside)
        inside = self.problem.X[[i, j], 0] >= edge
        column, middle = self.problem.features[0], num(edge)
        value_text, rows = ("k₁", "both rows have") if inside.all() else ("0", "not both rows have")
        return f"{value_text}, as {rows} {column} ≥ {middle}"

    def _value(self, kernel: Kernel, i: int, j: int, called: str = "k") -> Blocks:
        """Write out the kernel of two rows of the data."""
        x, z = self.problem.X[i], self.problem.X[j]
        lines: Blocks = [
            Formula(f"x = {self.name(i)} = {_vector(x)}"),
            Formula(f"z = {self.name(j)} = {_vector(z)}"),
            *[Formula(text) for text in kernel_lines(kernel, x, z, called)],
        ]
        return [*lines, *feature_map(kernel, x, z, self.problem.features)]

    # --- Mercer's test ----------------------------------------------------------------------------

    def _eigenvalues(self, step: Step) -> tuple[str, Blocks]:
        values = _of(step.eigenvalues)
        rank = int((np.abs(values) > step.tolerance).sum())
        size = count(len(values), "eigenvalue", "eigenvalues")
        caption = (
            f"Of the {size}, {rank} {'is' if rank == 1 else 'are'} "
            "not 0, apart from rounding: the rank of the matrix."
        )
        trace = float(np.trace(_of(step.matrix)))
        squares = float((values**2).sum())
        effective = [
            f"effective dimension (Σλ)² / Σλ² = {num(trace)}² "
            f"/ {num(squares)} = {num(trace**2 / squares)}"
        ]
        sums = f"Σλ = {num(values.sum())}, and the diagonal of K has the sum {num(trace)}"
        lines = [
            sums,
            f"counted as 0: |λ| ≤ {num(step.tolerance)}",
            *(effective if squares > 0 else []),
        ]
        return caption, [self._spectrum(values), *map(Formula, lines)]

    def _spectrum(self, values: Floats) -> LedgerTable:
        n = len(values)
        ends = range(n) if n <= 2 * MAX_VALUES else [*range(MAX_VALUES), *range(n - MAX_VALUES, n)]
        title = "Eigenvalues" + (
            f" (the first and last {MAX_VALUES} of {n})" if n > 2 * MAX_VALUES else ""
        )
        rows = [(m + 1, float(values[m])) for m in ends]
        return numbered_table(("number", "eigenvalue"), rows, title, [len(rows) - 1], by="number")

    def _done(self, step: Step) -> tuple[str, Blocks]:
        values = _of(step.eigenvalues)
        below, smallest = int((values < -step.tolerance).sum()), float(values[-1])
        if below:
            caption = (
                f"{count(below, 'eigenvalue is', 'eigenvalues are')} negative, the smallest "
                f"{num(smallest)}: Mercer's condition fails, and this is no kernel."
            )
        elif smallest > step.tolerance:
            caption = (
                f"The smallest eigenvalue is {num(smallest)} "
                "> 0: on these rows Mercer's condition holds."
            )
        else:
            caption = (
                "No eigenvalue is below 0, apart from rounding: "
                "on these rows Mercer's condition holds."
            )
        return caption, [*self._pair(step), *self._witness(step)]

    def _witness(self, step: Step) -> Blocks:
        """Write out v' K v for the last eigenvector."""
        K = _of(step.matrix)
        if abs(_of(step.eigenvalues)[-1]) <= step.tolerance:
            return []
        v = np.linalg.eigh(K)[1][:, 0]
        products = v * (K @ v)
        terms = abridged(
            [signed(p) for p in products[np.argsort(-np.abs(products), kind="stable")]], MAX_TERMS
        )
        form = (
            f"v′ K v = Σ vᵢ (K v)ᵢ = {terms} = {num(products.sum())} "
            "for the last eigenvector v of length 1"
        )
        return [Formula(form)]


def nearest_pair(K: Floats, i: int) -> tuple[int, int]:
    """Return a row and the other one that has the largest kernel with it.

    Examples
    --------
    >>> nearest_pair(np.array([[9.0, 1.0, 2.0], [1.0, 9.0, 3.0], [2.0, 3.0, 9.0]]), 0)
    (0, 2)
    """
    kernels = K[i].copy()
    kernels[i] = -np.inf
    return i, int(kernels.argmax())


def kernel_lines(kernel: Kernel, x: Floats, z: Floats, called: str = "k") -> list[str]:
    """Write out a kernel with the numbers put in.

    Examples
    --------
    >>> kernel_lines(Kernel("poly", 1.0, 2, 0.0), np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    ['x · z = 1 · 3 + 2 · 4 = 11', 'k = (γ x · z + c)^2 = (1 · 11 + 0)^2 = 121']
    """
    value, gamma, c = num(kernel([x], [z]).item()), num(kernel.gamma), signed(kernel.coef0)
    if kernel.name in DISTANCES:
        bars, square = ("‖x − z‖²", "²") if kernel.name == "rbf" else ("‖x − z‖₁", "")
        marks = ("(", ")") if square else ("|", "|")
        pairs = zip(x, z, strict=True)
        terms = [f"{marks[0]}{num(a)} − {signed(b)}{marks[1]}{square}" for a, b in pairs]
        gaps = np.abs(x - z)
        distance = num((gaps**2 if square else gaps).sum())
        return [
            f"{bars} = {abridged(terms, MAX_TERMS)} = {distance}",
            f"{called} = exp(−γ {bars}) = exp(−{gamma} · {distance}) = {value}",
        ]
    terms = [f"{signed(a)} · {signed(b)}" for a, b in zip(x, z, strict=True)]
    product = num(x @ z)
    first = f"x · z = {abridged(terms, MAX_TERMS)} = {product}"
    if kernel.name == "linear":
        return [first, f"{called} = x · z = {value}"]
    inner = f"{gamma} · {signed(x @ z)} + {c}"
    if kernel.name == "sigmoid":
        return [first, f"{called} = tanh(γ x · z + c) = tanh({inner}) = {value}"]
    return [
        first,
        f"{called} = (γ x · z + c)^{kernel.degree} = ({inner})^{kernel.degree} = {value}",
    ]


def feature_map(kernel: Kernel, x: Floats, z: Floats, names: Sequence[str]) -> Blocks:
    """Write out the feature map of a polynomial kernel of degree 2 or 3, and its inner product beside the kernel.

    Examples
    --------
    >>> blocks = feature_map(Kernel("poly", 1.0, 2, 0.0), np.array([1.0, 2.0]), np.array([3.0, 4.0]), ["a", "b"])
    >>> blocks[0].rows[2][0], blocks[2].text
    ('a · b', 'k(x, z) = 121.0')
    """
    size = comb(len(x) + kernel.degree - (kernel.coef0 == 0), kernel.degree)
    if kernel.name != "poly" or kernel.degree not in MAPPED or size > MAX_DIMENSIONS:
        return []
    if kernel.coef0 < 0:
        return [
            Formula(
                "c < 0: there is no feature map, as its "
                "coordinates would be roots of negative numbers"
            )
        ]
    x_mapped, z_mapped = polynomial_features(
        [x, z], kernel.gamma, kernel.coef0, degree=kernel.degree
    )
    columns = monomials(len(x), kernel.degree, kernel.coef0)
    heads = [" · ".join(names[j] for j in each) or "constant" for each in columns]
    rows = [
        (head, float(a), float(b), float(a * b))
        for head, a, b in zip(heads, x_mapped, z_mapped, strict=True)
    ]
    title = (
        f"Feature map φ: {count(len(rows), 'coordinate', 'coordinates')}, each with its root weight"
    )
    inner, value = float(x_mapped @ z_mapped), kernel([x], [z]).item()
    return [
        short_table(
            ("product of", "φ(x)", "φ(z)", "φ(x) · φ(z)"), rows, title, max_rows=MAX_FEATURES
        ),
        Formula(f"φ(x) · φ(z) = {inner!r}".replace("-", "−")),
        Formula(f"k(x, z) = {value!r}".replace("-", "−")),
    ]


def _vector(x: Floats) -> str:
    return f"({abridged([num(a) for a in x], 2 * MAX_TERMS, ', ')})"


def _of(array: Floats | None) -> Floats:
    """Return an array that the steps of this phase have."""
    return np.empty((0, 0)) if array is None else array
