"""The data alone, of every kind: the panel that a scene starts from, and the scene of data that nothing was run on."""

from dmlib.pictures.data.first import first_scene

__all__ = ["first_scene"]
