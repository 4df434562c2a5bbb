"""Drives sites with clients of openapi-python-client: python typed_client.py content|shop ADDRESS USER PASSWORD."""

import base64
import json
import sys


def main(what: str, address: str, user: str, password: str) -> None:
    pair = base64.b64encode(f"{user}:{password}".encode()).decode()
    base, headers = f"{address}/en/cms-json", {"Authorization": f"Basic {pair}"}
    print(json.dumps(drive_content(base, headers) if what == "content" else drive_shop(base, headers)))


def drive_content(base: str, headers: dict[str, str]) -> dict[str, object]:
    from content_client import Client
    from content_client.api.cmsv2 import create_post, get_post, list_posts
    from content_client.models import CreatePostBody, Post, PostEdit

    client = Client(base, headers=headers)
    titles: list[str] = []
    for title in ("One", "Two", "Three"):
        made = create_post.sync(client=client, body=CreatePostBody.from_dict({"title": title, "status": "publish"}))
        assert isinstance(made, PostEdit), made
        titles.append(made.title.raw.upper())
    listed = list_posts.sync_detailed(client=client, per_page=2)
    posts = listed.parsed
    assert isinstance(posts, list), posts
    read = get_post.sync(posts[0].id, client=client)
    assert isinstance(read, Post), read
    missing = get_post.sync_detailed(999999, client=client)
    return {
        "titles": titles,
        "lengths": len([len(post.title.rendered) for post in posts]),
        "total": listed.headers["X-CMS-Total"],
        "same": read.id == posts[0].id,
        "code": str(getattr(missing.parsed, "code", "")),
    }


def drive_shop(base: str, headers: dict[str, str]) -> dict[str, object]:
    from shop_client import Client
    from shop_client.api.shopv3 import create_shop_order, create_shop_product
    from shop_client.models import CreateShopOrderBody, CreateShopProductBody, Product, ShopOrder

    client = Client(base, headers=headers)
    lamp = create_shop_product.sync(
        client=client, body=CreateShopProductBody.from_dict({"name": "Lamp", "regular_price": "12.50"})
    )
    assert isinstance(lamp, Product), lamp
    lines = [{"product_id": lamp.id, "quantity": 2}]
    order = create_shop_order.sync(client=client, body=CreateShopOrderBody.from_dict({"line_items": lines}))
    assert isinstance(order, ShopOrder), order
    return {"price": lamp.price, "total": order.total, "quantity": order.line_items[0].quantity}


main(*sys.argv[1:])
