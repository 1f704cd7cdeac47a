#!/usr/bin/env python3
"""Installs and tries what `make dist` made, each where nothing else of palmette is.

DIST_SUITE is the Debian release of the root in which the package and the tarball are tried
(bookworm); DIST_MOST_MB and DIST_MOST_MS are the most that the command may have and take.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
TOOLS = ROOT / "target" / "dist-tools"
MOST_MB = float(os.environ.get("DIST_MOST_MB", "25"))
MOST_MS = float(os.environ.get("DIST_MOST_MS", "10"))
SUITE = os.environ.get("DIST_SUITE", "bookworm")
# No variable of ours may help.
CLEAN = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent"}

TABLE = "id,parent,weight\nroot,,1\na,root,2\nb,root,3\nc,a,4\nd,a,5\n"
SUMS = [15.0, 11.0, 3.0, 4.0, 5.0]
JOB = ["tree", "leaffix", "t.csv", "--values", "column:weight", "--op", "sum", "-o", "sums.csv"]
IN_PYTHON = """
import palmette
tree = palmette.Tree.from_parents([-1, 0, 0, 1, 1])
print(*tree.leaffix([1.0, 2.0, 3.0, 4.0, 5.0]))
"""


def run(*command: object, **options: object) -> str:
    """What a command prints; it must end well and say nothing on stderr."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        sys.exit(f"{what}: expected {wanted!r}, found {found!r}")


def the(pattern: str) -> Path:
    found = sorted(DIST.glob(pattern))
    expect(f"dist/{pattern}", len(found), 1)
    return found[0]


def job(*command: object, folder: Path, **options: object) -> None:
    """A small job, whose answer is known."""
    (folder / "t.csv").write_text(TABLE)
    run(*command, *JOB, **options)
    rows = (folder / "sums.csv").read_text().splitlines()[1:]
    expect("the sums of subtrees", [float(row.split(",")[-1]) for row in rows], SUMS)
    (folder / "sums.csv").unlink()


def checksums() -> None:
    lines = (DIST / "SHA256SUMS").read_text().splitlines()
    stated = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    there = [file for file in DIST.iterdir() if file.name != "SHA256SUMS"]
    found = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in there}
    expect("checksums", found, stated)


def glibc(tag: str) -> int:
    """17 of `manylinux_2_17_x86_64`; more than any for `linux_x86_64`."""
    found = re.match(r"manylinux_2_(\d+)_", tag)
    return int(found[1]) if found else 1000


def wheel(folder: Path) -> str:
    """In a fresh environment: the command, the module, and one job with each."""
    file = the("*.whl")
    said = run(TOOLS / "venv" / "bin" / "auditwheel", "show", file)
    # Such as `manylinux2014_x86_64.manylinux_2_17_x86_64`: the last says it in numbers.
    tag = file.stem.rsplit("-", 1)[1].split(".")[-1]
    found = re.search(r'following platform tag:\s+"(\w+)"', said)
    if found is None or glibc(found[1]) > glibc(tag):
        sys.exit(f"auditwheel does not find {file.name} to be {tag}:\n{said}")
    run(sys.executable, "-m", "venv", folder / "venv")
    bin = folder / "venv" / "bin"
    run(bin / "pip", "install", "--quiet", "--disable-pip-version-check", file)
    version = run(bin / "palmette", "--version")
    for command in ([bin / "palmette"], [bin / "python", "-m", "palmette"]):
        expect("the version", run(*command, "--version", cwd=folder), version)
        job(*command, folder=folder, cwd=folder, env=CLEAN)
    printed = run(bin / "python", "-c", IN_PYTHON, cwd=folder, env=CLEAN)
    expect("the sums in Python", [float(word) for word in printed.split()], SUMS)
    words = run(bin / "python", "-c", "import palmette; print(palmette.__version__)", cwd=folder)
    expect("the module's version", f"palmette {words}", version)
    return f"{tag}, {file.stat().st_size / 1e6:.1f} MB"


def sdist(folder: Path) -> str:
    """All that a build needs is there, with the versions of the lock file."""
    with tarfile.open(the("palmette-*[0-9].tar.gz")) as archive:
        archive.extractall(folder, filter="data")
    (top,) = folder.iterdir()
    for name in ("pyproject.toml", "Cargo.toml", "Cargo.lock", "README.md", "LICENSE-MIT"):
        expect(f"{name} in the sdist", (top / name).is_file(), True)
    manifest = next(top.glob("**/crates/python/Cargo.toml"))
    cargo = os.environ.get("CARGO", "cargo")
    words = ("metadata", "--locked", "--offline", "--format-version", "1", "--manifest-path")
    done = subprocess.run([cargo, *words, manifest], capture_output=True, text=True, check=False)
    expect(f"cargo metadata in the sdist ({done.stderr})", done.returncode, 0)
    # Every file of the crates it has, as git knows them.
    crates = sorted(path.parent.name for path in top.glob("crates/*/Cargo.toml"))
    for name in crates:
        listed = run("git", "-C", ROOT, "ls-files", f"crates/{name}/src").splitlines()
        missing = [file for file in listed if not (top / file).exists()]
        expect(f"files of crates/{name} that the sdist lacks", missing, [])
    return f"{len(crates)} crates"


