"""The same rules at native speed: on masks, compiled by Numba. Start with `layout`.

Importing this package costs nothing; its modules pull NumPy and Numba.
"""
