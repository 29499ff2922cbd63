"""What the tests of scale share."""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Iterator

import pytest

import fake_engine
from buraco_sim.cli import main
from buraco_sim.job import Job, make_job


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("BURACO_", "AWS_")) and name != "BURACO_CACHE_DIR"]:
        monkeypatch.delenv(name)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> fake_engine.FakeEngine:
    """A stand-in for the compiled core."""
    return fake_engine.install(monkeypatch)


@pytest.fixture
def job(engine: fake_engine.FakeEngine) -> Job:
    """Four parts of mirrored deals, by the stand-in."""
    return make_job("stbl", "greedy,random", deals=70, part_deals=20)


@pytest.fixture(scope="session")
def real_job() -> Job:
    """Six parts of deals, by the compiled core, which is compiled here if it is not yet."""
    assert main(["simulate", "--players", "random", "--deals", "1", "--quiet", "--json"]) == 0
    return make_job("stbl", "random", deals=3000, part_deals=500)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a bucket on an S3 server of this machine."""
    server_module = pytest.importorskip("moto.server", reason="moto[server] is not installed: no S3 server to test against")
    from pyarrow import fs

    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    urllib.request.urlopen(f"http://{host}:{port}/moto-api/reset", data=b"").close()  # all its servers share one memory
    for name, value in {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_EC2_METADATA_DISABLED": "true"}.items():
        monkeypatch.setenv(name, value)
    options = f"region=us-east-1&scheme=http&endpoint_override={host}:{port}"
    system, _ = fs.FileSystem.from_uri(f"s3://bucket?{options}&allow_bucket_creation=true")
    system.create_dir("bucket")
    yield f"s3://bucket/run?{options}"
    server.stop()
