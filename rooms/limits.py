"""Bounds of rooms and rates of requests."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from time import monotonic

HOURS = 3
LIFETIME = HOURS * 3600  # seconds

MAX_ROOMS = 100
MAX_MEMBERS = 700
MAX_QUESTIONS = 60
MAX_ROUNDS = 2
MAX_STREAMS = 3000  # of a replica
TEACHER_STREAMS = 3  # of a room: the page, another tab, the connection that is not yet cut

SCENE_BYTES = 600_000
TEACHER_BYTES = 16_000
PHONE_BYTES = 4_096
ANSWER_BYTES = 200
ABOUT_BYTES = 8_000
SPEC_BYTES = 8_000
N_SCENES = 2
"""Scenes that are kept: a phone may still be fetching the one before the last."""

PROMPT_CHARACTERS = 400
TITLE_CHARACTERS = 200
NICKNAME_CHARACTERS = 24
CELL_CHARACTERS = 60
TEXT_CHARACTERS = 120
RULE_CHARACTERS = 200
N_FIELDS = 16
N_CHOICES = 40
N_PICKS = 40
N_OPTIONS = 8
N_RULES = 12
MAX_SECONDS = 3600
MIN_SECONDS = 5


GUESSES, GUESSES_PER_SECOND = 60, 0.5
"""Wrong codes, secrets and tokens of an address: at once, and a second after that."""


class Rate:
    """So many requests at once from one key, and so many a second after that.

    Parameters
    ----------
    burst : int
        Requests at once.
    per_second : float
        Requests a second that are added, up to the burst.
    max_keys : int
        Keys that are remembered; the one that was longest quiet is forgotten first.
    clock : callable
        Returns seconds.

    Examples
    --------
    >>> rate = Rate(2, 0.5, clock=lambda: 0.0)
    >>> [rate.take("phone") for _ in range(3)]
    [0.0, 0.0, 2.0]
    """

    def __init__(
        self,
        burst: int,
        per_second: float,
        max_keys: int = 10_000,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.burst = burst
        self.per_second = per_second
        self.max_keys = max_keys
        self.clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """Return the seconds until the next request of this key; 0 if it may come now."""
        return max(0.0, (1.0 - self._level(key)) / self.per_second)

    def take(self, key: str) -> float:
        """Count a request, and return 0; or the seconds that it has to wait."""
        if seconds := self.wait(key):
            return seconds
        self._buckets[key] = (self._level(key) - 1.0, self.clock())
        self._buckets.move_to_end(key)
        if len(self._buckets) > self.max_keys:
            self._buckets.popitem(last=False)
        return 0.0

    def _level(self, key: str) -> float:
        level, since = self._buckets.get(key, (self.burst, 0.0))
        return min(self.burst, level + self.per_second * (self.clock() - since))


class Rates:
    """The rates of one replica; wrong codes are counted by the store, for all replicas."""

    def __init__(self) -> None:
        self.rooms = Rate(30, 1 / 540)  # by address: fewer than MAX_ROOMS in the life of a room
        self.joins = Rate(400, 40)  # by room
        self.phone = Rate(20, 4)  # what a member says
        self.streams = Rate(10, 0.5)  # connections for events, by member
        self.teacher = Rate(60, 20)  # what a teacher does, by room
        self.scenes = Rate(8, 2)  # by room: each is fetched by all phones


def network(address: str) -> str:
    """Return what stands for one household: an IPv4 address, or 64 bits of an IPv6 address.

    Examples
    --------
    >>> network("2001:db8::1:2:3:4"), network("192.0.2.7")
    ('2001:db8::', '192.0.2.7')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> 64 << 64))
