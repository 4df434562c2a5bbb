"""Runs the package wp-api-client against a site: python python_client.py URL LOGIN PASSWORD. Writes JSON."""

import json
import sys

from wp_api import WPClient
from wp_api.auth import ApplicationPasswordAuth
from wp_api.exceptions import WPAPIError


def main(address: str, login: str, password: str) -> None:
    site = WPClient(address, auth=ApplicationPasswordAuth(username=login, app_password=password))
    made = [site.posts.create(title=f"Stone {at}", content="<p>granito</p>", status="publish") for at in range(3)]
    changed = site.posts.update(made[0]["id"], title="Changed")
    term = site.categories.create(name="Stones")
    saw = {
        "created": [post["title"]["raw"] for post in made],
        "changed": changed["title"]["raw"],
        "term": term["taxonomy"],
        "pages": [[post["id"] for post in site.posts.list(per_page=1, page=page)] for page in (1, 2, 3)],
        "found": len(site.posts.list(search="stone")),
        "me": site.get("users/me")["slug"],
        "deleted": site.posts.delete(made[2]["id"], force=True)["deleted"],
    }
    try:
        site.posts.get(made[2]["id"])
    except WPAPIError as error:
        saw["missing"] = error.response.json()["code"]
    print(json.dumps(saw))


main(*sys.argv[1:])
