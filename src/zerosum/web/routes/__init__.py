"""What answers each address: pages, the API and streams."""
