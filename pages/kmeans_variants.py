import ui  # noqa
