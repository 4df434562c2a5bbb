"""Files of a site: uploads, focal point, cropping, replacing, and what warns before a removal."""

from __future__ import annotations

import base64
import io
import re
from typing import Any

from PIL import Image
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.screens import open_screen, read
from pictures import picture, quarters

MEDIA = "/wp/v2/media"


def drop(page: Any, files: dict[str, tuple[str, bytes]]) -> None:
    """Drop files onto the screen, as from a folder."""
    sent = [[name, kind, base64.b64encode(content).decode()] for name, (kind, content) in files.items()]
    page.evaluate(
        """sent => {
            const carried = new DataTransfer();
            for (const [name, type, text] of sent) {
                const bytes = Uint8Array.from(atob(text), one => one.charCodeAt(0));
                carried.items.add(new File([bytes], name, { type }));
            }
            for (const kind of ['dragenter', 'dragover', 'drop']) {
                document.querySelector('main').dispatchEvent(
                    new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true }));
            }
        }""",
        sent,
    )


def upload(page: Any, content: bytes, name: str) -> dict[str, Any]:
    """Upload a picture without the screen and return its record."""
    found: dict[str, Any] = page.evaluate(
        """async ([url, text, name]) => {
            const bytes = Uint8Array.from(atob(text), one => one.charCodeAt(0));
            const nonce = JSON.parse(document.getElementById('boot').textContent).nonce;
            const answer = await fetch(url, { method: 'POST', body: bytes, headers: {
                'X-WP-Nonce': nonce, 'Content-Disposition': `attachment; filename="${name}"` } });
            return answer.json();
        }""",
        [f"/admin-json{MEDIA}", base64.b64encode(content).decode(), name],
    )
    return found


def test_three_files_are_dropped_at_once_and_one_is_refused(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/media")
    drop(
        admin,
        {
            "red.png": ("image/png", quarters(60, 40)),
            "page.html": ("text/html", b"<script>1</script>"),
            "blue.jpg": ("image/jpeg", picture(60, 40)),
        },
    )
    uploads = admin.get_by_role("region", name="Uploads")
    expect(uploads.get_by_role("link")).to_have_text(["red", "blue"])
    expect(uploads.get_by_role("alert")).to_have_text(re.compile("html"))
    expect(uploads.get_by_text("Everything has been sent.")).to_be_visible()
    expect(admin.locator(".dataviews-view-grid__title-field").first).to_contain_text(re.compile("red|blue"))
    uploads.get_by_role("button", name="Try again: page.html").click()
    expect(uploads.get_by_role("alert")).to_have_text(re.compile("html"))
    uploads.get_by_role("button", name="Cancel: page.html").click()
    uploads.get_by_role("button", name="Clear what is done").click()
    expect(uploads).to_have_count(0)


def test_the_list_of_files_is_a_grid_that_names_missing_alternative_texts(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/media")
    upload(admin, picture(60, 40), "bare.jpg")
    open_screen(admin, admin_site, "/media")
    expect(admin.get_by_role("link", name="bare No alternative text")).to_be_visible()
    assert find_violations(admin) == []
    assert admin.refused == []
    assert admin.foreign == []


def test_a_focal_point_is_set_by_arrow_keys(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/media")
    one = upload(admin, picture(600, 400), "focus.jpg")
    open_screen(admin, admin_site, f"/media/{one['id']}")
    point = admin.get_by_role("button", name="Focal point")
    point.focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowUp"):
        point.press(key)
    admin.get_by_role("button", name="Save", exact=True).click()
    admin.get_by_text("Saved.").wait_for()
    assert read(admin, f"{MEDIA}/{one['id']}")["media_details"]["focal_point"] == {"x": 0.54, "y": 0.4}
    admin.get_by_role("button", name="Back to the middle").click()
    admin.get_by_role("button", name="Save", exact=True).click()
    expect(admin.get_by_text("Focal point: the middle")).to_be_visible()
    assert find_violations(admin) == []


def test_a_picture_is_turned_and_cropped_into_a_new_one(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/media")
    one = upload(admin, quarters(400, 200), "turn.png")
    open_screen(admin, admin_site, f"/media/{one['id']}")
    opener = admin.get_by_role("button", name="Crop and turn")
    opener.click()
    dialog = admin.get_by_role("dialog")
    assert find_violations(admin) == []
    admin.keyboard.press("Escape")
    expect(opener).to_be_focused()
    opener.click()
    dialog.get_by_role("button", name="Turn right").click()
    dialog.get_by_label("Width").fill("100")
    dialog.get_by_label("Height").fill("200")
    dialog.get_by_role("button", name="Save as a new picture").click()
    admin.wait_for_url(lambda url: not url.endswith(f"/{one['id']}"))
    copy = read(admin, f"{MEDIA}/{admin.url.rpartition('/')[2]}")
    content = admin.request.get(copy["source_url"]).body()
    image = Image.open(io.BytesIO(content)).convert("RGB")
    # Turned right, the blue quarter from below on the left is the first one.
    assert (image.size, image.getpixel((50, 100))) == ((100, 200), (0, 0, 255))
    assert read(admin, f"{MEDIA}/{one['id']}")["media_details"]["width"] == 400


def test_a_file_is_replaced_and_its_uses_are_named_before_it_goes(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/media")
    post = read(admin, "/wp/v2/posts?per_page=100&_fields=id,title,featured_media")
    used = next(one for one in post if one["featured_media"])
    id, title = used["featured_media"], used["title"]["rendered"]
    before = read(admin, f"{MEDIA}/{id}")
    open_screen(admin, admin_site, f"/media/{id}")
    with admin.expect_file_chooser() as chooser:
        admin.get_by_role("button", name="Replace the file").click()
    chooser.value.set_files([{"name": "new.jpg", "mimeType": "image/jpeg", "buffer": picture(320, 300)}])
    admin.get_by_text("The file is replaced.").wait_for()
    after = read(admin, f"{MEDIA}/{id}")
    assert (after["source_url"], after["media_details"]["width"]) == (before["source_url"], 320)
    expect(admin.get_by_text("320 × 300")).to_be_visible()
    admin.get_by_role("button", name="Remove for good").click()
    dialog = admin.get_by_role("dialog")
    expect(dialog.get_by_role("listitem").first).to_contain_text("as featured image")
    expect(dialog).to_contain_text(title.split("&")[0])
    dialog.get_by_role("button", name="Keep it").click()
    assert read(admin, f"{MEDIA}/{id}")["id"] == id
