"""The public functions and classes of dmlib, and the pages that document them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import dmlib
from dashboard.catalogue import CATALOGUE
from dashboard.technique import technique_of

PREFIX = "api."
"""Of the names that its pages have in the list of an edition and in its folder of data."""


@dataclass(frozen=True)
class PublicObject:
    """A function or class that a package of dmlib exports.

    Attributes
    ----------
    name : str
        Its name.
    package : str
        The package from which it is imported.
    value : type or callable
        The function or class.
    """

    name: str
    package: str
    value: Any

    @property
    def page(self) -> str:
        """The page that documents it: its technique's, else its family's.

        Examples
        --------
        >>> [each.page for each in public_objects() if each.name in ("KMeans", "play")]
        ['playback', 'clustering.kmeans', 'large']
        """
        _, family, *modules = self.value.__module__.split(".")
        return f"{family}.{modules[0]}" if len(modules) > 1 else family

    @property
    def address(self) -> str:
        """The address of its description, beside those of others."""
        return f"{self.page}.html#{self.name}"

    @property
    def is_estimator(self) -> bool:
        """Whether it is an estimator that yields steps."""
        is_class = inspect.isclass(self.value)
        return is_class and hasattr(self.value, "steps") and hasattr(self.value, "fit")


@lru_cache(maxsize=1)
def public_objects() -> tuple[PublicObject, ...]:
    """Return all public functions and classes, package by package."""
    stubs = sorted(Path(dmlib.__path__[0]).glob("*/__init__.pyi"))
    families = [import_module(f"dmlib.{stub.parent.name}") for stub in stubs]
    return tuple(
        PublicObject(name, module.__name__, getattr(module, name))
        for module in (dmlib, *families)
        for name in module.__all__
    )


def objects_of(page: str) -> list[PublicObject]:
    """Return what a page documents: estimators, functions, then records, as a reader needs them."""
    objects = [each for each in public_objects() if each.page == page]
    return sorted(objects, key=lambda each: (not each.is_estimator, inspect.isclass(each.value)))


def slugs_of_models(slugs: Sequence[str]) -> Mapping[Any, str]:
    """Return the classes whose runs techniques show, each with the first of these techniques."""
    return {
        model: slug for slug in reversed(slugs) for model in technique_of(slug).methods.values()
    }


def pages_of(slugs: Sequence[str]) -> list[str]:
    """Return the pages that document classes of techniques; of all techniques, all pages.

    Examples
    --------
    >>> pages_of(["kmeans"])
    ['clustering.kmeans']
    """
    models = slugs_of_models(slugs)
    is_all = len(slugs) == len(CATALOGUE)
    pages = [each.page for each in public_objects() if is_all or each.value in models]
    return list(dict.fromkeys(pages))
