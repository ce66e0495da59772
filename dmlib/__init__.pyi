from .playback.playback import play

__all__ = ["play"]
__version__: str
