"""What developers run: `./dg test`, `./dg bench`, `./dg mutate`, `./dg docs`, `./dg lock`. Not in the wheel."""
