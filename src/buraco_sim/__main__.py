"""`python -m buraco_sim` is the command `buraco`."""

import sys

from buraco_sim.cli import main

if __name__ == "__main__":
    sys.exit(main())
