"""What an assistant plays at: its own matches, tables of servers, and games of a folder."""
