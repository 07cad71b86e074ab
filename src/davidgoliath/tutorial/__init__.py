"""The lessons of the tutorial: positions, aims, and what follows from each card."""
