"""The search for pages: words, beginnings of words, other spellings, synonyms and near misses."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from difflib import get_close_matches
from functools import lru_cache

from dashboard.catalogue import ASSETS, ENTRIES, Entry
from dashboard.presets import CAUSES

_FILE = tomllib.loads((ASSETS / "search.toml").read_text("utf-8"))
NOT_HERE: dict[str, list[str]] = _FILE["not_here"]
"""What has no page, and the pages that are nearest to it."""
SYNONYMS: dict[str, list[str]] = _FILE["synonyms"] | NOT_HERE
"""What pages are also looked for as, and these pages, the nearest first."""

SPELLINGS = (
    (r"is(e|ed|es|er|ers|ing|ation|ations)$", r"iz\1"),
    (r"yse(d|s|r|rs)?$", r"yze\1"),
    (r"our(s|ed|ing|hood|hoods)?$", r"or\1"),
    (r"tre(s|d)?$", r"ter\1"),
    (r"ll(ed|ing)$", r"l\1"),
)
"""British endings and what they are in American spelling."""
LONG = 3  # letters from which on a beginning means a name
CLOSE = 0.65  # likeness of names, as difflib measures it, from which on one may mean the other
JOINED = 3  # words that may be written as one: k-means and kmeans, bag of words and bagofwords


def matching(search: str) -> list[Entry]:
    """Return the pages that hold every word of the search, or are meant by it, the best first.

    Examples
    --------
    >>> [matching(text)[0].slug for text in ("kmeans", "K means", "neighbor", "principal comp")]
    ['kmeans', 'kmeans', 'knn', 'pca']
    >>> [matching(text)[0].slug for text in ("p-value", "XGBoost", "neural net")]
    ['linear_regression', 'adaboost', 'mlp']
    """
    query = words_of(search)
    ranks = {
        slug: rank for slug, entry in ENTRIES.items() if (rank := _rank(entry, query)) is not None
    }
    # A page stands where its best rank puts it; the pages of one synonym in their order.
    places = {slug: (rank, 0) for slug, rank in ranks.items()}
    for name, slugs in SYNONYMS.items() if query else ():
        rank = SYNONYM if is_phrase(name, query) else SYNONYM_BEGINS
        if rank == SYNONYM or begins(name, query):
            for place, slug in enumerate(slugs):
                places[slug] = min(places.get(slug, (rank, place)), (rank, place))
    return [ENTRIES[slug] for slug in sorted(places, key=lambda slug: places[slug])]


def absent(search: str) -> str:
    """Return the name of what has no page but is looked for; empty if there is none.

    Examples
    --------
    >>> absent("tsne"), absent("xgb"), absent("k-means")
    ('t-SNE', 'XGBoost', '')
    """
    query = words_of(search)
    exact = (name for name in NOT_HERE if is_phrase(name, query))
    if any(_rank(entry, query) is not None for entry in ENTRIES.values()):
        return next(exact, "")
    return next(exact, "") or next((name for name in NOT_HERE if begins(name, query)), "")


def nearest(search: str, n_pages: int = 3) -> list[Entry]:
    """Return pages whose names are spelled alike, or that one of the words finds.

    Examples
    --------
    >>> [nearest(text)[0].slug for text in ("suport vectr machine", "apiori", "svm tutorial")]
    ['svm', 'apriori', 'svm']
    """
    query = words_of(search)
    names = {"".join(_forms(name)[0]): slugs for name, slugs in SYNONYMS.items()}
    names |= {"".join(_forms(entry.title)[0]): [slug] for slug, entry in ENTRIES.items()}
    close = get_close_matches("".join(query), names, n_pages, CLOSE)
    entries = [ENTRIES[slug] for name in close for slug in names[name]]
    for word in query:
        if len(word) >= LONG:
            entries += matching(word)[:n_pages]
    return list(dict.fromkeys(entries))[:n_pages]


def matching_causes(search: str) -> list[str]:
    """Return the causes of failures that a search names.

    Examples
    --------
    >>> [matching_causes(text) for text in ("outliers", "imbalanced", "k-means")]
    [['outliers'], ['imbalance'], []]
    """
    query = words_of(search)
    if len("".join(query)) < LONG:
        return []
    return [cause for cause, words in CAUSES.items() if _has_phrase(f"{cause}. {words}", query)]


SYNONYM, SYNONYM_BEGINS = 1, 5
"""Ranks of a synonym, and of the beginning of one: between those of ``_rank``."""


def _rank(entry: Entry, query: list[str]) -> int | None:
    """Return how well a page fits, 0 for best; None if it does not.

    The search as one phrase is better than its words here and there; the title is better than what
    else is said.
    """
    everything = f"{entry.title}. {entry.family}. {entry.words}. {entry.summary}"
    tests: tuple[tuple[int, Callable[[str, list[str]], bool], str], ...] = (
        (0, is_phrase, entry.title),
        (2, begins, entry.title),
        (3, _has_phrase, entry.title),
        (4, has_words, entry.title),
        (6, _has_phrase, f"{entry.words}. {entry.family}"),
        (7, _has_phrase, everything),
        (8, has_words, everything),
    )
    return next((rank for rank, test, text in tests if test(text, query)), None)


def is_phrase(text: str, query: list[str]) -> bool:
    """Return whether a text is the query, written apart or as one, in the plural or not."""
    return "".join(_forms(text)[1]).removesuffix("s") == _american_phrase(query).removesuffix("s")


def begins(text: str, query: list[str]) -> bool:
    """Return whether a text begins with the query, which is long enough to mean it."""
    phrase = _american_phrase(query)
    return len(phrase) >= LONG and "".join(_forms(text)[1]).startswith(phrase)


def has_words(text: str, query: list[str]) -> bool:
    """Return whether all words of the query begin a word of a text."""
    return all(_has_phrase(text, [word]) for word in query)


def _has_phrase(text: str, query: list[str]) -> bool:
    """Return whether words begin in a text, written apart, with hyphens or as one."""
    if not query:
        return True
    longest = max(JOINED, len(query))
    phrases = "".join(query), _american_phrase(query)
    for phrase, words in zip(phrases, _forms(text), strict=True):
        # "means" is no beginning of "mean shift": a single letter of the next word is an ending.
        plurals = {phrase[:-1]} if len(query) == 1 and len(phrase) > 2 else set()
        places = [i for i, word in enumerate(words) if word not in plurals]
        if any("".join(words[i : i + longest]).startswith(phrase) for i in places):
            return True
    return False


@lru_cache(maxsize=1000)
def _forms(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a text of ours, as they are written and in American spelling."""
    words = words_of(text)
    return words, [_american(word) for word in words]


def _american_phrase(words: list[str]) -> str:
    return "".join(map(_american, words))


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters."""
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
