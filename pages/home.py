import ui

ui.home()
