"""Where tables are kept: what every store promises, and the stores."""
