"""A table as a value: its events, what may happen next, and what that does. No store, socket or clock."""
