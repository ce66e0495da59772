"""Answers to questions: which ones are right, and what the stage needs to take one.

What a learner gives travels as JSON: a whole number for an option, a list of two numbers for a
place, and so on. Nothing of it is trusted.
"""

from dmlib.pictures.answers.answer import Answer, accepts
from dmlib.pictures.answers.chosen import MAX_OPTIONS, Option, Order, Pick
from dmlib.pictures.answers.drawn import REACH, Angle, Place
from dmlib.pictures.answers.typed import Value

__all__ = [
    "MAX_OPTIONS",
    "REACH",
    "Angle",
    "Answer",
    "Option",
    "Order",
    "Pick",
    "Place",
    "Value",
    "accepts",
]
