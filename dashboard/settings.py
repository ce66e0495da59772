"""Settings of a page as a value: read from a link, and written to one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from urllib.parse import urlencode

Texts = Mapping[str, tuple[str, ...]]
"""Names in a link, each with its texts; most have one."""

COURSE, LECTURE = "course", "lecture"
"""Names in a link of the course by which the visitor came, and of the number of the lecture."""
EMBED = "embed"
"""Name in a link that shows the stage alone, in a page of somebody else."""
NO_SETTINGS = frozenset(
    {"hide", "practice", "predict", "projector", "questions", "step", "upload", "prepared"}
    | {COURSE, LECTURE, EMBED}
)
"""Names in a link that are no settings: a page opens the same with them."""
OPENING = "opening"
"""In the link of a page that opens with other settings than its defaults: that all are at their
defaults."""
STEP = "step"
PIN = "pin"
"""The page and the settings of a run that is pinned."""
LAST_FRAME = 100_000
"""A frame beyond all others."""
FORMER_TEXTS = {"svm.method": {"SVC: a price C": "C-SVM", "NuSVC: a share ν": "ν-SVM"}}
"""By name: texts of earlier links, and how they are written today."""
EMPTY: Texts = MappingProxyType({})


@dataclass(frozen=True)
class Jump:
    """A move of the player by the page.

    Attributes
    ----------
    at : int
        The frame.
    serial : int
        The number of the move: the stage follows when it changes.
    """

    at: int = LAST_FRAME
    serial: int = 0


@dataclass(frozen=True)
class Settings:
    """Settings of a page.

    Attributes
    ----------
    texts : mapping of str to tuple of str
        By the name in a link, what differs from the defaults.
    opening : mapping of str to tuple of str
        What the page opens with, where its link has no settings.
    jump : Jump
        Where the page has moved the player last.
    revisions : mapping of str to int
        Of what is edited on the stage, by name: the revision that it answers.

    Examples
    --------
    >>> settings = Settings.from_query({"kmeans.n_clusters": ["3"]})
    >>> settings.text("kmeans.n_clusters")
    '3'
    >>> settings.with_text("seed", "7").query()
    {'kmeans.n_clusters': ['3'], 'seed': ['7']}
    >>> settings.without("kmeans.n_clusters").query()
    {}
    """

    texts: Texts = field(default_factory=dict)
    opening: Texts = field(default_factory=dict)
    jump: Jump = Jump()
    revisions: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_query(
        cls,
        query: Mapping[str, Iterable[str]],
        opening: Mapping[str, Iterable[str]] = EMPTY,
        carried: Texts = EMPTY,
    ) -> Settings:
        """Read the settings of a page from its link.

        Parameters
        ----------
        query : mapping of str to iterable of str
            What the link says.
        opening : mapping of str to iterable of str
            What the page opens with, where the link has no settings.
        carried : mapping of str to tuple of str
            Settings of the session, which hold where the link says nothing.
        """
        texts = {name: _current(name, values) for name, values in query.items()}
        first = {name: tuple(values) for name, values in opening.items()}
        is_open = not first.keys() <= NO_SETTINGS and not has_settings(texts)
        texts.pop(OPENING, None)
        all_texts = (first if is_open else {}) | dict(carried) | texts
        return cls(all_texts, first, Jump(_frame(all_texts.get(STEP, ()))))

    def get(self, name: str) -> tuple[str, ...]:
        """Return all texts of a name; none where it has its default."""
        return self.texts.get(name, ())

    def text(self, name: str) -> str | None:
        """Return the text of a name, or None where it has its default."""
        return next(iter(self.get(name)), None)

    def with_text(self, name: str, *texts: str) -> Settings:
        """Return settings in which a name has these texts; without any, its default."""
        if self.get(name) == texts:
            return self
        return replace(
            self, texts={name_: text for name_, text in {**self.texts, name: texts}.items() if text}
        )

    def written_as(self, name: str, *texts: str) -> Settings:
        """Return settings in which a name has these texts, which mean the same as those it has.

        What the page opens with is written so as well.
        """
        before = self.get(name)
        settings = self.with_text(name, *texts)
        if before == texts or self.opening.get(name) != before:
            return settings
        opening = {key: text for key, text in {**self.opening, name: texts}.items() if text}
        return replace(settings, opening=opening)

    def without(self, *names: str) -> Settings:
        """Return settings in which these names have their defaults."""
        texts = {name: text for name, text in self.texts.items() if name not in names}
        return replace(self, texts=texts) if len(texts) < len(self.texts) else self

    def at_frame(self, frame: int = LAST_FRAME) -> Settings:
        """Return settings in which the player is moved to a frame."""
        text = () if frame >= LAST_FRAME else (str(frame),)
        jump = Jump(min(frame, LAST_FRAME), self.jump.serial + 1)
        return replace(self.with_text(STEP, *text), jump=jump)

    def with_revision(self, name: str, revision: int) -> Settings:
        """Return settings that answer a revision of what is edited on the stage."""
        return replace(self, revisions={**self.revisions, name: revision})

    def query(self, names: Iterable[str] | None = None) -> dict[str, list[str]]:
        """Return what a link says of these settings: nothing, as long as the page is as it opens.

        Parameters
        ----------
        names : iterable of str, optional
            The names that the page has; those of other pages are left out.
        """
        page_names = self.texts if names is None else set(names)
        link = {name: list(texts) for name, texts in self.texts.items() if name in page_names}
        settings = {name: tuple(texts) for name, texts in link.items() if name not in NO_SETTINGS}
        no_settings = {
            name: texts
            for name, texts in link.items()
            if name in NO_SETTINGS and self.opening.get(name) != tuple(texts)
        }
        if not self.opening:
            return link
        if settings == self._opening_settings:
            return no_settings
        return link if settings else {**no_settings, OPENING: ["defaults"]}

    @property
    def is_as_opened(self) -> bool:
        """Whether they are those with which the page opens."""
        texts = {name: text for name, text in self.texts.items() if name not in NO_SETTINGS}
        return texts == self._opening_settings

    @property
    def _opening_settings(self) -> Texts:
        return {name: text for name, text in self.opening.items() if name not in NO_SETTINGS}


def has_settings(texts: Mapping[str, object]) -> bool:
    """Return whether a link has settings, and not only what a page is shown with.

    Examples
    --------
    >>> has_settings({"projector": ["true"]}), has_settings({"seed": ["1"]})
    (False, True)
    """
    return not texts.keys() <= NO_SETTINGS


def pin_text(slug: str, link: Mapping[str, Iterable[str]]) -> str:
    """Return the text of a link that pins a page with the settings of a link.

    Examples
    --------
    >>> pin_text("kmeans", {"kmeans.n_clusters": ["5"], "seed": ["1"]})
    'kmeans?kmeans.n_clusters=5&seed=1'
    """
    return f"{slug}?{urlencode(link, doseq=True)}"


def _frame(texts: tuple[str, ...]) -> int:
    """Return the frame of a link; the last where it names none."""
    text = next(iter(texts), "")
    is_number = text.isascii() and text.isdecimal() and len(text) < len(str(LAST_FRAME))
    return int(text) if is_number else LAST_FRAME


def _current(name: str, texts: Iterable[str]) -> tuple[str, ...]:
    former = FORMER_TEXTS.get(name, {})
    return tuple(former.get(text, text) for text in texts)
