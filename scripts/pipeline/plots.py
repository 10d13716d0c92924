"""Plots of a run: rates of sending, landing and settling, and the lag behind the senders, as one SVG."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from run_demo import Sample

SMOOTHING = 3.0
"""Seconds over which a rate is taken."""


def rates(samples: Sequence[Sample], name: str) -> list[float]:
    """Entries a second at each sample, over the last seconds."""
    found, first = [], 0
    for last, sample in enumerate(samples):
        while sample.seconds - samples[first].seconds > SMOOTHING:
            first += 1
        passed = sample.seconds - samples[first].seconds
        more = getattr(sample, name) - getattr(samples[first], name)
        found.append(more / passed if passed and first < last else 0.0)
    return found


def plot(samples: Sequence[Sample], folder: Path) -> Path:
    """Draw into `folder`; the file. Raises ImportError without matplotlib, which `pip install 'sbql[plots]'` brings."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "sbql"  # the same picture for the same numbers
    from matplotlib import pyplot

    seconds = [sample.seconds for sample in samples]
    figure, (above, below) = pyplot.subplots(2, 1, sharex=True, figsize=(8, 5), layout="constrained")
    for name in ("sent", "landed", "settled"):
        above.plot(seconds, rates(samples, name), label=name)
    above.set_ylabel("entries a second")
    above.legend()
    below.plot(seconds, [sample.sent - sample.settled for sample in samples], label="sent, not settled")
    below.plot(seconds, [sample.lag for sample in samples], label="behind the last batch (lag)")
    below.set_xlabel("seconds")
    below.set_ylabel("entries")
    below.legend()
    path = folder / "rate-and-lag.svg"
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return path
