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
        self.problem = problem
        self.selected = selected
        self.model = model
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
            caption = f"{name}: its kernel with itself is {num(values[0])}."
            return caption, self._value(step.kernel, 0, 0)
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
        caption = f"The second kernel, {step.second_kernel.name}, has values {ends}."
        return caption, self._value(step.second_kernel, *self.pair, "k₂")

    def _combine(self, step: Step) -> tuple[str, Blocks]:
        factor = self.model.factor
        consequence = "the result is a kernel if k₁ is"
        if factor < 0:
            consequence = "a negative factor reverses all signs"
        captions = {
            "sum": (
                "The two matrices are added entry by entry: the sum is a kernel if both parts are."
            ),
            "product": (
                "The two matrices are multiplied entry by entry: "
                "the product is a kernel if both parts are."
            ),
            "constant": f"Every entry is multiplied by {num(factor)}: {consequence}.",
            "function": (
                "Every entry is multiplied by the lengths of "
                "its two rows: the result is a kernel if k₁ is."
            ),
            "zero extension": (
                "The kernel stays where both rows are in the "
                "subset, else it is 0: a kernel if k₁ is."
            ),
        }
        return captions[self.model.operation], self._pair(step)

    def _pair(self, step: Step) -> Blocks:
        """Return the arithmetic of the resulting kernel for the pair."""
        i, j = self.pair
        if self.model.operation == "none":
            return self._value(step.kernel, i, j)
        blocks = self._value(step.kernel, i, j, "k₁")
        if step.second is not None:
            # The rows are written out already.
            blocks += self._value(step.second_kernel, i, j, "k₂")[2:]
        value = num(_of(step.matrix)[i, j])
        return [*blocks, Formula(f"k = {value} = {self._operation(step, i, j)}")]

    def _operation(self, step: Step, i: int, j: int) -> str:
        k1 = signed(_of(step.first)[i, j])
        operation = self.model.operation
        if step.second is not None:
            sign = "+" if operation == "sum" else "·"
            return f"k₁ {sign} k₂ = {k1} {sign} {signed(step.second[i, j])}"
        if operation == "constant":
            return f"a · k₁ = {signed(self.model.factor)} · {k1}"
        X = self.problem.X
        if operation == "function":
            x, z = np.linalg.norm(X[[i, j]], axis=1)
            return f"f(x) · k₁ · f(z) = {num(x)} · {k1} · {num(z)}"
        edge = border(X, self.model.outside)
        condition = f"rows have {self.problem.features[0]} ≥ {num(edge)}"
        if (X[[i, j], 0] >= edge).all():
            return f"k₁, as both {condition}"
        return f"0, as not both {condition}"

    def _value(self, kernel: Kernel, i: int, j: int, symbol: str = "k") -> Blocks:
        """Return the arithmetic of the kernel of two rows."""
        x, z = self.problem.X[i], self.problem.X[j]
        lines = [
            f"x = {self.name(i)} = {_vector(x)}",
            f"z = {self.name(j)} = {_vector(z)}",
            *kernel_lines(kernel, x, z, symbol),
        ]
        return [*map(Formula, lines), *feature_map(kernel, x, z, self.problem.features)]

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
        lines = [
            f"Σλ = {num(values.sum())}, and the diagonal of K has the sum {num(trace)}",
            f"counted as 0: |λ| ≤ {num(step.tolerance)}",
        ]
        if squares > 0:
            quotient = f"{num(trace)}² / {num(squares)} = {num(trace**2 / squares)}"
            lines.append(f"effective dimension (Σλ)² / Σλ² = {quotient}")
        return caption, [self._spectrum(values), *map(Formula, lines)]

    def _spectrum(self, values: Floats) -> LedgerTable:
        n = len(values)
        title = "Eigenvalues"
        rows = [(m + 1, float(value)) for m, value in enumerate(values)]
        if n > 2 * MAX_VALUES:
            title += f" (the first and last {MAX_VALUES} of {n})"
            rows = rows[:MAX_VALUES] + rows[-MAX_VALUES:]
        return numbered_table(("number", "eigenvalue"), rows, title, [len(rows) - 1], by="number")

    def _done(self, step: Step) -> tuple[str, Blocks]:
        values = _of(step.eigenvalues)
        n_negative = int((values < -step.tolerance).sum())
        smallest = num(values[-1])
        caption = (
            "No eigenvalue is below 0, apart from rounding: on these rows Mercer's condition holds."
        )
        if n_negative:
            caption = (
                f"{count(n_negative, 'eigenvalue is', 'eigenvalues are')} negative, the smallest "
                f"{smallest}: Mercer's condition fails, and this is no kernel."
            )
        elif values[-1] > step.tolerance:
            caption = (
                f"The smallest eigenvalue is {smallest} > 0: "
                "on these rows Mercer's condition holds."
            )
        return caption, [*self._pair(step), *self._witness(step)]

    def _witness(self, step: Step) -> Blocks:
        """Return v' K v for the last eigenvector."""
        K = _of(step.matrix)
        if abs(_of(step.eigenvalues)[-1]) <= step.tolerance:
            return []
        v = np.linalg.eigh(K)[1][:, 0]
        products = v * (K @ v)
        largest = products[np.argsort(-np.abs(products), kind="stable")]
        terms = abridged([signed(product) for product in largest], MAX_TERMS)
        value = f"{terms} = {num(products.sum())}"
        return [Formula(f"v′ K v = Σ vᵢ (K v)ᵢ = {value} for the last eigenvector v of length 1")]


