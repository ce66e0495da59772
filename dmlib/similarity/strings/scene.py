"""Strings as a picture: an alignment with its table, or a kernel with its sliding window."""

from __future__ import annotations

from typing import Any

from dmlib.pictures.data import first_scene
from dmlib.pictures.run import Run
from dmlib.pictures.scene import Scene
from dmlib.problem import TextsProblem
from dmlib.similarity.strings.alignment_scene import alignment_scene
from dmlib.similarity.strings.kernel_scene import kernel_scene
from dmlib.similarity.strings.string_kernel import StringKernel


def strings_scene(run: Run[TextsProblem, Any]) -> Scene:
    """Draw a run on strings.

    Parameters
    ----------
    run : Run
        Steps of :class:`dmlib.similarity.StringAlignment` or
        :class:`dmlib.similarity.StringKernel`.

    Returns
    -------
    Scene
        Its frames; of very many, some.

    Examples
    --------
    >>> from dmlib.problem import prepare_texts
    >>> from dmlib.similarity import StringAlignment
    >>> scene = strings_scene(Run.of(prepare_texts(["a", "b"]), StringAlignment()))
    >>> [frame.phase for frame in scene.frames]
    ['start', 'cell', 'cell', 'cell', 'trace', 'trace', 'done']
    """
    steps = run.trace.steps
    if not steps or steps[-1].phase != "done":
        return first_scene(run.problem)
    return kernel_scene(run) if isinstance(run.model, StringKernel) else alignment_scene(run)
