"""Data of every kind as a picture: the panel of a scene, and the scene without a run."""

from dmlib.pictures.data.first import first_scene

__all__ = ["first_scene"]
