"""The words of the field, from assets/glossary.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache

from dashboard.catalogue import ASSETS, ENTRIES, Entry
from dashboard.presets import slug_of
from dashboard.search import begins, has_words, is_phrase, words_of


@dataclass(frozen=True)
class Term:
    """A word of the field.

    Attributes
    ----------
    name : str
        The word.
    text : str
        One plain sentence.
    also : tuple of str
        Its other names.
    differs : str
        Where courses mean different things by it; empty where they agree.
    pages : tuple of str
        The slugs of the pages that show it.
    """

    name: str
    text: str
    also: tuple[str, ...] = ()
    differs: str = ""
    pages: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """Its name as links and anchors write it."""
        return slug_of(self.name)

    @property
    def names(self) -> tuple[str, ...]:
        """All its names."""
        return self.name, *self.also

    @property
    def entries(self) -> list[Entry]:
        """The pages that show it."""
        return [ENTRIES[slug] for slug in self.pages]

    @property
    def letter(self) -> str:
        """The letter under which it stands."""
        return self.name[0].upper()


@lru_cache(maxsize=1)
def terms() -> tuple[Term, ...]:
    """Return all terms, in the order of the alphabet."""
    entries = tomllib.loads((ASSETS / "glossary.toml").read_text("utf-8"))["term"]
    return tuple(
        Term(
            entry["name"],
            entry["text"],
            tuple(entry.get("also", ())),
            entry.get("differs", ""),
            tuple(entry["pages"]),
        )
        for entry in entries
    )


def terms_named(search: str) -> list[Term]:
    """Return the terms that have this name, or a name that begins so, the best first.

    Examples
    --------
    >>> [terms_named(text)[0].name for text in ("Sensitivity", "kappa statistic", "feature")]
    ['recall', 'kappa', 'attribute']
    """
    query = words_of(search)
    exact = [term for term in terms() if any(is_phrase(name, query) for name in term.names)]
    near = [term for term in terms() if any(begins(name, query) for name in term.names)]
    return list(dict.fromkeys(exact + near))


def terms_about(search: str) -> list[Term]:
    """Return the terms that have all words of a search in their names or texts, the best first."""
    query = words_of(search)
    within = [
        term
        for term in terms()
        if has_words(" ".join((*term.names, term.text, term.differs)), query)
    ]
    return list(dict.fromkeys(terms_named(search) + within))


def terms_of(slug: str) -> list[Term]:
    """Return the terms that a page shows."""
    return [term for term in terms() if slug in term.pages]
