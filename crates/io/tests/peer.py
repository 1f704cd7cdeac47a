"""Reads what our writers wrote with meshio, and writes MSH files for our reader.

The folder has zoo.msh, zoo.vtu, text.vtk and binary.vtk: four solids of four kinds, with
fields. The files written are the same solids and faces, in every form of MSH.
"""

import sys
from pathlib import Path

import meshio
import numpy as np

folder = Path(sys.argv[1])
kinds = ["hexahedron", "wedge", "pyramid", "tetra"]
solids = {
    "hexahedron": [[0, 1, 2, 3, 4, 5, 6, 7]],
    "wedge": [[1, 8, 2, 5, 9, 6]],
    "pyramid": [[4, 5, 6, 7, 11]],
    "tetra": [[4, 5, 11, 12]],
}
faces = {"quad": [[0, 1, 2, 3]], "triangle": [[1, 8, 2]]}

gmsh = meshio.read(folder / "zoo.msh")
points = gmsh.points
assert points.shape == (13, 3) and points[9].tolist() == [1.0, 1 / 3, 2 / 3], points
for kind, cells in {**solids, **faces}.items():
    assert gmsh.cells_dict[kind].tolist() == cells, kind
assert gmsh.field_data["the body"].tolist() == [1, 3], gmsh.field_data

for name, space in [("zoo.vtu", " "), ("text.vtk", "_"), ("binary.vtk", "_")]:
    mesh = meshio.read(folder / name)
    assert np.array_equal(mesh.points, points), name
    assert [block.type for block in mesh.cells] == kinds, name
    for block in mesh.cells:
        assert block.data.tolist() == solids[block.type], name
    parts = np.concatenate(mesh.cell_data["part"])
    assert parts.dtype == np.int32 and parts.tolist() == [3, -1, 2, 2**31 - 1], (name, parts)
    load = np.concatenate(mesh.cell_data[f"load{space}<N>"]).tolist()
    assert load == [0.1, -1e300, 5e-324, 0.0], (name, load)
    owner = mesh.point_data["owner"]
    # Of either byte order.
    assert owner.dtype.str[1:] == "i4" and owner.tolist() == list(range(13)), (name, owner)
    assert mesh.point_data["heat"].tolist() == [i / 7 for i in range(13)], name
    numbers = np.arange(39) / 3
    # Vectors of two numbers get a third, 0.
    two = np.pad(numbers[:26].reshape(13, 2), ((0, 0), (0, 1)))
    for field, expected in [("one", numbers[:13]), ("two", two), ("three", numbers.reshape(13, 3))]:
        found = mesh.point_data[field]
        assert np.array_equal(found.reshape(expected.shape), expected), (name, field, found)
    pull = np.concatenate(mesh.cell_data["pull"])
    assert np.array_equal(pull[:, :2], numbers[:8].reshape(4, 2)) and not pull[:, 2].any(), pull

cells = [(kind, np.array(nodes)) for kind, nodes in {**faces, **solids}.items()]
tags = [np.array([4]), np.array([4])] + [np.array([1])] * 4
entities = [np.array([i + 1]) for i in range(6)]
mesh = meshio.Mesh(
    points,
    cells,
    # Version 4.1 wants to know on which part of a geometry nodes lie.
    point_data={"gmsh:dim_tags": np.array([[3, 1]] * 13)},
    cell_data={"gmsh:physical": tags, "gmsh:geometrical": entities},
    field_data={"the body": np.array([1, 3]), "floor": np.array([4, 2])},
)
for version, name in [("2.2", "gmsh22"), ("4.1", "gmsh")]:
    for binary, form in [(False, "text"), (True, "binary")]:
        meshio.write(folder / f"{name}_{form}.msh", mesh, file_format=name, binary=binary)

# It writes version 4.0 without entities, so that elements have no groups there.
plain = meshio.Mesh(points, cells, field_data=mesh.field_data)
for binary, form in [(False, "text"), (True, "binary")]:
    meshio.gmsh.write(folder / f"gmsh40_{form}.msh", plain, fmt_version="4.0", binary=binary)