def crates() -> str:
    """All crates that are published can be packed."""
    words = ["package", "--workspace", "--no-verify", "--allow-dirty", "--offline"]
    words += ["--exclude", "palmette-python", "--exclude", "palmette-bench"]
    command = [os.environ.get("CARGO", "cargo"), *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    expect(f"the exit code of cargo package ({done.stderr})", done.returncode, 0)
    # What it misses are examples, which lie beside the crates, and addresses, which nobody has.
    known = ("manifest has no documentation", "ignoring example")
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    expect("warnings", [line for line in warnings if not line[9:].startswith(known)], [])
    return f"{done.stderr.count('Packaged')} packed"


def pages(prefix: Path) -> str:
    """Manual pages have no warnings, completions load."""
    man = sorted((prefix / "share" / "man" / "man1").glob("*.1"))
    expect("manual pages", bool(man), True)
    if shutil.which("groff"):
        for page in man:
            run("groff", "-man", "-Tutf8", "-ww", "-z", page)
    shells = {
        "bash": ("share/bash-completion/completions/palmette", ["--norc", "-c", 'source "$0" && complete -p palmette']),
        "zsh": ("share/zsh/site-functions/_palmette", ["-n"]),
        "fish": ("share/fish/vendor_completions.d/palmette.fish", ["--no-execute"]),
    }
    tried = [shell for shell in shells if shutil.which(shell)]
    for shell, (file, words) in shells.items():
        expect(file, (prefix / file).stat().st_size > 1000, True)
        if shell in tried:
            run(shell, *words, prefix / file)
    return f"{len(man)} pages{'' if shutil.which('groff') else ' (groff is not there)'}, {', '.join(tried)}"


def size_and_start(program: Path) -> str:
    megabytes = program.stat().st_size / 1e6
    if megabytes > MOST_MB:
        sys.exit(f"the command has {megabytes:.1f} MB, more than {MOST_MB:g}")
    # Others are busy on the machine: the best of many is what it takes.
    milliseconds = min(start(program) for _ in range(60))
    if milliseconds > MOST_MS:
        sys.exit(f"`palmette --version` takes {milliseconds:.1f} ms, more than {MOST_MS:g}")
    return f"{megabytes:.1f} MB, starts in {milliseconds:.1f} ms"


def start(program: Path) -> float:
    before = time.perf_counter()
    actions = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawn(program, [program, "--version"], CLEAN, file_actions=actions)
    expect("the exit code", os.waitpid(process, 0)[1], 0)
    return 1e3 * (time.perf_counter() - before)


def system() -> Path | None:
    """A Debian with nothing but its base, made once; none where that is not possible."""
    root = TOOLS / f"root-{SUITE}"
    if root.exists():
        return root
    ways = (["mmdebstrap", "--variant=essential"], ["debootstrap", "--variant=minbase"])
    way = next((way for way in ways if shutil.which(way[0])), None)
    if os.geteuid() != 0 or way is None:
        return None
    # A folder that failed is left alone: the system's own files may be mounted in it.
    fresh = Path(tempfile.mkdtemp(prefix="root-", dir=TOOLS))
    done = subprocess.run([*way, SUITE, fresh], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{way[0]}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    fresh.chmod(0o755)
    fresh.rename(root)
    return root


def debian(folder: Path) -> str:
    """The package, installed where nothing else is, used, and removed again."""
    file = the("*.deb")
    root = system()
    if root is None:
        run("dpkg-deb", "-x", file, folder)
        job(folder / "usr" / "bin" / "palmette", folder=folder, cwd=folder, env=CLEAN)
        return "unpacked only: no root by mmdebstrap or debootstrap"
    inside = ["chroot", str(root)]
    home = root / "srv"
    shutil.copy(file, home / "palmette.deb")
    run(*inside, "dpkg", "--install", "/srv/palmette.deb", env=CLEAN)
    try:
        job(*inside, "sh", "-c", 'cd /srv && palmette "$@"', "sh", folder=home, env=CLEAN)
        files = run(*inside, "dpkg", "--listfiles", "palmette", env=CLEAN).split()
        for end in ("man1/palmette.1.gz", "completions/palmette", "palmette/copyright"):
            expect(end, any(name.endswith(end) for name in files), True)
    finally:
        run(*inside, "dpkg", "--purge", "palmette", env=CLEAN)
    expect("files left", (root / "usr" / "bin" / "palmette").exists(), False)
    return f"in a fresh {SUITE}"


def tarball(folder: Path) -> tuple[str, Path]:
    """Unpacked below a prefix, used there and in the Debian of `system`."""
    with tarfile.open(the("palmette-*-linux.tar.gz")) as archive:
        archive.extractall(folder, filter="data")
    (top,) = folder.iterdir()
    work = folder / "work"
    work.mkdir()
    job(top / "bin" / "palmette", folder=work, cwd=work, env=CLEAN)
    root = system()
    if root is None:
        return "in a fresh prefix", top
    shutil.copy(top / "bin" / "palmette", root / "srv" / "palmette")
    command = ["chroot", root, "sh", "-c", 'cd /srv && ./palmette "$@"', "sh"]
    job(*command, folder=root / "srv", env=CLEAN)
    return f"in a fresh prefix and a fresh {SUITE}", top


def main() -> None:
    temporary = Path(tempfile.mkdtemp(prefix="palmette-"))

    def tried(what: str, attempt: object, *arguments: object) -> object:
        before = time.perf_counter()
        folder = temporary / what
        folder.mkdir()
        found = attempt(folder, *arguments)
        said = found[0] if isinstance(found, tuple) else found
        print(f"{what:12}{time.perf_counter() - before:6.1f} s  {said or ''}", flush=True)
        return found

    try:
        tried("checksums", lambda _: checksums())
        top = tried("tarball", tarball)[1]
        tried("command", lambda _: size_and_start(top / "bin" / "palmette"))
        tried("pages", lambda _: pages(top))
        tried("deb", debian)
        tried("sdist", sdist)
        tried("crates", lambda _: crates())
        tried("wheel", wheel)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    print("make try-dist: all of dist/ works")


if __name__ == "__main__":
    main()
