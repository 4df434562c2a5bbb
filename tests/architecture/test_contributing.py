"""The example changes in CONTRIBUTING.md apply to this code and do what the page says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DIFF = re.compile(r"^```diff\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Requests to sites with the example changes.
ASKED = """
import json, sys
from pathlib import Path
from conftest import ACCOUNTS, Client
from vetrina.settings import Settings, load_profile
from vetrina.site_factory import create_stand_in_site

def client(profile):
    folder = Path(sys.argv[1]) / profile
    folder.mkdir()
    site = create_stand_in_site(load_profile(profile), ACCOUNTS, folder, Settings(secret="x"))
    return Client(site, "admin", "admin pass word")

content, shop = client("first"), client("second")
made = content.post("/cms/v2/recipes", {"title": "Ribollita", "status": "publish"})
hook = {"topic": "order.created", "delivery_url": "https://example.com/", "status": "active"}
hook = shop.post("/shop/v3/webhooks", hook).json["id"]
order = {"status": "completed", "shipping_lines": [{"method_id": "flat_rate", "total": "7.50"}]}
assert made.status == 201 and shop.post("/shop/v3/orders", order).status == 201, made.json
print(json.dumps({
    "titles": [one["title"]["rendered"] for one in content.get("/cms/v2/recipes?lang=en").json],
    "revisions": content.get(f"/cms/v2/recipes/{made.json['id']}/revisions").status,
    "shipping": shop.get("/shop-analytics/reports/shipping/stats").json["totals"]["shipping"],
    "deliveries": [one["state"] for one in shop.get(f"/shop/v3/webhooks/{hook}/deliveries").json],
    "zone": shop.get("/cms-site-health/v1/clock").json["zone"],
}))
"""


def test_the_additions_that_are_shown_apply_and_work(tmp_path: Path) -> None:
    shown = DIFF.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert len(shown) == 4
    source = tmp_path / "src"
    shutil.copytree(ROOT / "src" / "vetrina", source / "vetrina", ignore=shutil.ignore_patterns("__pycache__"))
    for change in shown:
        subprocess.run(["git", "apply", "-"], input=change, text=True, cwd=tmp_path, check=True)
    sites = tmp_path / "sites"
    sites.mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(source), str(ROOT / "tests")))}
    found = subprocess.run(
        [sys.executable, "-c", ASKED, str(sites)], capture_output=True, text=True, env=environment, check=False
    )
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout) == {
        "titles": ["Ribollita"], "revisions": 200, "shipping": 7.5, "deliveries": ["waiting", "waiting"],
        "zone": "Europe/Rome",
    }  # fmt: skip
