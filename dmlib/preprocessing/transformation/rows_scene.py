"""Colours of rows that are sampled or grouped, and the number of frames of their pictures."""

from __future__ import annotations

import numpy as np

from dmlib.arrays import Bytes
from dmlib.pictures.marks import NO_CLASS
from dmlib.problem import Problem

MAX_FRAMES, MIN_FRAMES = 60, 6
MAX_PLACES = 30_000  # rows times frames
FAINT, CLEAR = 0.25, 1.0  # opacity


def max_frames(problem: Problem) -> int:
    """Return the most frames of a picture of all rows."""
    return max(MIN_FRAMES, min(MAX_FRAMES, MAX_PLACES // len(problem.X)))


def class_colors(problem: Problem) -> Bytes:
    """Return the colours of the rows by their classes."""
    if problem.y is None or not problem.classes:
        return np.full(len(problem.X), NO_CLASS, np.uint8)
    return np.asarray(problem.y, np.uint8)


def sample_color(problem: Problem) -> int:
    """Return the colour of a sample or a group: that after the last class."""
    return len(problem.classes) if problem.classes and problem.y is not None else 0
