"""How the tests run: no deadline, since these machines are noisy, and more examples on request."""

import os

import pytest
from hypothesis import Phase, settings

os.environ["DAVIDGOLIATH_LANG"] = "en"

settings.register_profile("short", deadline=None, max_examples=60)
settings.register_profile("long", deadline=None, max_examples=20_000)
settings.register_profile("mutate", deadline=None, max_examples=40, phases=[Phase.generate], database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


@pytest.fixture(autouse=True)
def _own_data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches anyone's data."""
    monkeypatch.setenv("DAVIDGOLIATH_DATA", str(tmp_path_factory.mktemp("data")))
