"""A look inside: the signals of one sequence under the weights of an epoch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from dmlib.arrays import Floats
from dmlib.cached import cached_property
from dmlib.neural.losses import LOSSES
from dmlib.neural.rnn.cells import Signals
from dmlib.neural.rnn.network import RecurrentNetwork, RecurrentStep
from dmlib.neural.rnn.task import Task

KEPT, SMALL = (
    128,
    5000,
)  # epochs whose signals are kept, of sequences of up to so many steps times units


@dataclass(frozen=True, eq=False)
class Look:
    """One sequence: of a series, the part that is learned from; else one that is held out.

    Attributes
    ----------
    model : RecurrentNetwork
        The network, not fitted.
    task : Task
        What it is asked.
    sequence : int
        The number of the held-out sequence, from 0.
    t : int
        The step that is looked into, from 0.
    """

    model: RecurrentNetwork
    task: Task
    sequence: int
    t: int

    @classmethod
    def of(cls, model: RecurrentNetwork, data: Sequence[Any], options: Mapping[str, Any]) -> Look:
        """Return what the reader looks at; a number beyond the data is the last."""
        task = model.task(*data)
        shown = task.X if task.forecast else task.held[0]
        sequence = min(options["sequence"], len(shown)) - 1
        n_steps = (
            shown.shape[1]
            if task.forecast or task.loss == "squared_error"
            else int(task.held[2][sequence].sum())
        )
        return cls(model, task, sequence, min(options["look"], n_steps) - 1)

    @cached_property
    def inputs(self) -> Floats:
        """The inputs of the sequence, shape (1, n_steps, n_inputs)."""
        return (self.task.X if self.task.forecast else self.task.held[0])[
            self.sequence : self.sequence + 1
        ]

    @cached_property
    def targets(self) -> Floats:
        """What is to be said in it, shape (1, n_steps, n_outputs)."""
        return (self.task.Y if self.task.forecast else self.task.held[1])[
            self.sequence : self.sequence + 1
        ]

    @cached_property
    def mask(self) -> Floats:
        """Where something is to be said, shape (n_steps,)."""
        masks: Floats = self.task.mask if self.task.forecast else self.task.held[2]
        mask: Floats = masks[self.sequence]
        return mask

    @cached_property
    def signals(self) -> Callable[[RecurrentStep], tuple[Floats, Signals]]:
        """Step -> what the network says (of symbols: probabilities), shape (n_steps, n_outputs), and its signals."""
        return lru_cache(
            maxsize=KEPT if self.inputs.shape[1] * self.model.n_hidden <= SMALL else 2
        )(self._signals)

    def _signals(self, step: RecurrentStep) -> tuple[Floats, Signals]:
        said, signals, _ = self.model.answers(step.weights, self.inputs)
        answers: Floats = LOSSES[self.task.loss].output(said[0])
        return answers, signals

    def reach(self, step: RecurrentStep) -> Floats:
        """Return how strongly the last error hangs on the input so many steps back, as a share of the strongest."""
        last = int(np.flatnonzero(self.mask)[-1]) + 1
        lengths = self.model.reach(
            step.weights, self.inputs[:, :last], self.targets[:, :last], self.task.loss
        )[::-1]
        top = float(lengths.max())
        shares: Floats = lengths / top if top > 0 else lengths
        return shares
