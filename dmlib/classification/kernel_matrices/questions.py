"""Questions about kernels: their values, operations on them, and the eigenvalues of the matrix."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlib.arrays import Floats
from dmlib.classification.kernel_matrices.algorithm import KernelMatrix, KernelMatrixStep
from dmlib.classification.kernels import Kernel
from dmlib.pictures.answers import Option, Pick, Value
from dmlib.pictures.question import Misconception, Question, Wrong
from dmlib.pictures.run import Run
from dmlib.pictures.words import num4, signed
from dmlib.problem import Problem

MAX_ROWS = 12  # of the matrix that are asked about
MAX_COLUMNS = 3  # of an inner product that is worked out
MAX_TRACE = 8  # entries of a diagonal that are listed
FINITE = ("linear", "poly")  # kernels whose feature space has few dimensions
SIGNS = ("none is negative", "some are negative", "all are negative")


class Rule(Misconception):
    """Wrong rules of kernels."""

    POWERS = "The polynomial kernel takes the power of each product of columns, then adds them up."
    NEAREST = "The largest kernel is that with the nearest row."
    BESIDE = "The features of a product are those of both kernels side by side: they add up."
    ENTRIES = "The eigenvalues add up to the sum of all entries of the matrix."
    ROWS = "As many eigenvalues are not 0 as there are rows."


def questions(run: Run[Problem, KernelMatrix]) -> Iterator[Question]:
    """Yield the questions that the steps of a kernel matrix answer.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.classification.KernelMatrix`.

    Yields
    ------
    Question
        Before each of the first rows, before an operation, and before the eigenvalues.

    Examples
    --------
    >>> import pandas as pd
    >>> from dmlib.problem import prepare
    >>> frame = pd.DataFrame({"a": [1.0, 3.0, -1.0], "b": [2.0, 1.0, 0.5]})
    >>> run = Run.of(prepare(frame, ["a", "b"]), KernelMatrix("poly", gamma=1.0))
    >>> [question.topic for question in questions(run)]
    ['value', 'value', 'largest', 'signs', 'trace', 'rank']
    """
    steps = run.trace.steps
    X = np.asarray(run.problem.training.X, float)
    for number in range(1, len(steps)):
        step = steps[number]
        if step.phase == "row" and step.index < MAX_ROWS:
            yield from _value(run.problem, number, step, X)
            yield from _largest(run.problem, number, step, X)
        elif step.phase == "combine":
            yield from _product(run, number, step)
        elif step.phase == "eigenvalues":
            yield _signs(number, step)
            yield from _trace(number, step)
            yield from _rank(run.model, number, step)


def _name(problem: Problem, place: int) -> int:
    return int(problem.training.rows[place]) + 1


def _listing(values: Floats) -> str:
    return f"({', '.join(num4(value) for value in values)})"


def _formula(kernel: Kernel) -> str:
    gamma = "" if kernel.gamma == 1 else f"{num4(kernel.gamma)} "
    constant = f" + {signed(kernel.coef0, 4)}" if kernel.coef0 else ""
    return {
        "linear": "x · z",
        "poly": f"({gamma}x · z{constant})^{kernel.degree}",
        "rbf": f"exp(−{gamma}‖x − z‖²)",
        "laplacian": f"exp(−{gamma}‖x − z‖₁)",
        "sigmoid": f"tanh({gamma}x · z{constant})",
    }[kernel.name]


def _value(problem: Problem, number: int, step: KernelMatrixStep, X: Floats) -> Iterator[Question]:
    """Ask for the kernel of a row with the one before it, where it needs no table."""
    kernel, i = step.kernel, step.index
    if i < 1 or X.shape[1] > MAX_COLUMNS or kernel.name not in FINITE or step.values is None:
        return
    j = i - 1
    x, z, value = X[i], X[j], float(step.values[j])
    dot = float(x @ z)
    if not 1e-3 < abs(value) < 1e6:
        return
    products = " + ".join(f"{signed(a, 4)} · {signed(b, 4)}" for a, b in zip(x, z, strict=True))
    proof = f"x · z = {products} = {num4(dot)}"
    wrong = []
    if kernel.name == "poly":
        proof += f", and {_formula(kernel).replace('x · z', signed(dot, 4))} = {num4(value)}"
        powers = float(((kernel.gamma * x * z) ** kernel.degree).sum())
        wrong = [Wrong(Rule.POWERS, powers + kernel.coef0**kernel.degree)]
    yield Question(
        number,
        "value",
        f"Row {_name(problem, i)} is {_listing(x)}, row {_name(problem, j)} is {_listing(z)}: what "
        f"is their kernel k(x, z) = {_formula(kernel)}?",
        Value(value, max(0.02 * abs(value), 0.005)),
        f"{proof}.",
        wrong,
        "Take the inner product first.",
        about=[_name(problem, i), _name(problem, j)],
    )


def _largest(
    problem: Problem, number: int, step: KernelMatrixStep, X: Floats
) -> Iterator[Question]:
    """Ask for the row with the largest kernel, among those before it."""
    i, values = step.index, step.values
    if i < 2 or values is None:
        return
    others = values[:i]
    best = np.flatnonzero(np.isclose(others, others.max(), rtol=1e-9, atol=0.0)).tolist()
    if len(best) == i or others.max() < 1.02 * np.delete(others, best).max(initial=0.0):
        return
    distances = np.linalg.norm(X[:i] - X[i], axis=1)
    nearest = int(distances.argmin())
    names = [_name(problem, place) for place in range(i)]
    top = best[0]
    by_distance = step.kernel.name in ("rbf", "laplacian")
    yield Question(
        number,
        "largest",
        f"Of the rows before it, which has the largest kernel with row {_name(problem, i)}?",
        Pick("row", [[names[place]] for place in best], among=names),
        f"k = {num4(others[top])} with row {names[top]}, and {num4(others[nearest])} with row "
        f"{names[nearest]}, the nearest.",
        [Wrong(Rule.NEAREST, [names[nearest]])],
        "This kernel falls with the distance."
        if by_distance
        else "An inner product is large for long rows that point in the same direction.",
        "These rows have the same kernel with it." if len(best) > 1 else "",
        about=[_name(problem, i)],
    )


def _product(
    run: Run[Problem, KernelMatrix], number: int, step: KernelMatrixStep
) -> Iterator[Question]:
    """Ask for an entry of the product of two kernels."""
    if run.model.operation != "product" or step.second is None or step.first is None:
        return
    assert step.matrix is not None
    if len(step.matrix) < 2 or not np.abs(step.matrix).max() < 1e6:
        return
    K, S = step.first, step.second
    i, j = (
        int(k) for k in np.unravel_index(int(np.abs(np.triu(step.matrix, 1)).argmax()), K.shape)
    )
    value, names = float(step.matrix[i, j]), [_name(run.problem, place) for place in (i, j)]
    yield Question(
        number,
        "product",
        f"Rows {names[0]} and {names[1]} have k₁ = {num4(K[i, j])} and k₂ = {num4(S[i, j])}: what"
        " is their product kernel?",
        Value(value, max(0.02 * abs(value), 0.005)),
        f"Entry by entry: {num4(K[i, j])} · {signed(S[i, j], 4)} = {num4(value)}.",
        (Wrong(Rule.BESIDE, float(K[i, j] + S[i, j]), "That is the sum of two kernels."),),
        "k(x, z) = k₁(x, z) k₂(x, z) for each pair of rows.",
        about=names,
    )


# --- eigenvalues ----------------------------------------------------------------------------------


def _signs(number: int, step: KernelMatrixStep) -> Question:
    values = np.asarray(step.eigenvalues)
    is_negative = values < -step.tolerance
    right = 0 if not is_negative.any() else 2 if is_negative.all() else 1
    proof = f"The smallest eigenvalue is {num4(values[-1])}"
    if abs(values[-1]) <= step.tolerance:
        proof = "The smallest eigenvalue is 0 but for rounding"
    return Question(
        number,
        "signs",
        "What are the signs of the eigenvalues of this matrix?",
        Option(SIGNS, [right]),
        f"{proof}, the largest {num4(values[0])}.",
        hint="A kernel is an inner product in a feature space: v'Kv is then a square.",
    )


def _trace(number: int, step: KernelMatrixStep) -> Iterator[Question]:
    assert step.matrix is not None
    diagonal, total = np.diag(step.matrix), float(np.trace(step.matrix))
    if len(diagonal) > MAX_TRACE:
        return
    listing, terms = (sign.join(num4(value) for value in diagonal) for sign in (", ", " + "))
    entries = float(step.matrix.sum())
    rest = entries - total
    yield Question(
        number,
        "trace",
        f"The diagonal of the matrix is {listing}, and all other entries add up to {num4(rest)}: "
        "what do the eigenvalues add up to?",
        Value(total, 0.01 * max(abs(total), 0.01)),
        f"They add up to the trace, {terms} = {num4(total)}.",
        (Wrong(Rule.ENTRIES, entries),),
        "A rotation to the eigenvectors leaves one sum of the matrix as it is.",
    )


def _rank(model: KernelMatrix, number: int, step: KernelMatrixStep) -> Iterator[Question]:
    """Ask how many eigenvalues are not 0, where the feature space has few dimensions."""
    has_two = step.second is not None
    used = [step.kernel, *([step.second_kernel] if has_two else [])]
    if any(kernel.name not in FINITE for kernel in used):
        return
    if model.operation not in ("none", "sum", "product"):
        return
    values = np.asarray(step.eigenvalues)
    rank, n = int((np.abs(values) > step.tolerance).sum()), len(values)
    sign = " · " if model.operation == "product" else " + "
    formula = sign.join(f"[{_formula(kernel)}]" if has_two else _formula(kernel) for kernel in used)
    yield Question(
        number,
        "rank",
        f"The kernel is {formula}, of {n} rows: how many eigenvalues are not 0?",
        Value(rank),
        f"The rows span {rank} dimensions of feature space: as many as there are different products"
        f" of columns, and at most as many as rows. {rank} eigenvalues are not 0.",
        (Wrong(Rule.ROWS, n),),
        "Multiply the kernel out, and count the different products of columns of x.",
    )
