"""Each page's question put to a library, one file per page: for the check on the page and the exported code."""
