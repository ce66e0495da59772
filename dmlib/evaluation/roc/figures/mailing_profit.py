"""Profit of a mailing over the share of the addresses that get a letter."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from dmlib.evaluation import ThresholdSweep
from dmlib.evaluation.roc.figures.lift_tenths import lift_tenths_data
from dmlib.evaluation.roc.mailing import OPTIONS, MailingCurve, mailing_of, mailing_profits
from dmlib.params import Integer, Number, Param
from dmlib.pictures.figures.style import ACCENT, MUTED, finish
from dmlib.pictures.run import Run
from dmlib.problem import Problem

COUNT = Integer(0, 10**8, shown=(0, 50_000))
MONEY = Number(0.0, 1e6, shown=(0.0, 50.0), step=0.25)
MAILING: dict[str, tuple[str, Param, Any]] = {
    "n_addresses": ("Addresses N", COUNT, OPTIONS["n_addresses"]),
    "n_responders": ("Responders MaxR", COUNT, OPTIONS["n_responders"]),
    "unit_benefit": ("Benefit of a response, UnitB", MONEY, OPTIONS["unit_benefit"]),
    "unit_cost": ("Cost of a letter, UnitCost", MONEY, OPTIONS["unit_cost"]),
}
"""Label, values and default of each setting of a mailing."""


def mailing_profit(run: Run[Problem, ThresholdSweep]) -> go.Figure:
    """Draw the profit of letters to the best scored addresses."""
    mailing = mailing_of(run.options)
    return plot_mailing_profit(mailing_profits(lift_tenths_data(run.fitted), mailing))


def plot_mailing_profit(data: MailingCurve) -> go.Figure:
    """Draw the profit over the share X of letters, with that of random addresses and the best X."""
    figure = go.Figure()
    percent = 100 * data.depth
    figure.add_scatter(
        x=percent[[0, -1]],
        y=data.profit[[0, -1]],
        mode="lines",
        line={"dash": "dash", "width": 1.5, "color": MUTED},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=percent,
        y=data.profit,
        mode="lines",
        line={"color": ACCENT},
        customdata=data.gain,
        hovertemplate=(
            "X = %{x:.1f} %<br>responders reached: %{customdata:.1%}<br>profit %{y:,.2f}"
            "<extra></extra>"
        ),
    )
    figure.add_scatter(
        x=[percent[data.best]],
        y=[data.profit[data.best]],
        mode="markers",
        marker={"symbol": "star", "size": 14, "color": ACCENT},
        hoverinfo="skip",
    )
    figure.update_xaxes(title_text="X, percent of the addresses that get a letter")
    figure.update_yaxes(title_text="profit, in money", zeroline=True)
    note = (
        "Star: the largest profit. Dashed: letters to random addresses. One more letter pays while"
        f" the lift of the addresses that it adds is above {data.mailing.worthwhile_lift:.3g}."
    )
    return finish(figure, _title(data), note, 380)


def _title(data: MailingCurve) -> str:
    mailing, best = data.mailing, data.best
    x = 100 * float(data.depth[best])
    if best == 0:
        return "Every letter to the best scored addresses loses money: write to nobody."
    benefit = f"{mailing.unit_benefit:g} · {mailing.n_responders:,} · {data.gain[best]:.4g}"
    cost = f"{mailing.unit_cost:g} · {mailing.n_addresses:,} · {x:.4g} / 100"
    return f"Best at X = {x:.4g}: {benefit} − {cost} = {data.profit[best]:,.2f}."
