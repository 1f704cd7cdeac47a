"""The extension module. The modules that wrap it check its arguments."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_Integers = NDArray[np.int64]
_Floats = NDArray[np.float64]
_Array = NDArray[Any]
_Run = tuple[str, list[_Array]]

__version__: str

MOST_THREADS: int
DEFAULT_SEED: int
DEFAULT_REPLAY: str
DEFAULT_HOP_LATENCY: int
DEFAULT_RAMP_LATENCY: int
DEFAULT_COMPUTE_LATENCY: int
DEFAULT_LINK_CAPACITY: int
DEFAULT_TOLERANCE: float
DEFAULT_PRECONDITIONER: str
DEFAULT_RULE: str
DEFAULT_BISECTION: str
DEFAULT_PLACEMENT: str
DEFAULT_IMBALANCE: float
DEFAULT_ROUTING: str
DEFAULT_CHANNELS: int
DEFAULT_CURVE: str
DEFAULT_ORDER: str
DEFAULT_DELIVERY: str
DEFAULT_TIME_LIMIT: float
DEFAULT_WORDS: int
DEFAULT_ALPHA: float
DEFAULT_KR_ORDER: float

class ConvergenceError(ValueError):
    """The solver stopped before the residual was small enough."""

    iterations: int
    residual: float

class ProgramError(RuntimeError):
    """A program went wrong on the machine."""

    processor: int
    step: int

class Processor:
    """A processor as its program sees it: its address, and a way to send."""

    @property
    def me(self) -> int:
        """The address of this processor, from 0 along the curve."""
    @property
    def count(self) -> int:
        """The number of processors."""
    def send(self, to: int, message: Any) -> None:
        """Sends a message. It costs the distance to the receiver."""
    def random(self) -> int:
        """64 random bits, decided by the machine's seed, the processor and its step."""

class Machine:
    def __init__(self, processors: int, options: dict[str, Any]) -> None: ...
    def run(self, program: dict[str, Any], states: _Array) -> None: ...
    def record(self, name: str, picture: bool) -> str: ...
    def link_loads(self) -> tuple[int, int, list[list[int]]]: ...
    def messages(self) -> tuple[list[str], list[list[int]]] | None: ...

def spatial_study(
    name: str, runs: list[tuple[Machine, bool | None]], bounds: list[tuple[str, str]]
) -> str: ...
def spatial_deliveries(patterns: int) -> list[str]: ...
def pcoa(
    distances: _Floats, n: int, axes: int, seed: int, threads: int | None
) -> tuple[list[_Floats], list[float], list[float], tuple[int, float] | None]: ...
def set_kept_memory(bytes: int) -> None: ...
def get_kept_memory() -> int: ...
def set_threads(threads: int) -> None:
    """Sets the default number of threads for calls (0 = one per core)."""

def get_threads() -> int:
    """The default number of threads for calls."""

def arrow_numbers(object: object, what: str) -> _Array | None: ...
def operator_names() -> list[tuple[str, int]]: ...
def run_command(program: list[str], arguments: list[str]) -> int: ...
def record_html(json: str) -> str: ...
def picture_html(title: str, svg: str) -> str: ...

