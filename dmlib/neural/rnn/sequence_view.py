"""One sequence in a recurrent network: its signals with the weights of an epoch."""

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

N_CACHED = 128  # epochs whose signals are cached
MAX_SIGNALS = 5000  # steps times units; of longer sequences hardly any are cached


@dataclass(frozen=True, eq=False)
class SequenceView:
    """One sequence: the training part of a series, or one that is held out.

    Attributes
    ----------
    model : RecurrentNetwork
        The network, not fitted.
    task : Task
        Its task.
    sequence : int
        The number of the held-out sequence, from 0.
    t : int
        The step whose arithmetic is shown, from 0.
    """

    model: RecurrentNetwork
    task: Task
    sequence: int
    t: int

    @classmethod
    def of(
        cls, model: RecurrentNetwork, data: Sequence[Any], options: Mapping[str, Any]
    ) -> SequenceView:
        """Return the sequence and the step of the options; a number beyond the data is the last."""
        task = model.task(*data)
        inputs, _, mask = task.sequences
        sequence = min(options["sequence"], len(inputs)) - 1
        n_steps = inputs.shape[1]
        if task.loss == "log_loss":
            n_steps = int(mask[sequence].sum())
        return cls(model, task, sequence, min(options["look"], n_steps) - 1)

    @cached_property
    def inputs(self) -> Floats:
        """The inputs of the sequence, shape (1, n_steps, n_inputs)."""
        inputs: Floats = self.task.sequences[0][[self.sequence]]
        return inputs

    @cached_property
    def targets(self) -> Floats:
        """Its targets, shape (1, n_steps, n_outputs)."""
        targets: Floats = self.task.sequences[1][[self.sequence]]
        return targets

    @cached_property
    def mask(self) -> Floats:
        """1 for steps with a target, shape (n_steps,)."""
        mask: Floats = self.task.sequences[2][self.sequence]
        return mask

    @cached_property
    def signals(self) -> Callable[[RecurrentStep], tuple[Floats, Signals]]:
        """Step -> outputs, of symbols probabilities, shape (n_steps, n_outputs); and signals."""
        is_small = self.inputs.shape[1] * self.model.n_hidden <= MAX_SIGNALS
        return lru_cache(maxsize=N_CACHED if is_small else 2)(self._signals)

    def _signals(self, step: RecurrentStep) -> tuple[Floats, Signals]:
        sums, signals, _ = self.model.answers(step.weights, self.inputs)
        return LOSSES[self.task.loss].output(sums[0]), signals

    def reach(self, step: RecurrentStep) -> Floats:
        """Return the effect of the input so many steps back on the last error, up to 1."""
        last = int(np.flatnonzero(self.mask)[-1]) + 1
        X, Y = self.inputs[:, :last], self.targets[:, :last]
        effects = self.model.reach(step.weights, X, Y, self.task.loss)[::-1]
        largest = float(effects.max())
        return effects / largest if largest > 0 else effects
