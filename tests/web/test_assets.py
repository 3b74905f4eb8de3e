"""What browsers load is compressed; files are bundled, and cacheable for ever."""

import gzip
import json
from pathlib import Path

import pytest

from tests.web.support import Inside
from zerosum.web.assets import FOR_EVER, accepts_gzip, assets, bundled
from zerosum.web.routes import pages


def test_a_table_needs_little() -> None:
    needed = ("table.css", "settings.js", "table.js", "stream-worker.js", "icon.svg")
    sizes = {name: len(assets().found[name].packed or b"") for name in needed}
    assert all(sizes.values())
    assert sum(sizes.values()) < 45_000, sizes  # the page itself takes some of 50 kB


def test_files_are_compressed_and_cached_by_their_version(tmp_path: Path) -> None:
    kept = assets()
    with Inside(tmp_path / "a.db") as server:
        ada = server.visitor()
        for name, asset in kept.found.items():
            address = kept.url(name)
            plain = ada.get(address, headers={"accept-encoding": "identity"})
            assert plain.content == asset.body
            assert plain.headers["cache-control"] == FOR_EVER
            assert plain.headers["content-type"].startswith(asset.kind)
            refused = ada.get(address, headers={"accept-encoding": "gzip;q=0"})
            assert "content-encoding" not in refused.headers
            packed = ada.get(address, headers={"accept-encoding": "GZip;q=0.5, br"})
            assert packed.content == asset.body
            zipped = packed.headers.get("content-encoding") == "gzip"
            assert zipped == (asset.packed is not None)
        old = ada.get("/static/0/table.js", headers={"accept-encoding": "identity"})
        assert old.content == kept.found["table.js"].body
        assert old.headers["cache-control"] == "no-cache"
        assert ada.get("/static/0/nothing.js").status_code == 404
        for accepted, encoding in (("br, GZIP", "gzip"), ("gzip;q=0", None)):
            home = ada.get("/", headers={"accept": "text/html", "accept-encoding": accepted})
            assert home.headers.get("content-encoding") == encoding
            assert "Even-Steven" in home.text
    assert gzip.decompress(kept.found["table.js"].packed or b"") == kept.found["table.js"].body


@pytest.mark.parametrize(
    ("accepted", "gzipped"),
    [
        *(("gzip", True), ("br , GZIP ; q=0.001", True), ("identity, gzip;q=1.0", True)),
        *(("", False), ("gzip;q=0", False), ("gzip;q=0.000, *", False), ("*", False)),
        *(("gzipped", False), ("gzip;q=much", False), ("br;x=gzip", False)),
        # Read in one go: this once took seconds, and a million digits would take hours.
        (f"gzip;q=0.{'1' * 1_000_000}x", False),
    ],
    ids=range(11),
)
def test_accepted_encodings_are_read_with_their_weights(accepted: str, gzipped: bool) -> None:
    assert accepts_gzip(accepted) is gzipped


def test_manifest_names_icons_that_exist() -> None:
    manifest = json.loads(assets().found["app.webmanifest"].body)
    sizes = {icon["sizes"]: icon["src"] for icon in manifest["icons"]}
    assert {"any", "192x192", "512x512"} == set(sizes)
    assert set(sizes.values()) <= assets().found.keys(), "beside the manifest"


UNREADABLE = {
    "export default 1;\n": "export default 1",
    "export { x };\n": "export { x }",
    'import * as y from "./y.js";\n': "import [*] as y",
    'import { x } from "https://elsewhere/x.js";\n': "elsewhere",
    'import { x } from "./missing.js";\n': "missing",
    'import { z } from "./main.js";\n': "Modules import each other: main > main",
}


@pytest.mark.parametrize("script", UNREADABLE)
def test_script_that_cannot_be_bundled_is_named(script: str) -> None:
    with pytest.raises((ValueError, KeyError), match=UNREADABLE[script]):
        bundled("main", {"main": script})


def test_only_comments_with_lines_to_themselves_are_left_out() -> None:
    cast = "/** @type {Map<string, 1>} */ (f(1));\ng(2);\n"
    comments = "// What is left:\n  /** Ask. */\n/**\n * Several\n * lines.\n */\n"
    assert bundled("a", {"a": cast + comments}) == bundled("a", {"a": cast})
    assert cast.strip() in bundled("a", {"a": comments + cast + comments})


def test_script_that_cannot_be_bundled_fails_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(name: str, scripts: object) -> str:
        raise ValueError("This cannot be bundled: export default 1;")

    monkeypatch.setattr("zerosum.web.assets.bundled", fail)
    pages._templates.cache_clear()
    assets.cache_clear()
    with pytest.raises(ValueError, match="cannot be bundled"), Inside(tmp_path / "a.db"):
        pass
