"""A site with records of every kind and owner, restored after each call that changed it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from conftest import ACCOUNTS, LOGINS, Answer, Client
from foreign_host import Host, outbound_to
from pictures import picture
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount

from .rows import CALLERS, OF_SHOPS

__all__ = ["World"]

_FAMILY = '{"name": "F", "slug": "f", "fontFamily": "F"}'
_FACE = '{"fontFamily": "F", "src": "http://vetrina.test/f.woff2"}'


class World:
    """The site of one profile, its clients by caller, and the ids of its records by name.

    A name that each caller has one of is stored as `own name@caller`; nobody has an author's.
    """

    def __init__(self, folder: Path, profile: str, host: Host) -> None:
        self.folder, self.kept = folder / "site", folder / "kept"
        self.folder.mkdir(parents=True)
        self.profile = profile
        of_shops = [role for role in OF_SHOPS if role in load_profile(profile).roles]
        self.callers = (*CALLERS, *of_shops)
        accounts = [InitialAccount(role, role, f"{role}@example.org", f"{role} pass word") for role in of_shops]
        settings = Settings(secret="secret of the tests")
        first = create_stand_in_site(load_profile(profile), [*ACCOUNTS, *accounts], self.folder, settings)
        settings, context = first.context.settings, first.context
        first.close()
        self.site = Site(context.profile, settings, self.folder, durable=False, outbound=outbound_to(host))
        self.clients = {
            caller: Client(self.site, login, f"{login} pass word" if login else "")
            for caller in self.callers
            for login in ("" if caller == "nobody" else LOGINS.get(caller, caller),)
        }
        self.names: dict[str, Any] = {}
        self._fill()
        self._keep()

    def path(self, path: str, caller: str) -> str:
        """Return a path with the ids of the records it names."""
        for name in {part.partition("}")[0] for part in path.split("{")[1:]}:
            key = f"{name}@{caller}" if name.startswith("own ") else name
            path = path.replace("{" + name + "}", str(self.names[key]))
        return path

    def body(self, body: Any, caller: str) -> Any:
        """Return a body with the ids of the records it names."""
        if isinstance(body, dict):
            return {name: self.body(value, caller) for name, value in body.items()}
        if isinstance(body, list):
            return [self.body(value, caller) for value in body]
        if isinstance(body, str) and body.startswith("{") and '"' not in body:
            found = self.path(body, caller)
            return int(found) if found.isdigit() else found
        return body

    def call(self, caller: str, method: str, path: str, body: Any = None) -> Answer:
        """Make a request as somebody; bytes are sent as they are, as the file `x.png`."""
        target = self.path(path, caller)
        client = self.clients[caller]
        if isinstance(body, bytes):
            named = {"content-type": "image/png", "content-disposition": 'attachment; filename="x.png"'}
            return client.ask(method, target, body=body, headers=named)
        return client.ask(method, target, json=self.body(body, caller))

    def close(self) -> None:
        self.site.close()

    def restore(self, files: bool = False) -> None:
        """Restore the site as it was created, uploaded files included."""
        with sqlite3.connect(self.kept / "site.sqlite") as kept, sqlite3.connect(self.folder / "site.sqlite") as now:
            kept.backup(now)
        if files:
            shutil.copytree(self.kept / "media", self.folder / "media", dirs_exist_ok=True)

    def _keep(self) -> None:
        self.kept.mkdir()
        with sqlite3.connect(self.folder / "site.sqlite") as now, sqlite3.connect(self.kept / "site.sqlite") as kept:
            now.backup(kept)
        shutil.copytree(self.folder / "media", self.kept / "media")

    # -- what there is

    def _made(self, path: str, body: Mapping[str, Any], caller: str = "administrator") -> Any:
        answer = self.call(caller, "POST", path, dict(body))
        assert answer.status in (200, 201), (path, answer.json)
        return answer.json

    def _fill(self) -> None:
        users = self.clients["administrator"].get("/cms/v2/users", query={"context": "edit", "per_page": 100}).json
        for user in users:
            role = user["roles"][0]
            self.names[role] = self.names[f"own account@{role}"] = user["id"]
        self.names["own account@nobody"] = self.names["author"]
        new = {"username": "reader", "email": "reader@example.org", "password": "a pass word"}
        self.names["a reader"] = self._made("/cms/v2/users", new)["id"]
        for base in self._bases():
            self._records(base)
        self._history()
        self._terms()
        self._media()
        self._comments()
        self._menus()
        self._design()
        self._keys()

    def _bases(self) -> list[str]:
        shop = ["product"] if "product" in self.site.context.types else []
        return ["posts", "pages", "blocks", "navigation", *shop, *(type.base for type in self._own_types())]

    def _own_types(self) -> list[Any]:
        return [type for name, type in self.site.context.types.items() if name in self.site.context.profile.types]

    def _records(self, base: str) -> None:
        """Create one record of each status by the editor, and a draft and a published one by each caller."""
        path, authored = f"/cms/v2/{base}", base in ("posts", "pages")
        maker = "administrator" if base in ("navigation", "product") else "editor"
        for status in ("publish", "draft", "pending", "private"):
            made_one = self._made(path, {"title": f"{base} {status}", "content": "x", "status": status}, maker)
            self.names[f"{base} {status}"] = made_one["id"]
        gone = self._made(path, {"title": f"{base} trash", "content": "x", "status": "publish"}, maker)["id"]
        self.clients["administrator"].delete(f"{path}/{gone}")
        self.names[f"{base} trash"] = gone
        later = {"title": f"{base} future", "content": "x", "status": "future", "date": "2199-01-01T00:00:00"}
        self.names[f"{base} future"] = self._made(path, later, maker)["id"]
        if authored:
            for role in self.callers[1:]:
                for status in ("draft", "publish", "private"):
                    own = {"title": f"{base} of {role}", "content": "x", "status": status, "author": self.names[role]}
                    self.names[f"own {base} {status}@{role}"] = self._made(path, own)["id"]
            for status in ("draft", "publish", "private"):
                self.names[f"own {base} {status}@nobody"] = self.names[f"own {base} {status}@author"]

    def _history(self) -> None:
        """Create a revision and an autosave of the published records that have them."""
        for base in ("posts", "pages", "blocks", "navigation"):
            number = self.names[f"{base} publish"]
            path = f"/cms/v2/{base}/{number}"
            self._made(path, {"content": "y"})
            self.names[f"{base} autosave"] = self._made(f"{path}/autosaves", {"content": "z"})["id"]
            listed = self.clients["administrator"].get(f"{path}/revisions").json
            self.names[f"{base} revision"] = next(one["id"] for one in listed if "revision" in one["slug"])
        for type in self._own_types():
            if type.autosaves:
                path = f"/cms/v2/{type.base}/{self.names[f'{type.base} publish']}/autosaves"
                self.names[f"{type.base} autosave"] = self._made(path, {"content": "z"})["id"]

    def _terms(self) -> None:
        for taxonomy in self.site.context.taxonomies.values():
            if taxonomy.room in ("terms", "products"):
                self.names[taxonomy.base] = self._made(taxonomy.path, {"name": f"a {taxonomy.base}"})["id"]

    def _media(self) -> None:
        image = picture(20, 10, "PNG")
        made_one = self.call("editor", "POST", "/cms/v2/media", image).json
        self.names["media"], self.names["media address"] = made_one["id"], made_one["source_url"]
        for role in self.callers[1:]:
            mine = self.call("administrator", "POST", "/cms/v2/media", image).json
            self._made(f"/cms/v2/media/{mine['id']}", {"author": self.names[role]})
            self.names[f"own media@{role}"], self.names[f"own media address@{role}"] = mine["id"], mine["source_url"]
        for name in ("own media", "own media address"):
            self.names[f"{name}@nobody"] = self.names[f"{name}@author"]
        hidden = self.call("editor", "POST", "/cms/v2/media?status=private", image).json
        self.names["media private"] = hidden["id"]

    def _comments(self) -> None:
        post, of_author = self.names["posts publish"], self.names["own posts publish@author"]
        self.names["comment"] = self._made("/cms/v2/comments", {"post": post, "content": "x"})["id"]
        self.names["held comment"] = self._made("/cms/v2/comments", {"post": post, "content": "y", "status": "hold"})[
            "id"
        ]
        under = {"post": of_author, "content": "z"}
        self.names["comment of an author's post"] = self._made("/cms/v2/comments", under)["id"]
        note = {"post": post, "content": "n", "type": "note"}
        self.names["note"] = self._made("/cms/v2/comments", note)["id"]

    def _menus(self) -> None:
        self.names["menu"] = self._made("/cms/v2/menus", {"name": "A menu"})["id"]
        item = {"title": "x", "url": "http://vetrina.test/", "menus": self.names["menu"]}
        self.names["menu item"] = self._made("/cms/v2/menu-items", item)["id"]
        path = f"/cms/v2/menu-items/{self.names['menu item']}/autosaves"
        self.names["menu item autosave"] = self._made(path, {"title": "y"})["id"]

    def _design(self) -> None:
        admin = self.clients["administrator"]
        theme = admin.get("/cms/v2/themes", query={"status": "active"}).json[0]
        self.names["theme"] = theme["stylesheet"]
        styles = theme["_links"]["cms:user-global-styles"][0]["href"].rpartition("/")[2]
        self.names["styles"] = int(styles)
        self._made(f"/cms/v2/global-styles/{styles}", {"styles": {"color": {"text": "#111111"}}})
        listed = admin.get(f"/cms/v2/global-styles/{styles}/revisions").json
        self.names["styles revision"] = listed[0]["id"]
        for base in ("templates", "template-parts"):
            one = self._made(f"/cms/v2/{base}", {"slug": f"own-{base}", "content": "x"})
            self.names[base] = one["id"]
            self._made(f"/cms/v2/{base}/{one['id']}", {"content": "y"})
            self.names[f"{base} revision"] = admin.get(f"/cms/v2/{base}/{one['id']}/revisions").json[0]["wp_id"]
            autosave = self._made(f"/cms/v2/{base}/{one['id']}/autosaves", {"content": "z"})
            self.names[f"{base} autosave"] = autosave["wp_id"]
        family = self._made("/cms/v2/font-families", {"font_family_settings": _FAMILY})["id"]
        self.names["family"] = family
        face = self._made(f"/cms/v2/font-families/{family}/font-faces", {"font_face_settings": _FACE})
        self.names["face"] = face["id"]
        widget = self._made("/cms/v2/widgets", {"id_base": "text", "sidebar": "cms_inactive_widgets"})
        self.names["widget"] = widget["id"]

    def _keys(self) -> None:
        for role in self.callers[1:]:
            one = self._made("/cms/v2/users/me/application-passwords", {"name": "one more"}, role)
            self.names[f"own key@{role}"] = one["uuid"]
        self.names["own key@nobody"] = self.names["own key@author"]
        path = f"/cms/v2/users/{self.names['a reader']}/application-passwords"
        self.names["a reader's key"] = self._made(path, {"name": "his"})["uuid"]
