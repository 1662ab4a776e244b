"""Measured laws of cloth with their uncertainty, and cloth in motion.

Units are SI and named in every parameter; angles are in degrees from the warp. Arrays are NumPy's, of float64, and
are broadcast. An error of the library is raised with its sentence: where, what, got, wanted.

    import clothbench
    with clothbench.open("materials.db") as database:
        law = database.law("kinetic", "Royal Target", "Plastic Foam")
    law.friction_force(angle_deg=[0, 45, 90], normal_force_N=1).value
"""
from __future__ import annotations

import json
import os
import threading
import weakref
from dataclasses import dataclass
from typing import Any, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._binding import ffi

_lib = ffi.dlopen(os.path.join(os.path.dirname(__file__), "libclothbench.so"))

__version__ = ffi.string(_lib.clothbench_version()).decode()
KINDS = ("kinetic", "static", "self-friction", "stretch", "bending", "permeability", "compression")


class Error(Exception):
    """A call that failed. status: the number of clothbench_status."""

    status = 0


class NotFound(Error, LookupError):
    """No such cloth, body, law or run."""


class Invalid(Error, ValueError):
    """A value out of range, a text that cannot be read, or a wrong kind of law."""


_ERRORS = {-1: Invalid, -4: Invalid, -5: Invalid, -10: NotFound}


def _call(function: Any, *arguments: Any) -> None:
    error = ffi.new("clothbench_error *")
    status = function(*arguments, error)
    if status != 0:
        failure = _ERRORS.get(status, Error)(ffi.string(error.message).decode())
        failure.status = status
        raise failure


def _bytes(text: str | os.PathLike | None) -> Any:
    if text is None:
        return ffi.NULL
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise Invalid(f"{text!r}: a text without zero bytes was wanted")
    return encoded


def _text(function: Any, *arguments: Any) -> str:
    """The text that a function returns through its last but one parameter."""
    out = ffi.new("char **")
    _call(function, *arguments, out)
    try:
        return ffi.string(out[0]).decode()
    finally:
        _lib.clothbench_free(out[0])


def _kind(kind: str) -> int:
    if kind not in KINDS:
        raise Invalid(f"kind '{kind}': one of {', '.join(KINDS)} was wanted")
    return KINDS.index(kind)


