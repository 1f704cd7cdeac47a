#!/usr/bin/env python3
"""Prints the licences of all crates that the command and the wheel link.

Each text stands once, below the crates that have it. A crate without a text is named with the
licence of its manifest. A licence that deny.toml does not allow ends it.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
from pathlib import Path


def linked(metadata: dict, root: str) -> list[dict]:
    """The packages that a package links, without those that only build it or test it."""
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [id for id, package in packages.items() if package["name"] == root]
    found = set(waiting)
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if normal and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    others = [packages[id] for id in found if packages[id]["source"] is not None]
    return sorted(others, key=lambda package: (package["name"], package["version"]))


def texts(package: dict) -> list[str]:
    """The files of a package that say under what terms it comes."""
    folder = Path(package["manifest_path"]).parent
    names = ("license", "licence", "copying", "copyright", "notice", "unlicense")
    files = [file for file in sorted(folder.glob("*")) if file.name.lower().startswith(names)]
    # Fonts have theirs beside them.
    files += sorted(folder.glob("fonts/*.txt"))
    files = [file for file in files if file.is_file()]
    found = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    lines = (map(str.rstrip, text.strip().splitlines()) for text in found)
    return ["\n".join(text) for text in lines]


def allowed(licence: str, allow: set[str]) -> bool:
    """Whether an expression such as `(MIT OR Zlib) AND ISC` can be met; `/` is an old OR."""
    words = re.findall(r"[()]|[^\s()]+(?: WITH [^\s()]+)?", licence.replace("/", " OR "))
    logic = {"(": "(", ")": ")", "AND": "and", "OR": "or"}
    return bool(eval(" ".join(logic.get(word, str(word in allow)) for word in words)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", default="", help="features of palmette-python")
    features = parser.parse_args().features
    command = [os.environ.get("CARGO", "cargo"), "metadata", "--locked", "--format-version", "1"]
    command += ["--manifest-path", "crates/python/Cargo.toml"]
    host = subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout
    host = next(line.split()[1] for line in host.splitlines() if line.startswith("host:"))
    command += ["--filter-platform", host]
    if features:
        command += ["--features", features]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    whose = collections.defaultdict(list)
    bare = []
    table = Path("deny.toml").read_text().split("[licenses]")[1].split("[bans]")[0]
    allow = set(re.findall(r'^  "(.*)",', table, re.M))
    packages = linked(json.loads(done.stdout), "palmette-python")
    for package in packages:
        if not allowed(package["license"] or "none", allow):
            sys.exit(f"{package['name']}: deny.toml does not allow {package['license']}")
    for package in packages:
        name = f"{package['name']} {package['version']}"
        found = texts(package)
        for text in found:
            whose[text].append(name)
        if not found:
            bare.append(f"{name}: {package['license']}")
    print("palmette contains the libraries below, each under the terms that follow its name.\n")
    print("\n".join(bare))
    for text, names in sorted(whose.items(), key=lambda entry: entry[1]):
        print(f"\n{'=' * 80}\n{', '.join(names)}\n{'=' * 80}\n{text}")


if __name__ == "__main__":
    main()
