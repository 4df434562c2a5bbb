"""Compare the server with others that sites are built on, side by side: the same posts, one process each, nothing kept.

    python benchmarks/compare_peers.py [--posts 1000] [--seconds 3] [--rounds 3] [--only TEXT] [--kept FOLDER]

Peers are installed from the package registries and filled with the posts of our own site once, and kept
(benchmarks/peers/: what each site consists of). Each case is asked of one after the other, in as many rounds, over 8
keep-alive connections, and the middle of its rates counts. SQLite everywhere. An answer is looked at before it is
measured: it has as many posts as were asked for, with their texts. What cannot be installed here is left out and named.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import kept
from cases import POSTS
from peer_servers import CASES, PEERS, Peer, Unavailable, Vetrina, run_peer, send_json
from run import CONNECTIONS, compile_load

_FIRST_PORT = 8930


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each case of each peer in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="peers whose name holds this text, and ours")
    parser.add_argument("--kept", type=Path, default=Path("build/bench"), help="folder of the sites")
    args = parser.parse_args()
    load = compile_load(args.kept)
    kept.ready(args.kept, args.posts, None)
    folder = args.kept.resolve() / "peers"
    folder.mkdir(exist_ok=True)
    posts, peers = write_posts(folder, args.posts), list[Peer]()
    for at, kind in enumerate(PEERS):
        peer = kind(folder / kind.__name__.lower(), _FIRST_PORT + at)
        if args.only in peer.name or kind is Vetrina:
            try:
                peer.prepare(posts)
                peers.append(peer)
            except Unavailable as error:
                print(f"left out: {peer.name}: {error}", file=sys.stderr)
    rates: dict[tuple[str, str], list[float]] = {}
    for number in range(args.rounds):
        for peer in peers:
            peer.prepare(posts)
            with run_peer(peer):
                for case in CASES if peer.writes else CASES[:-1]:
                    require_posts(peer, case)
                    rates.setdefault((peer.name, case), []).append(compare(peer, load, case, args.seconds))
                    print(f"  {number + 1}: {peer.name}, {case}: {rates[peer.name, case][-1]:,.0f}/s", file=sys.stderr)
    write_table([peer.name for peer in peers], {key: statistics.median(found) for key, found in rates.items()})


def write_table(names: list[str], rates: dict[tuple[str, str], float]) -> None:
    """Print a table in Markdown: answers a second, and ours as a multiple of the best of the others."""
    print(f"| answers a second | {' | '.join(names)} | ours, times the best of them |")
    print(f"|---|{'---|' * (len(names) + 1)}")
    for case in CASES:
        found = [rates.get((name, case)) for name in names]
        best = max((rate for rate in found[1:] if rate), default=0.0)
        shown = " | ".join("–" if rate is None else f"{rate:,.0f}" for rate in found)
        print(f"| {case} | {shown} | {found[0] / best:.1f} |" if best and found[0] else f"| {case} | {shown} | – |")


def compare(peer: Peer, load: Path, case: str, seconds: float) -> float:
    """Return how many answers a second a running peer gives."""
    requests = peer.folder / "requests"
    requests.write_bytes(b"".join(b"%d\n%s" % (len(one), one) for one in peer.build_requests(case)))
    words = [str(load), "127.0.0.1", str(peer.port), str(CONNECTIONS)]
    subprocess.run([*words, "0.5", str(requests)], check=True, stdout=subprocess.DEVNULL)
    found = json.loads(subprocess.run([*words, str(seconds), str(requests)], check=True, capture_output=True).stdout)
    if found["wrong"]:
        raise SystemExit(f"{peer.name}, {case}: {found['wrong']} answers were not 2xx")
    return float(found["rate"])


def require_posts(peer: Peer, case: str) -> None:
    """Look at the answer of a list before it is measured. Raises SystemExit."""
    size = {"a list of ten": 10, "100 posts of two fields": 100, "a search": 10}.get(case)
    if size is None:
        return
    found = peer.find_posts(send_json(peer.port, "GET", peer.list_targets(case)[0]))
    has_texts = case == "100 posts of two fields" or all("</p>" in json.dumps(post) for post in found)
    if len(found) != size or not has_texts:
        raise SystemExit(f"{peer.name}, {case}: {len(found)} posts, texts: {has_texts}")


def write_posts(folder: Path, count: int) -> Path:
    """Write the posts of our own site into a JSON file, as the others store them: with the HTML that ours renders."""
    file = folder / f"posts-{count}.json"
    if file.exists():
        return file
    site = kept.site_of(folder.parent, count)
    with tempfile.TemporaryDirectory() as copy:
        ours = Vetrina(Path(copy) / "site", _FIRST_PORT)
        shutil.copytree(site, ours.folder)
        posts: list[Any] = []
        with run_peer(ours):
            for page in range(1, (count + 99) // 100 + 1):
                posts += send_json(ours.port, "GET", f"{POSTS}?per_page=100&page={page}&orderby=id&order=asc")
    file.write_text(json.dumps([
        {
            "title": post["title"]["rendered"], "slug": post["slug"], "content": post["content"]["rendered"],
            "excerpt": post["excerpt"]["rendered"], "date": post["date"], "categories": post["categories"],
        }
        for post in posts
    ]))  # fmt: skip
    return file


if __name__ == "__main__":
    main()
