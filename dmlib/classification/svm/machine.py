"""The training rows of a machine, and its decision values by any step."""

from __future__ import annotations

from dmlib.arrays import Floats, Ints
from dmlib.cached import cached_property
from dmlib.classification.kernels import Kernel
from dmlib.classification.svm.svm_step import SVCStep
from dmlib.problem import Problem


class Machine:
    """The kernel and the training rows of a support vector machine of two classes.

    Parameters
    ----------
    problem : Problem
        The data.
    first : SVCStep
        A step of its training: kernel and rows are the same in all.
    """

    def __init__(self, problem: Problem, first: SVCStep) -> None:
        assert first.kernel is not None
        self.problem = problem
        self.kernel: Kernel = first.kernel
        self.samples: Ints = problem.trained[first.rows]
        self.bound = float(first.bound.max())

    @property
    def X(self) -> Floats:  # noqa: N802
        """The rows of the multipliers."""
        rows: Floats = self.problem.X[self.samples]
        return rows

    @cached_property
    def places(self) -> Floats:
        """Their places in the plane."""
        return self.problem.points[self.samples]

    def decision(self, X: Floats, step: SVCStep) -> Floats:
        """Return the decision values of rows."""
        used = step.alpha.nonzero()[0]
        values: Floats = self.kernel(X, self.X[used]) @ (step.sign * step.alpha)[used] + step.b
        return values
