"""Tables in a file."""
