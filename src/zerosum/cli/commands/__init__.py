"""One module per command, named after it; app.py loads the one that is called."""
