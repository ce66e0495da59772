"""The reach of the last error in an Elman network, an LSTM and a NARX network of the same data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from dmlib.arrays import Floats
from dmlib.neural.rnn.algorithm import LSTM, NARX, ElmanNetwork
from dmlib.neural.rnn.network import RecurrentNetwork
from dmlib.neural.rnn.sequence_view import SequenceView
from dmlib.pictures.figures.style import SYMBOLS, class_color, finish
from dmlib.pictures.run import Run
from dmlib.problem.sequences import SequencesProblem

KINDS: dict[str, type[RecurrentNetwork]] = {"Elman": ElmanNetwork, "LSTM": LSTM, "NARX": NARX}
MIN_EFFECT = 1e-8
HEIGHT = 380  # pixels


@dataclass(frozen=True)
class Memory:
    """Effects of earlier inputs on the last error, as shares of the largest.

    Attributes
    ----------
    reaches : dict of str to ndarray of shape (n_steps,)
        By network, 0, 1, 2, ... steps back.
    errors : dict of str to float
        The test error of each.
    """

    reaches: dict[str, Floats]
    errors: dict[str, float]


def memory_data(
    run: Run[SequencesProblem, RecurrentNetwork], progress: Callable[[str], None] = lambda _: None
) -> Memory:
    """Fit all three networks, with the parameters of the run that each has.

    ``progress`` is called with the name of each.
    """
    data = run.problem.arguments
    params = run.model.get_params()
    reaches, errors = {}, {}
    for name, kind in KINDS.items():
        names = kind().get_params()
        model = kind(**{key: value for key, value in params.items() if key in names})
        steps = list(model.steps(*data))
        reaches[name] = SequenceView.of(model, data, {"sequence": 1, "look": 1}).reach(steps[-1])
        errors[name] = steps[-1].test_error
        progress(name)
    return Memory(reaches, errors)


def plot_memory(data: Memory) -> go.Figure:
    """Draw the effect of each input on the last error by the number of steps back."""
    figure = go.Figure()
    for code, (name, reach) in enumerate(data.reaches.items()):
        y = np.where(reach > MIN_EFFECT, reach, np.nan)
        figure.add_scatter(
            x=np.arange(len(reach)),
            y=y,
            mode="lines+markers",
            name=name,
            line={"width": 2, "color": class_color(figure, code)},
            marker={"symbol": SYMBOLS[code]},
            hovertemplate=(
                f"{name}<br>%{{x}} steps back<br>%{{y:.3g}} of the largest effect<extra></extra>"
            ),
        )
    figure.update_xaxes(title="steps back")
    figure.update_yaxes(title="effect, share of the largest", type="log")
    errors = ", ".join(f"{name} {error:.3g}" for name, error in data.errors.items())
    derivative = "The derivative of the last error by the input so many steps back"
    note = f"{derivative}. Where a curve ends there is none."
    figure = finish(figure, f"After learning. Test errors: {errors}.", note, HEIGHT)
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom"}
    return figure.update_layout(showlegend=True, legend=legend)
