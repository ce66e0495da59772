"""Made data, a module a kind: each generator shows one phenomenon."""

from dmlib.datasets.generators.baskets import planted_baskets
from dmlib.datasets.generators.generator import Generator
from dmlib.datasets.generators.registry import GENERATORS, generators, make
from dmlib.datasets.generators.strings import planted_motif

__all__ = ["GENERATORS", "Generator", "generators", "make", "planted_baskets", "planted_motif"]
