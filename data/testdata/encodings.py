"""Writes encodings.txt: what transforms of PyTorch Geometric compute, in float64.

Usage: python3 encodings.py > encodings.txt   (PyTorch 2, PyTorch Geometric 2.8)

Every line is the name of a case and of a matrix, its shape, and its numbers. "edges" are the
sources and destinations of the edges, "vertices" how many vertices there are. "walks" is
AddRandomWalkPE of four steps, by its sparse path, which counts parallel edges, in place of
that for up to 2000 vertices, which does not. "profile" is LocalDegreeProfile. "laplacian" is
AddLaplacianEigenvectorPE of three vectors, up to signs and to the choice of a basis where
"eigenvalues", of the Laplacian that the transform solves, are the same.
"virtual" and "types" are the edges and their types after VirtualNode.
"""

import random
import sys

import torch
import torch_geometric.transforms as T
import torch_geometric.transforms.add_positional_encoding as encoding
from torch_geometric.data import Data

torch.set_default_dtype(torch.float64)


class Matrix:
    """What the transform wants of SciPy's sparse matrices."""

    def __init__(self, index, values, n):
        Matrix.last = self.dense = torch.zeros(n, n).index_put((index[0], index[1]), values, accumulate=True)

    def todense(self):
        return self.dense.numpy()


encoding.to_scipy_sparse_matrix = Matrix


def both(edges):
    return edges + [(v, u) for u, v in edges]


CASES = {
    "triangle with a tail": (5, both([(0, 1), (1, 2), (0, 2), (2, 3), (3, 4)])),
    "loops and parallel edges": (6, both([(0, 1), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (1, 4), (5, 2)]) + [(3, 3), (3, 3), (0, 0)]),
    "an isolated vertex": (5, both([(0, 1), (0, 3), (3, 4)])),
    "directed": (6, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (3, 4), (4, 3), (4, 4), (1, 0), (5, 0)]),
}


def show(case, name, t):
    print(case, name, ",".join(map(str, t.shape)), *("%.15g" % (x if abs(x) > 1e-14 else 0) for x in t.flatten().tolist()), sep="|")


def show_case(case, n, edges):
    index = torch.tensor(edges, dtype=torch.int64).reshape(-1, 2).T.contiguous()
    show(case, "vertices", torch.tensor(n))
    show(case, "edges", index)
    show(case, "walks", T.AddRandomWalkPE(4)(Data(edge_index=index, num_nodes=n + 2000)).random_walk_pe[:n])
    show(case, "profile", T.LocalDegreeProfile()(Data(edge_index=index, num_nodes=n)).x)
    types = torch.arange(len(edges)) % 2 if edges else torch.zeros(0, dtype=torch.int64)
    virtual = T.VirtualNode()(Data(edge_index=index, edge_type=types, num_nodes=n))
    show(case, "virtual", virtual.edge_index)
    show(case, "types", virtual.edge_type)
    if case != "directed":
        pe = T.AddLaplacianEigenvectorPE(3, is_undirected=True)(Data(edge_index=index, num_nodes=n))
        show(case, "eigenvalues", torch.linalg.eigvalsh(Matrix.last))
        show(case, "laplacian", pe.laplacian_eigenvector_pe)


if len(sys.argv) > 1:  # random graphs, as many as are asked for
    random.seed(1)
    for i in range(int(sys.argv[1])):
        n = random.randint(4, 40)
        edges = [(random.randrange(n), random.randrange(n)) for _ in range(random.randint(1, 3 * n))]
        edges += [(v, u) for u, v in edges if u != v]
        show_case("random %d" % i, n, edges)
        show_case("directed", n, edges[: len(edges) // 2])
else:
    for case, (n, edges) in CASES.items():
        show_case(case, n, edges)
