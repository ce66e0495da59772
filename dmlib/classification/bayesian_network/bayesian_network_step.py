"""The records of learning a network, and of classifying by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dmlib.arrays import Floats
from dmlib.classification.bayesian_network.conditional_table import ConditionalTable
from dmlib.classification.bayesian_network.tree import Pair

Phase = Literal["prior", "measure", "connect", "reject", "direct", "count"]
InferencePhase = Literal["start", "multiply", "sum", "normalise"]


@dataclass(frozen=True)
class BayesianNetworkStep:
    """One step of learning.

    Attributes
    ----------
    phase : {"prior", "measure", "connect", "reject", "direct", "count"}
        The priors are estimated; the information of a pair of columns is measured; a pair becomes
        an edge, or not, since a path connects it; edges are directed away from the root; the table
        of a column is counted.
    class_count, class_prior : ndarray of shape (n_classes,)
        The number of rows and the prior probability of each class.
    pair : tuple of (int, int) or None
        The two columns.
    information : float
        Their conditional mutual information, in bits.
    edges : tuple of tuple of (int, int)
        The edges so far, without a direction.
    parents : tuple of int
        The parent of each column, -1 of one that has the class alone; empty before they are known.
    tables : tuple of ConditionalTable
        The tables of the columns so far; the last one is new.
    """

    phase: Phase
    class_count: Floats
    class_prior: Floats
    pair: Pair | None = None
    information: float = 0.0
    edges: tuple[Pair, ...] = ()
    parents: tuple[int, ...] = ()
    tables: tuple[ConditionalTable, ...] = ()

    @property
    def attribute(self) -> int | None:
        """The column whose table is new."""
        return len(self.tables) - 1 if self.tables else None


@dataclass(frozen=True)
class InferenceStep:
    """One step of classifying one row, in the order of the network, children before parents.

    Attributes
    ----------
    phase : {"start", "multiply", "sum", "normalise"}
        The product starts with the prior; the factor of a known value multiplies in; an unknown
        value is summed out; the products are divided by their sum.
    attribute : int or None
        The column; None at the start and at the end.
    value : str or None
        The row's value there, for a cut column its interval; None where it is not known.
    parent_value : str or None
        That of the column's parent.
    factor : ndarray of shape (n_classes, n_parent_values)
        The factor of each class, for each value of a parent that is still to be summed out; one
        column where the parent is known, or there is none.
    log_joint : ndarray of shape (n_classes,)
        The logarithms of the products so far, without what waits for an unknown parent.
    posterior : ndarray of shape (n_classes,)
        The products so far, divided by their sum.
    """

    phase: InferencePhase
    attribute: int | None
    value: str | None
    parent_value: str | None
    factor: Floats
    log_joint: Floats
    posterior: Floats
