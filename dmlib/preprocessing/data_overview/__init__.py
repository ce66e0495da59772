"""Meet your data: types of columns, their quality, centre and spread."""
