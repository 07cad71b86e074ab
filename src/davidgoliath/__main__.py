"""`python -m davidgoliath`."""

import sys

from davidgoliath.cli import main

sys.exit(main())