def nearest_pair(K: Floats, i: int) -> tuple[int, int]:
    """Return a row and the row with the largest kernel with it.

    Examples
    --------
    >>> nearest_pair(np.array([[9.0, 1.0, 2.0], [1.0, 9.0, 3.0], [2.0, 3.0, 9.0]]), 0)
    (0, 2)
    """
    kernels = K[i].copy()
    kernels[i] = -np.inf
    return i, int(kernels.argmax())


def kernel_lines(kernel: Kernel, x: Floats, z: Floats, symbol: str = "k") -> list[str]:
    """Return a kernel with the numbers put in.

    Examples
    --------
    >>> kernel_lines(Kernel("poly", 1.0, 2, 0.0), np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    ['x · z = 1 · 3 + 2 · 4 = 11', 'k = (γ x · z + c)^2 = (1 · 11 + 0)^2 = 121']
    """
    value = num(kernel([x], [z]).item())
    gamma = num(kernel.gamma)
    if kernel.name in DISTANCES:
        norm, form, differences = "‖x − z‖₁", "|{}|", np.abs(x - z)
        if kernel.name == "rbf":
            norm, form, differences = "‖x − z‖²", "({})²", (x - z) ** 2
        terms = [form.format(f"{num(a)} − {signed(b)}") for a, b in zip(x, z, strict=True)]
        distance = num(differences.sum())
        return [
            f"{norm} = {abridged(terms, MAX_TERMS)} = {distance}",
            f"{symbol} = exp(−γ {norm}) = exp(−{gamma} · {distance}) = {value}",
        ]
    terms = [f"{signed(a)} · {signed(b)}" for a, b in zip(x, z, strict=True)]
    inner = f"{gamma} · {signed(x @ z)} + {signed(kernel.coef0)}"
    forms = {
        "linear": "x · z",
        "sigmoid": f"tanh(γ x · z + c) = tanh({inner})",
        "poly": f"(γ x · z + c)^{kernel.degree} = ({inner})^{kernel.degree}",
    }
    return [
        f"x · z = {abridged(terms, MAX_TERMS)} = {num(x @ z)}",
        f"{symbol} = {forms[kernel.name]} = {value}",
    ]


def feature_map(kernel: Kernel, x: Floats, z: Floats, names: Sequence[str]) -> Blocks:
    """Return the feature map of a polynomial kernel of degree 2 or 3, and its inner product.

    Examples
    --------
    >>> x, z = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    >>> blocks = feature_map(Kernel("poly", 1.0, 2, 0.0), x, z, ["a", "b"])
    >>> blocks[0].rows[2][0], blocks[2].text
    ('a · b', 'k(x, z) = 121.0')
    """
    size = comb(len(x) + kernel.degree - (kernel.coef0 == 0), kernel.degree)
    if kernel.name != "poly" or kernel.degree not in MAPPED or size > MAX_DIMENSIONS:
        return []
    if kernel.coef0 < 0:
        reason = (
            "c < 0: there is no feature map, as its coordinates would be roots of negative numbers"
        )
        return [Formula(reason)]
    gamma, coef0, degree = kernel.gamma, kernel.coef0, kernel.degree
    x_mapped, z_mapped = polynomial_features([x, z], gamma, coef0, degree=degree)
    products = monomials(len(x), degree, coef0)
    labels = [" · ".join(names[j] for j in product) or "constant" for product in products]
    rows = [
        (label, float(a), float(b), float(a * b))
        for label, a, b in zip(labels, x_mapped, z_mapped, strict=True)
    ]
    coordinates = count(len(rows), "coordinate", "coordinates")
    head = ("product of", "φ(x)", "φ(z)", "φ(x) · φ(z)")
    title = f"Feature map φ: {coordinates}, each with its root weight"
    inner = float(x_mapped @ z_mapped)
    value = kernel([x], [z]).item()
    return [
        short_table(head, rows, title, max_rows=MAX_FEATURES),
        Formula(f"φ(x) · φ(z) = {inner!r}".replace("-", "−")),
        Formula(f"k(x, z) = {value!r}".replace("-", "−")),
    ]


def _vector(x: Floats) -> str:
    return f"({abridged([num(a) for a in x], 2 * MAX_TERMS, ', ')})"


def _of(array: Floats | None) -> Floats:
    """Return an array that the steps of this phase have."""
    return np.empty((0, 0)) if array is None else array
