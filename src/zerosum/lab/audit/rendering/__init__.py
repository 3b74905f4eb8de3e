"""An audit as a document, in sentences, and as a page."""
