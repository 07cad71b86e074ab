"""Tables in PostgreSQL, for several servers."""
