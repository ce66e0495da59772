"""The map from what one has and wants to the techniques that answer it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from dashboard.catalogue import ASSETS
from dashboard.examples import Example, example
from dashboard.traits import all_traits

Answers = Mapping[str, str]
"""The answer to each question that has one, by its name."""


@dataclass(frozen=True)
class Question:
    """A question of the map, with its answers by their names in a link."""

    name: str
    title: str
    answers: Mapping[str, str]


@dataclass(frozen=True)
class Leaf:
    """A family of techniques, and the answers that lead to it.

    Attributes
    ----------
    family, text : str
        Its name, and a sentence or two.
    answers : mapping of str to tuple of str
        By question the answers that fit.
    examples : tuple of Example
        Its techniques, each with data of that kind.
    """

    family: str
    text: str
    answers: Mapping[str, tuple[str, ...]]
    examples: tuple[Example, ...]

    def fits(self, answers: Answers) -> bool:
        """Return whether some answers lead here; a question without one leaves all open."""
        return all(answer in self.answers[name] for name, answer in answers.items())


@dataclass(frozen=True)
class Item:
    """A word of a section, in a sentence or two, with examples."""

    name: str
    text: str
    examples: tuple[Example, ...]


@dataclass(frozen=True)
class Section:
    """A section below the map."""

    title: str
    text: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class ProblemMap:
    """Questions, leaves, and the sections below them."""

    questions: tuple[Question, ...]
    leaves: tuple[Leaf, ...]
    sections: tuple[Section, ...]

    def answers(self, link: Mapping[str, str]) -> dict[str, str]:
        """Return the answers in a link; what is none is left out, and what leads nowhere.

        Examples
        --------
        >>> problem_map().answers({"data": "table", "want": "guess", "target": "class"})
        {'data': 'table', 'target': 'class'}
        """
        answers: dict[str, str] = {}
        for question in self.questions:
            answer = link.get(question.name)
            if answer is not None and self.matching({**answers, question.name: answer}):
                answers[question.name] = answer
        return answers

    def matching(self, answers: Answers) -> list[Leaf]:
        """Return the leaves to which some answers lead."""
        return [leaf for leaf in self.leaves if leaf.fits(answers)]


@lru_cache(maxsize=1)
def problem_map() -> ProblemMap:
    """Return the map of assets/problems.toml."""
    texts = tomllib.loads((ASSETS / "problems.toml").read_text("utf-8"))
    questions = tuple(Question(**values) for values in texts["question"])
    names = [question.name for question in questions]
    return ProblemMap(
        questions,
        tuple(
            Leaf(
                leaf["family"],
                leaf["text"],
                {name: tuple(leaf[name]) for name in names},
                tuple(map(example, leaf["pages"])),
            )
            for leaf in texts["leaf"]
        ),
        tuple(
            Section(
                section["title"],
                section["text"],
                tuple(
                    Item(item["name"], item["text"], tuple(map(example, _pages(item))))
                    for item in section["item"]
                ),
            )
            for section in texts["section"]
        ),
    )


def _pages(item: Mapping[str, list[str] | bool]) -> list[str]:
    """Return the pages of an item: those that it names, or all that are parametric or not."""
    pages = item.get("pages")
    if isinstance(pages, list):
        return pages
    parametric = item["parametric"]
    return [slug for slug, traits in all_traits().items() if traits.parametric == parametric]
