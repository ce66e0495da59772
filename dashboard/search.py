"""The search of the home page: words, beginnings of words, and their other spellings."""

from __future__ import annotations

import re
from collections.abc import Callable

from dashboard.catalogue import CATALOGUE, Entry

SPELLINGS = (
    (r"is(e|ed|es|er|ers|ing|ation|ations)$", r"iz\1"),
    (r"yse(d|s|r|rs)?$", r"yze\1"),
    (r"our(s|ed|ing|hood|hoods)?$", r"or\1"),
    (r"tre(s|d)?$", r"ter\1"),
    (r"ll(ed|ing)$", r"l\1"),
)
"""British endings and what they are in American spelling."""
JOINED = 3  # words that may be written as one: k-means and kmeans, bag of words and bagofwords


def matching(search: str) -> list[Entry]:
    """Return the pages that hold every word of the search, the best first.

    Examples
    --------
    >>> [matching(text)[0].slug for text in ("kmeans", "K means", "neighbor", "principal comp")]
    ['kmeans', 'kmeans', 'knn', 'pca']
    """
    ranks = {
        slug: rank
        for slug, entry in CATALOGUE.items()
        if (rank := _rank(entry, search)) is not None
    }
    return [CATALOGUE[slug] for slug in sorted(ranks, key=lambda slug: ranks[slug])]


def _rank(entry: Entry, search: str) -> int | None:
    """Return how well a page fits, 0 for best; None if it does not.

    The search as one phrase is better than its words here and there; the title is better than what
    else is said.
    """
    query = _words(search)
    everything = f"{entry.title}. {entry.family}. {entry.words}. {entry.summary}"
    tests: tuple[tuple[Callable[[str, list[str]], bool], str], ...] = (
        (_is_phrase, entry.title),
        (_has_phrase, entry.title),
        (_has_words, entry.title),
        (_has_phrase, f"{entry.words}. {entry.family}"),
        (_has_phrase, everything),
        (_has_words, everything),
    )
    return next((rank for rank, (test, text) in enumerate(tests) if test(text, query)), None)


def _is_phrase(text: str, query: list[str]) -> bool:
    return _words(text) == query


def _has_words(text: str, query: list[str]) -> bool:
    return all(_has_phrase(text, [word]) for word in query)


def _has_phrase(text: str, query: list[str]) -> bool:
    """Return whether words begin in a text, written apart, with hyphens or as one."""
    if not query:
        return True
    for spelling in (str, _american):
        phrase = "".join(map(spelling, query))
        words = [spelling(word) for word in _words(text)]
        longest = max(JOINED, len(query))
        # "means" is no beginning of "mean shift": a single letter of the next word is an ending.
        plurals = {phrase[:-1]} if len(query) == 1 and len(phrase) > 2 else set()
        places = [i for i, word in enumerate(words) if word not in plurals]
        if any("".join(words[i : i + longest]).startswith(phrase) for i in places):
            return True
    return False


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def _american(word: str) -> str:
    """Return a word in American spelling.

    Examples
    --------
    >>> [_american(word) for word in ("regularisation", "neighbours", "centre", "labelled")]
    ['regularization', 'neighbors', 'center', 'labeled']
    """
    for ending, american in SPELLINGS:
        word = re.sub(ending, american, word)
    return word
