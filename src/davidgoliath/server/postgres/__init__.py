"""The store in PostgreSQL, for any number of servers at once. It is imported only if an address asks for it."""
