"""The run that a page shows, within a budget, or the sentence that refuses it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dashboard.data.kind import Chosen
from dashboard.estimators import new
from dashboard.opening import Opening
from dashboard.panel import Panel, PanelForm
from dashboard.results import results
from dashboard.runs import ANSWER, answering, trace_of
from dashboard.tools.ask import POINT, POINTS
from dashboard.tools.tool import Page
from dmlib.params import Choice
from dmlib.pictures.motion import computed
from dmlib.pictures.regions import DRAFT, FINE
from dmlib.pictures.run import AnyRun, Run
from dmlib.pictures.scene import Frame, Scene
from dmlib.problem import with_names
from dmlib.trace import OutOfTime, Trace

"""Numbers of rows that can be selected."""


@dataclass(frozen=True)
class Outcome:
    """A run, or why there is none.

    Attributes
    ----------
    run : Run or None
        The run; None if it is refused.
    scene : Scene
        Its picture; of a refusal, the data with a sentence.
    key : str
        Of the run; empty without one.
    reason : str
        Why the run ended early.
    """

    run: AnyRun | None
    scene: Scene
    key: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Computation:
    """The run of a page on its data.

    Attributes
    ----------
    page : Page
        The page with its parameters.
    options : mapping of str to object
        Settings of the picture.
    data : Chosen
        The data.
    moving : str or None
        The parameter that is being moved.
    opening : Opening or None
        What all visitors share, if this may be what the page opens with.
    fine_key : str
        The key of the run whose image of the plane is to be fine.
    budget : float
        The share of the usual time that the picture may take.
    """

    page: Page
    options: Mapping[str, Any]
    data: Chosen
    moving: str | None
    opening: Opening | None
    fine_key: str
    budget: float = 1.0

    def outcome(self, panel: Panel) -> Outcome:
        """Run the algorithm; add to the panel what the run asks for.

        A refusal is the scene's caption: a message above the stage would push it down while the
        reader draws on it.
        """
        picture, problem = self.data.kind.picture, self.data.problem
        if problem is None:
            return Outcome(None, picture(None, self.data.refusal))
        refusal = self._refusal()
        if refusal:
            return Outcome(None, picture(problem, refusal))
        try:
            return self._answer(panel)
        except (ValueError, OutOfTime) as error:
            return Outcome(None, picture(problem, with_names(str(error), problem)))

    def _refusal(self) -> str:
        page = self.page
        refusals = (tool.refusal(page) for tool in page.technique.tools)
        by_tools = next(filter(None, refusals), "")
        return by_tools or self.data.kind.refusal(self.data.problem, page.params)

    def _answer(self, panel: Panel) -> Outcome:
        page, problem, technique = self.page, self.data.problem, self.page.technique
        estimator = new(page.algorithm, page.params, page.form.seed)
        key, trace = trace_of(
            page.memory, estimator, *problem.training.arguments, moving=self.moving
        )
        # Of a run that is continued, what was drawn before says too little
        key += f" {len(trace.steps)}"
        run = page.memory.resume(self._run(trace, key, panel), key)
        seconds = ANSWER * self.budget
        with answering("The picture of this run", self.data.kind.advice, seconds):
            scene = self._scene(run, key)
            # The numbers of the end are computed here, where they can be stopped.
            results(technique, run, [Frame("")])
            return Outcome(run, scene, key, trace.reason)

    def _scene(self, run: AnyRun, key: str) -> Scene:
        """Return the picture of a run, from the opening if it is there; whole, at rest."""
        opening, technique, code = self.opening, self.page.technique, self.data.code
        if self.moving is not None:
            return technique.scene(run)
        shared = opening.picture(code, key) if opening is not None else None
        scene = shared or computed(technique.scene(run))
        if opening is not None:
            opening.keep(code, key, run, scene, self.page.on_data)
        return scene

    def _run(self, trace: Trace[Any], key: str, panel: Panel) -> AnyRun:
        """Return the run with all that the reader asks of it."""
        page, problem, form = self.page, self.data.problem, self.page.form
        row = form.value(POINT, POINTS.parse, 0) - 1
        selected: int | None = row if row >= 0 else None
        if page.technique.selects == "row" and selected is not None:
            matches = np.flatnonzero(np.equal(problem.rows, row))
            selected = int(matches[0]) if len(matches) else None
        restart = self._restart(trace, panel)
        queries = (tool.query(page, selected) for tool in page.technique.tools)
        return Run(
            problem,
            trace,
            selected,
            restart,
            self.options,
            next(filter(None, queries), None),
            FINE if key == self.fine_key else DRAFT,
            moving=self.moving is not None,
            table=self.data.table,
            table_code=self.data.table_code,
        )

    def _restart(self, trace: Trace[Any], panel: Panel) -> int | None:
        """Let the reader choose which of several restarts is in view."""
        restarts = {getattr(step, "restart", 0) for step in trace.steps}
        if len(restarts) < 2:
            return None
        names = {"best": "the best", **{str(i + 1): str(i + 1) for i in sorted(restarts)}}
        form = self.page.form
        assert isinstance(form, PanelForm)
        with form.part() as part:
            number = form.control(
                self.page.key("restart"),
                Choice(tuple(names)),
                "best",
                label="Restart shown",
                names=names,
            )
        panel.extend(part)
        return None if number == "best" else int(number) - 1
