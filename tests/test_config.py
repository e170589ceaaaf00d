"""Settings: flag beats environment beats default, and a bad value says so."""

import pytest

from firstword.client.sagemaker.identity import boto_session, find_region
from firstword.config import EmulatorSettings, ServerSettings, Settings, every_setting
from firstword.errors import ConfigError


def test_a_default_holds_when_nothing_is_said() -> None:
    assert ServerSettings.load({}).port == 8080


def test_the_environment_beats_the_default_and_a_flag_beats_both() -> None:
    environ = {"FIRSTWORD_SERVER_PORT": "9000"}
    assert ServerSettings.load(environ).port == 9000
    assert ServerSettings.load(environ, port=0).port == 0


def test_a_value_of_the_wrong_kind_is_named_with_what_to_do() -> None:
    with pytest.raises(ConfigError) as caught:
        ServerSettings.load({"FIRSTWORD_SERVER_PORT": "eighty"})
    assert "FIRSTWORD_SERVER_PORT" in caught.value.message
    assert caught.value.exit_code == 2


def test_every_setting_has_a_unique_variable_and_a_meaning() -> None:
    rows = list(every_setting())
    assert len({name for name, *_ in rows}) == len(rows)
    assert all(meaning for *_, meaning in rows)


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_that_does_not_exist_is_refused_by_flag_and_by_environment(port: int) -> None:
    with pytest.raises(ConfigError, match=str(port)):
        ServerSettings.load({}, port=port)
    with pytest.raises(ConfigError, match="FIRSTWORD_SERVER_PORT"):
        ServerSettings.load({"FIRSTWORD_SERVER_PORT": str(port)})


def test_no_number_is_negative_but_a_seed() -> None:
    with pytest.raises(ConfigError, match="FIRSTWORD_EMULATOR_RTT_MS is -5"):
        EmulatorSettings.load({}, rtt_ms=-5.0)
    with pytest.raises(ConfigError, match=r"FIRSTWORD_SERVER_MAX_LEAD_S is -0\.5"):
        ServerSettings.load({"FIRSTWORD_SERVER_MAX_LEAD_S": "-0.5"})
    assert EmulatorSettings.load({}, chunk_seed=-7).chunk_seed == -7
    for group in Settings.__subclasses__():
        group.load({})


def test_a_setting_is_never_not_a_number() -> None:
    with pytest.raises(ConfigError, match="FIRSTWORD_SERVER_MAX_LEAD_S"):
        ServerSettings.load({"FIRSTWORD_SERVER_MAX_LEAD_S": "nan"})


def test_the_region_is_the_one_that_our_own_hint_says_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_DEFAULT_REGION", raising=False)
    monkeypatch.setenv("AWS_REGION", "eu-west-3")
    assert find_region(boto_session()) == "eu-west-3"
    assert find_region(boto_session("us-east-2")) == "us-east-2"
