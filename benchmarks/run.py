"""Run the benchmarks; `./dev bench` starts this."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # A script finds its own folder only; its modules are those of the package `benchmarks`.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from benchmarks.suite import main

    main()
