"""How much a run does, and from which seed: RESIDUE_TIER=quick|full|nightly and RESIDUE_SEED=<number>, as in the C++ tests."""
import os

import pytest

TIER = os.environ.get("RESIDUE_TIER", "quick")
SEED = int(os.environ.get("RESIDUE_SEED", "1"))


def by_tier(quick, full, nightly):
    return {"quick": quick, "full": full, "nightly": nightly}[TIER]


def pytest_report_header():
    import numpy
    import residue
    config = residue.show_config(mode="dicts")
    return (f"residue {config['version']} at {os.path.dirname(residue.__file__)}, NumPy {numpy.__version__}, "
            f"targets {' '.join(config['targets'])}; repeat with RESIDUE_SEED={SEED}")


@pytest.fixture(autouse=True)
def one_thread_afterwards():
    """No test leaves more threads behind than it found."""
    import residue
    assert residue.get_num_threads() == 1
    yield
    assert residue.get_num_threads() == 1