class Arrow:
    def __init__(
        self, names: list[str], arrays: list[_Array], tree: Tree | None, alone: bool
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

class Tree:
    @staticmethod
    def from_arrow(
        table: object,
        id: str | None,
        parent: str | None,
        self_root: bool,
        forest: bool,
        missing_length: float | None,
        threads: int | None,
    ) -> Tree: ...
    @staticmethod
    def from_parents32(
        parents: NDArray[np.uint32],
        signed: bool,
        self_root: bool,
        forest: bool,
        threads: int | None,
    ) -> Tree: ...
    @staticmethod
    def from_parents64(
        parents: _Integers, self_root: bool, forest: bool, threads: int | None
    ) -> Tree: ...
    @staticmethod
    def generate(
        shape: str, seed: int, shuffle: bool, with_lengths: bool, threads: int | None
    ) -> Tree: ...
    @staticmethod
    def read(
        path: str,
        bytes: bytes | None,
        format: str | None,
        tree: str | None,
        header: bool | None,
        self_root: bool,
        forest: bool,
        missing_length: float | None,
        threads: int | None,
    ) -> Tree: ...
    @staticmethod
    def join(trees: list[Tree]) -> Tree: ...
    def with_labels(self, labels: list[str], lengths: list[float] | None) -> Tree: ...
    def __len__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def root_count(self) -> int: ...
    @property
    def has_labels(self) -> bool: ...
    @property
    def has_lengths(self) -> bool: ...
    def roots(self) -> _Integers: ...
    def parents(self) -> _Integers: ...
    def preorder(self) -> _Integers: ...
    def measure(self, name: str, lengths: _Floats | None, threads: int | None) -> _Array: ...
    def lengths(self) -> _Floats | None: ...
    def labels(self) -> list[str]: ...
    def label(self, vertex: int) -> str: ...
    def parsimony(
        self,
        path: str | None,
        names: list[str],
        sequences: list[bytes],
        cost_file: str | None,
        cost: list[float] | None,
        kind: str | None,
        alphabet: str | None,
        gaps: str,
        states: str | None,
        ignore_missing: bool,
        threads: int | None,
    ) -> tuple[
        _Floats, _Floats | None, tuple[NDArray[np.uint32], list[str]] | None, str, str
    ]: ...
    def find(self, labels: list[str]) -> _Integers: ...
    def origin(self) -> _Integers | None: ...
    def support(self) -> _Floats | None: ...
    def subtree(self, vertices: _Integers) -> Tree: ...
    def prune(self, vertices: _Integers, keep: bool, unifurcations: str) -> Tree: ...
    def reroot(self, way: str, vertices: _Integers, fraction: float) -> Tree: ...
    def reordered(self, order: str) -> Tree: ...
    def collapse(
        self, shorter_than: float | None, support_below: float | None, lengths: str
    ) -> Tree: ...
    def resolve(self, method: str, seed: int) -> Tree: ...
    def renamed(self, vertices: _Integers, names: list[str]) -> Tree: ...
    def graft(self, other: Tree, vertex: int, above: bool, fraction: float) -> Tree: ...
    def device_treefix(
        self,
        way: str,
        operator: str,
        columns: list[_Array],
        scope: str,
        engine: str,
        wrapping: bool,
        modulus: int | None,
        seed: int,
        sum: str,
        error_bound: bool,
        threads: int | None,
    ) -> tuple[list[_Array], int]: ...
    def treefix(
        self,
        way: str,
        operator: str,
        columns: list[_Array],
        scope: str,
        engine: str,
        wrapping: bool,
        modulus: int | None,
        seed: int,
        sum: str,
        error_bound: bool,
        preorder: bool,
        out: _Array | None,
        threads: int | None,
    ) -> tuple[list[_Array], int]: ...
    def sums(
        self,
        down: bool,
        values: _Array,
        columns: int | None,
        exclusive: bool,
        wrapping: bool,
        preorder: bool,
        out: _Array | None,
        threads: int | None,
    ) -> tuple[_Array, int] | None: ...
    def permuted(self, values: _Array, back: bool, threads: int | None) -> _Array: ...
    def treefix_pointer(
        self,
        way: str,
        address: int,
        keep: object,
        identity: float,
        values: _Array,
        scope: str,
        engine: str,
        threads: int | None,
    ) -> _Array: ...
    def treefix_callable(
        self, way: str, function: Any, identity: float, values: _Array, scope: str
    ) -> _Array: ...
    def lca_pair(self, u: int, v: int) -> int | None: ...
    def lca(self, u: _Integers, v: _Integers, threads: int | None) -> _Integers: ...
    def edge_distance(self, u: _Integers, v: _Integers, threads: int | None) -> _Integers: ...
    def length_distance(
        self, u: _Integers, v: _Integers, lengths: _Floats | None, threads: int | None
    ) -> _Floats: ...
    def path(
        self,
        u: _Integers,
        v: _Integers,
        operator: str,
        columns: list[_Array],
        on_edges: bool,
        wrapping: bool,
        modulus: int | None,
        seed: int,
        threads: int | None,
    ) -> tuple[list[_Array], list[bool] | None]: ...
    def tip_vertices(self) -> _Integers: ...
    def find_tips(self, names: list[str]) -> _Integers: ...
    def diversity(
        self,
        metric: str,
        starts: _Integers,
        tips: _Integers,
        counts: _Floats,
        lengths: _Floats | None,
        alpha: float,
        order: float,
        root_length: bool,
        threads: int | None,
    ) -> _Floats: ...
    def layout(
        self,
        curve: str,
        order: str,
        grid: tuple[int, int] | None,
        seed: int,
        time_limit: float,
        threads: int | None,
    ) -> Layout: ...
    def draw(
        self,
        layout: str,
        colour: str | None,
        numbers: _Floats | None,
        words: list[str | None] | None,
        highlight: list[tuple[int, str]],
        collapse: list[int],
        tips: int | None,
        lengths: bool,
        unit: str,
        support: float | None,
        page: bool,
    ) -> str: ...

class Layout:
    def places(self) -> tuple[_Integers, _Integers]: ...
    def positions(self) -> _Integers: ...
    @property
    def grid(self) -> tuple[int, int]: ...
    @property
    def curve(self) -> str: ...
    @property
    def order(self) -> str: ...
    @property
    def vertices(self) -> int: ...
    @property
    def energy(self) -> int: ...
    @property
    def energy_per_vertex(self) -> float: ...
    @property
    def longest_edge(self) -> int: ...
    @property
    def max_link_load(self) -> int | None: ...
    def svg(self) -> str: ...

class Graph:
    @staticmethod
    def from_entries(
        name: str,
        shape: tuple[int, int],
        rows: _Integers,
        columns: _Integers,
        values: _Floats,
        form: str,
        threads: int | None,
    ) -> Graph: ...
    @staticmethod
    def generate(shape: str, weights: str, seed: int, threads: int | None) -> Graph: ...
    @staticmethod
    def read(path: str, format: str | None, threads: int | None) -> Graph: ...
    def __len__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def edge_count(self) -> int: ...
    @property
    def form(self) -> str: ...
    def rows(self) -> tuple[_Integers, _Integers, _Floats]: ...
    def ground(self) -> _Floats | None: ...
    def currents(self) -> _Floats | None: ...
    def loads(self) -> _Floats | None: ...
    def supplies(self) -> _Floats | None: ...
    @property
    def rounding(self) -> tuple[int, float, bool] | None: ...
    def nodes(self) -> list[str] | None: ...
    def voltages(self, potentials: _Floats) -> _Floats: ...
    def node(self, label: str) -> int: ...
    def sparsify(
        self,
        rule: str,
        budget: str | None,
        engine: str | None,
        beta_cap: int | None,
        threads: int | None,
    ) -> tuple[_Integers, _Integers, int]: ...
    def subgraph(self, ends: _Integers) -> Graph: ...
    def resistance(self, u: _Integers, v: _Integers, options: dict[str, Any]) -> _Floats: ...
    def solver(self, options: dict[str, Any]) -> Solver: ...

class Solver:
    def __len__(self) -> int: ...
    @property
    def preconditioner(self) -> str: ...
    @property
    def factor_entries(self) -> int | None: ...
    @property
    def skeleton_edges(self) -> int | None: ...
    @property
    def setup_seconds(self) -> tuple[float, float, float]: ...
    def solve(
        self, currents: list[_Floats]
    ) -> list[tuple[_Floats, int, float, float, _Floats]]: ...
    def precondition(self, currents: _Floats) -> _Floats: ...

class Mesh:
    @staticmethod
    def from_cells(
        name: str,
        points: _Floats,
        blocks: list[tuple[str, _Integers]],
        threads: int | None,
    ) -> Mesh: ...
    @staticmethod
    def generate(shape: str, seed: int, threads: int | None) -> Mesh: ...
    @staticmethod
    def read(
        path: str, format: str | None, xyz: str | None, merge: bool, threads: int | None
    ) -> Mesh: ...
    def __len__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def edge_count(self) -> int: ...
    @property
    def element_count(self) -> int: ...
    @property
    def dimension(self) -> int: ...
    def coincident(self) -> int: ...
    def components(self) -> int: ...
    def points(self) -> _Floats: ...
    def elements(self) -> tuple[_Integers, _Integers]: ...
    def partition(
        self,
        options: dict[str, Any],
        elements: bool,
        weights: _Integers | None,
        threads: int | None,
    ) -> tuple[_Integers, str]: ...
    def svg(self, parts: _Integers | None, elements: bool, count: int) -> str: ...
    def map(
        self,
        options: dict[str, Any],
        cut: dict[str, Any],
        weights: _Integers | None,
        threads: int | None,
    ) -> Mapping: ...

class Mapping:
    def parts(self) -> _Integers: ...
    def processors(self) -> _Integers: ...
    @property
    def machine(self) -> str: ...
    def figures(self) -> str: ...
    def messages(self) -> _Integers: ...
    def loads(self) -> _Integers | None: ...
    def coordinates(self) -> _Integers | None: ...
    def phases(self) -> _Integers | None: ...
    def routes(self) -> str: ...
    def svg(self) -> str | None: ...

def spatial_run_treefix(
    tree: Tree, columns: list[_Array], operation: dict[str, Any], place: dict[str, Any]
) -> _Run: ...
def spatial_run_lca(
    tree: Tree, u: _Integers, v: _Integers, place: dict[str, Any]
) -> _Run: ...
def spatial_run_layout(tree: Tree, place: dict[str, Any]) -> _Run: ...
def spatial_run_message(
    tree: Tree,
    reduce: bool,
    columns: list[_Array],
    operation: dict[str, Any],
    place: dict[str, Any],
) -> _Run: ...