def _html(columns: list[str], rows: list[list[Any]]) -> str:
    from html import escape

    def cell(x: Any) -> str:
        return escape(f"{x:.5g}" if isinstance(x, float) else str(x))

    head = "".join(f"<th>{escape(c)}</th>" for c in columns)
    body = "".join("<tr>" + "".join(f"<td>{cell(x)}</td>" for x in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


# ---- laws ----


@dataclass(frozen=True)
class Band:
    """What a law says at n points, in the shape of the points.

    value; u: standard uncertainty (k = 1), NaN where unknown; low, high: 95 % interval; measured: the point lies
    within the measured range."""

    value: NDArray[np.float64]
    u: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    measured: NDArray[np.bool_]

    def _repr_html_(self) -> str:
        columns = [np.ravel(x)[:20].tolist() for x in (self.value, self.u, self.low, self.high, self.measured)]
        return _html(["value", "u", "low 95 %", "high 95 %", "measured"], [list(row) for row in zip(*columns)])


def _pointer(array: NDArray) -> Any:
    return ffi.cast("bool *" if array.dtype == np.bool_ else "double *", array.ctypes.data)


class Law:
    """A law of a cloth, or of a cloth on a body: an immutable value. Threads may share it."""

    def __init__(self, handle: Any):
        self._handle = ffi.gc(handle, _lib.clothbench_law_free)

    def _evaluate(self, function: Any, *points: ArrayLike) -> Band:
        arrays = [np.array(p, dtype=np.float64, order="C") for p in np.broadcast_arrays(*points)]
        shape = arrays[0].shape
        out = [np.empty(shape) for _ in range(4)] + [np.empty(shape, dtype=np.bool_)]
        band = ffi.new("clothbench_band *", [_pointer(x) for x in out])
        _call(function, self._handle, arrays[0].size, *map(_pointer, arrays), band)
        return Band(*out)

    def friction_force(self, angle_deg: ArrayLike, normal_force_N: ArrayLike) -> Band:
        """Friction force [N] at a load >= 0."""
        return self._evaluate(_lib.clothbench_friction_force, angle_deg, normal_force_N)

    def mu(self, angle_deg: ArrayLike, normal_force_N: ArrayLike) -> Band:
        """Coefficient of friction at a load > 0."""
        return self._evaluate(_lib.clothbench_friction_mu, angle_deg, normal_force_N)

    def tensor(self, normal_force_N: ArrayLike) -> NDArray[np.float64]:
        """f00, f01, f11 [N] of the quadratic form: one more axis, of 3."""
        loads = np.array(normal_force_N, dtype=np.float64, order="C")
        out = np.empty(loads.shape + (3,))
        _call(_lib.clothbench_friction_tensor, self._handle, loads.size, _pointer(loads), _pointer(out))
        return out

    def self_friction_force(self, angle_deg: ArrayLike, body_angle_deg: ArrayLike, normal_force_N: ArrayLike) -> Band:
        """Friction force [N] of cloth on cloth; body_angle_deg: of sliding, from the warp of the lower cloth."""
        return self._evaluate(_lib.clothbench_self_friction_force, angle_deg, body_angle_deg, normal_force_N)

    def stretch_force(self, angle_deg: ArrayLike, strain: ArrayLike) -> Band:
        """Force per width [N/m] of a strip at an engineering strain >= 0."""
        return self._evaluate(_lib.clothbench_stretch_force, angle_deg, strain)

    def bending_moment(self, angle_deg: ArrayLike, curvature_per_m: ArrayLike) -> Band:
        """Moment per width [N] of a flat strip that is bent for the first time."""
        return self._evaluate(_lib.clothbench_bending_moment, angle_deg, curvature_per_m)

    def bending_rigidity(self, angle_deg: ArrayLike, curvature_per_m: ArrayLike) -> Band:
        """Flexural rigidity [N m]."""
        return self._evaluate(_lib.clothbench_bending_rigidity, angle_deg, curvature_per_m)

    def air_velocity(self, pressure_Pa: ArrayLike) -> Band:
        """Face velocity of air [m/s] through one layer."""
        return self._evaluate(_lib.clothbench_air_velocity, pressure_Pa)

    def thickness(self, pressure_Pa: ArrayLike) -> Band:
        """Thickness [m] of one layer under a pressure that rises."""
        return self._evaluate(_lib.clothbench_thickness, pressure_Pa)

    def draw(self, number: int, seed: int = 0) -> Law:
        """One of the laws that the uncertainty allows; the same seed and number give the same draw."""
        out = ffi.new("clothbench_law **")
        _call(_lib.clothbench_law_draw, self._handle, seed, number, out)
        return Law(out[0])

    def draws(self, n: int, seed: int = 0) -> Iterator[Law]:
        """n draws, numbered from 0."""
        return (self.draw(i, seed) for i in range(n))

    def on_area(self, area_m2: float) -> Law:
        """The same law of friction for another contact area."""
        out = ffi.new("clothbench_law **")
        _call(_lib.clothbench_law_on_area, self._handle, area_m2, out)
        return Law(out[0])

    def json(self) -> dict:
        """All parameters and covariances."""
        return json.loads(_text(_lib.clothbench_law_json, self._handle))

    kind = property(lambda self: KINDS[_lib.clothbench_law_kind(self._handle)], doc="One of KINDS.")
    cloth = property(lambda self: ffi.string(_lib.clothbench_law_cloth(self._handle)).decode(), doc="Its name.")
    body = property(lambda self: ffi.string(_lib.clothbench_law_body(self._handle)).decode(), doc="Its name, or ''.")
    origin = property(lambda self: ffi.string(_lib.clothbench_law_origin(self._handle)).decode(),
                      doc="'measured', 'imported', 'simulated' or 'virtual'.")
    area_m2 = property(lambda self: _lib.clothbench_law_area_m2(self._handle), doc="Contact area; NaN: of another kind.")
    speed_m_per_s = property(lambda self: _lib.clothbench_law_speed_m_per_s(self._handle), doc="NaN: unknown.")

    @property
    def range(self) -> tuple[float, float]:
        """Ends of the measured range: normal force [N], strain, curvature [1/m] or pressure [Pa]."""
        out = ffi.new("double[2]")
        _lib.clothbench_law_range(self._handle, out)
        return out[0], out[1]

    def __repr__(self) -> str:
        pair = self.cloth + (f" on {self.body}" if self.body else "")
        return f"<{self.kind} law of {pair}, {self.origin}, {self.range[0]:.4g} to {self.range[1]:.4g}>"

    def _repr_html_(self) -> str:
        return _html(["kind", "cloth", "body", "origin", "from", "to"],
                     [[self.kind, self.cloth, self.body, self.origin, *self.range]])


# ---- a database ----


class Database:
    """An open database; `with` closes it. Threads take turns."""

    def __init__(self, path: str | os.PathLike, writable: bool = False):
        out = ffi.new("clothbench_database **")
        self._handle, self._lock = None, threading.Lock()
        _call(_lib.clothbench_open, _bytes(path), writable, out)
        self._handle = out[0]

    def close(self) -> None:
        """Closes it; a second time does nothing."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle is not None:
                _call(_lib.clothbench_close, handle)

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            _lib.clothbench_close(self._handle, ffi.NULL)

    def _do(self, call: Any, function: Any, *arguments: Any) -> Any:
        with self._lock:
            if self._handle is None:
                raise Invalid("the database is closed")
            return call(function, self._handle, *arguments)

    def _names(self, kind: int) -> list[str]:
        names, n = ffi.new("const char *const **"), ffi.new("size_t *")
        self._do(_call, _lib.clothbench_names, kind, names, n)
        try:
            return [ffi.string(names[0][i]).decode() for i in range(n[0])]
        finally:
            _lib.clothbench_free(ffi.cast("void *", names[0]))

    def cloths(self) -> list[str]:
        """Names of all cloths."""
        return self._names(_lib.CLOTHBENCH_CLOTH)

    def bodies(self) -> list[str]:
        """Names of all bodies."""
        return self._names(_lib.CLOTHBENCH_BODY)

    def law(self, kind: str, cloth: str, body: str | None = None) -> Law:
        """The newest law of a kind (KINDS); body: of the three kinds of friction."""
        out = ffi.new("clothbench_law **")
        self._do(_call, _lib.clothbench_law_find, _kind(kind), _bytes(cloth), _bytes(body), out)
        return Law(out[0])

    def fit(self, kind: str, cloth: str, body: str | None = None) -> Law:
        """Fits a law to all measurements, stores it, and returns it."""
        self._do(_call, _lib.clothbench_fit, _kind(kind), _bytes(cloth), _bytes(body))
        return self.law(kind, cloth, body)

    def contents(self) -> dict:
        """Materials, campaigns and laws."""
        return json.loads(self._do(_text, _lib.clothbench_contents))

    def card(self, name: str) -> dict:
        """Every property of a cloth or body with value, u, unit and source."""
        return json.loads(self._do(_text, _lib.clothbench_card, _bytes(name)))

    def export(self, name: str, format: str, body: str | None = None) -> str:
        """The text of a file for another program: json, csv, arcsim, u3m, blender, mujoco, newton, pybullet, ppf, clo or jfab."""
        return self._do(_text, _lib.clothbench_export, _bytes(name), _bytes(format), _bytes(body))

    def table_csv(self, which: str) -> str:
        """A tidy table as CSV: runs, points, laws or traces."""
        return self._do(_text, _lib.clothbench_table, _bytes(which))

    def table(self, which: str) -> Any:
        """The same as a pandas DataFrame."""
        import io

        import pandas

        return pandas.read_csv(io.StringIO(self.table_csv(which)))

    def query(self, sql: str) -> list[dict]:
        """The rows of one SQL statement that only reads."""
        answer = json.loads(self._do(_text, _lib.clothbench_query, _bytes(sql)))
        return [dict(zip(answer["columns"], row)) for row in answer["rows"]]

    def verdicts(self) -> list[dict]:
        """All verdicts of predictions against measurements, the newest last."""
        answer = json.loads(self._do(_text, _lib.clothbench_verdicts))
        return [dict(zip(answer["columns"], row)) for row in answer["rows"]]

    def judge_slide(self, run_id: int = 0) -> dict:
        """Judges a measured pull by the laws of its pair; 0: the newest. run_id, passed, worst_en."""
        out = ffi.new("clothbench_verdict *")
        self._do(_call, _lib.clothbench_judge_slide, run_id, out)
        return {"run_id": out.run_id, "passed": getattr(out, "pass"), "worst_en": out.worst_en}

    def _repr_html_(self) -> str:
        laws = self.contents()["laws"]
        return _html(["law", "cloth", "body"], [[x.get("law"), x.get("cloth"), x.get("body")] for x in laws[:50]])


def open(path: str | os.PathLike, writable: bool = False) -> Database:  # pylint: disable=redefined-builtin
    """Opens a database, for reading unless writable."""
    return Database(path, writable)


def import_table(path: str | os.PathLike, kind: str, mapping: str | os.PathLike, table: str | os.PathLike) -> int:
    """Imports a table into the database at `path`, all or nothing; returns the number of measurements. kind:
    friction, permeability, stretch, cantilever, bending-moment, shear, compression or buckling."""
    n = ffi.new("size_t *")
    _call(_lib.clothbench_import, _bytes(path), _bytes(kind), _bytes(mapping), _bytes(table), n)
    return n[0]


# ---- scenes and drapes ----


class _Memory:
    """Memory of a scene as an array that keeps the scene alive."""

    def __init__(self, scene: Scene, pointer: Any, n: int, kind: str):
        self._scene = scene
        scene._views.add(self)
        self.__array_interface__ = {"version": 3, "shape": (n, 3), "typestr": kind,
                                    "data": (int(ffi.cast("uintptr_t", pointer)), True)}


@dataclass(frozen=True)
class Surface:
    """Triangles of a scene: read-only views on its memory, in which the next step writes. Copy what is to last. Where
    a step moves that memory (remeshed cloth), and in load(), BufferError is raised while a view is held.

    position_m, velocity_m_per_s: (n, 3), the latter None where the model tells none; triangle: (m, 3)."""

    position_m: NDArray[np.float64]
    velocity_m_per_s: NDArray[np.float64] | None
    triangle: NDArray[np.intc]


class Scene:
    """A scene file, played step by step, by one thread at a time. database: for the laws of the materials that it
    names."""

    def __init__(self, path: str | os.PathLike, database: Database | None = None):
        out, name = ffi.new("clothbench_scene **"), _bytes(path)

        def read(function: Any, handle: Any) -> None:
            _call(function, name, handle, out)

        if database:
            database._do(read, _lib.clothbench_scene_open)
        else:
            read(_lib.clothbench_scene_open, ffi.NULL)
        self._handle = ffi.gc(out[0], _lib.clothbench_scene_free)
        self._lock, self._views = threading.Lock(), weakref.WeakSet()

    def _let_go(self, what: str) -> None:
        if len(self._views) > 0:
            raise BufferError(f"{what} moves the memory of {len(self._views)} arrays: they were wanted copied, and deleted")

    def step(self, n: int = 1) -> None:
        """Takes n steps."""
        for _ in range(n):
            with self._lock:
                if self.model.startswith("remesh"):
                    self._let_go("remeshing")
                _call(_lib.clothbench_scene_step, self._handle)

    time_s = property(lambda self: _lib.clothbench_scene_time_s(self._handle), doc="From the start.")
    steps = property(lambda self: _lib.clothbench_scene_steps(self._handle), doc="Of the whole scene.")
    done = property(lambda self: _lib.clothbench_scene_done(self._handle), doc="Steps so far.")
    model = property(lambda self: ffi.string(_lib.clothbench_scene_model(self._handle)).decode(), doc="'cloth', ...")

    def surfaces(self) -> list[Surface]:
        """All surfaces as they are now."""
        out, found = ffi.new("clothbench_surface *"), []
        for i in range(_lib.clothbench_scene_surfaces(self._handle)):
            _call(_lib.clothbench_scene_surface, self._handle, i, out)
            moves = out.velocity_m_per_s != ffi.NULL
            found.append(Surface(
                np.asarray(_Memory(self, out.position_m, out.n_vertices, "<f8")),
                np.asarray(_Memory(self, out.velocity_m_per_s, out.n_vertices, "<f8")) if moves else None,
                np.asarray(_Memory(self, out.triangle, out.n_triangles, "<i4"))))
        return found

    def row(self) -> dict[str, float]:
        """time_s, the model's values and the probes, now."""
        n = _lib.clothbench_scene_columns(self._handle)
        values = np.empty(n)
        _lib.clothbench_scene_row(self._handle, _pointer(values))
        return {ffi.string(_lib.clothbench_scene_column(self._handle, i)).decode(): float(values[i]) for i in range(n)}

    def save(self, path: str | os.PathLike) -> None:
        """Saves the state; load() goes on from it with the same bits."""
        _call(_lib.clothbench_scene_save, self._handle, _bytes(path))

    def load(self, path: str | os.PathLike) -> None:
        """Takes over a saved state."""
        self._let_go("loading")
        _call(_lib.clothbench_scene_load, self._handle, _bytes(path))

    def picture(self, path: str | os.PathLike) -> None:
        """Draws the present state as a PNG file."""
        _call(_lib.clothbench_scene_picture, self._handle, _bytes(path))

    def __repr__(self) -> str:
        return f"<scene of {self.model}, {self.time_s:g} s, step {self.done} of {self.steps}>"


@dataclass(frozen=True)
class Drape:
    """A reduced drape; lengths in m. coefficient: 0 to 1; u: its standard uncertainty."""

    coefficient: float
    u: float
    area_m2: float
    radius_mean_m: float
    radius_min_m: float
    radius_max_m: float
    node_height_m: float
    nodes: int


def drape_of_mesh(position_m: ArrayLike, triangle: ArrayLike, support_m: float = 0.18, specimen_m: float = 0.3) -> Drape:
    """Reduces a mesh of a draped disc, z up, by its shadow (ISO 9073-9). support_m, specimen_m: diameters."""
    points = np.ascontiguousarray(position_m, dtype=np.float64).reshape(-1, 3)
    given = np.asarray(triangle).reshape(-1, 3)
    if given.size and (given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= len(points)):
        raise Invalid(f"triangle: {given.min()} to {given.max()}: whole numbers from 0 to {len(points) - 1} were wanted")
    corners = np.ascontiguousarray(given, dtype=np.intc)
    out = ffi.new("clothbench_drape *")
    _call(_lib.clothbench_drape_of_mesh, len(points), _pointer(points), len(corners),
          ffi.cast("int *", corners.ctypes.data), support_m, specimen_m, out)
    return Drape(*(getattr(out, name) for name in Drape.__dataclass_fields__))


def engine_arguments(text: str, edge_m: float) -> tuple[dict[str, float], float | None]:
    """Arguments of the engine's call for a mesh of this edge, and the friction, of an export for newton or pybullet.

    What is not known is left out. Between the meshes of the file each number runs as a power of the edge. An edge beyond them is refused: no proof holds there.
    """
    meshes = json.loads(text)["meshes"]
    edges, call = [mesh["edge_m"] for mesh in meshes], next(key for key in meshes[0] if isinstance(meshes[0][key], dict))
    if not edges[0] * (1 - 1e-9) <= edge_m <= edges[-1] * (1 + 1e-9):
        raise Invalid(f"edge_m: {edge_m:g}: {edges[0]:g} to {edges[-1]:g} were wanted, as the file has them")

    def between(values: list) -> Any:
        if len(set(values)) == 1 or None in values or min(values) <= 0:
            return values[0]
        return float(np.exp(np.interp(np.log(edge_m), np.log(edges), np.log(values))))

    names = meshes[0][call]
    found = {name: between([mesh[call][name] for mesh in meshes]) for name in names}
    return {name: value for name, value in found.items() if value is not None}, between([mesh["friction"] for mesh in meshes])


def en(predicted: float, u95_predicted: float, measured: float, u95_measured: float) -> float:
    """E_n of a prediction against a measurement; they agree if |E_n| <= 1 (ISO 13528)."""
    return _lib.clothbench_en(predicted, u95_predicted, measured, u95_measured)
