# The peers' loaders; protocol.py comes before it. What a user would do once for a
# graph (formats, sorting, offsets) is done when a form is set up and is in no
# measurement. A loader's epochs follow each other without end.

import itertools

import numpy as np

try:
    import torch_geometric
    from torch_geometric.data import Data
    from torch_geometric.loader import NeighborLoader
    from torch_geometric.typing import WITH_PYG_LIB, WITH_TORCH_SPARSE

    backend = "pyg-lib" if WITH_PYG_LIB else "torch-sparse" if WITH_TORCH_SPARSE else "no sampler"
    VERSIONS.append(f"PyG {torch_geometric.__version__} with {backend}")
except Exception:
    torch_geometric = None
try:
    import dgl

    VERSIONS.append("DGL " + dgl.__version__)
except Exception:
    dgl = None
VERSIONS.append("NumPy " + np.__version__)

OUTPUT_BATCHES = 50


class Graph:
    """The edge list, and what is made of it when a form needs it."""

    def __init__(self, args, tensors):
        self.n = args["vertices"]
        self.src, self.dst = tensors
        self.lazy = {}

    def once(self, name, build):
        if name not in self.lazy:
            self.lazy[name] = build()
        return self.lazy[name]

    def dgl(self):
        def build():
            return dgl.graph((self.src, self.dst), num_nodes=self.n).formats(["csc"])

        return self.once("dgl", build)

    def pyg(self):
        def build():
            ends = torch.stack([self.src.long(), self.dst.long()])
            return Data(edge_index=ends, num_nodes=self.n)

        return self.once("pyg", build)

    def csc(self):
        """Offsets of each vertex's in-edges, their sources and ids, in NumPy."""

        def build():
            dst = self.dst.numpy()
            order = np.argsort(dst, kind="stable").astype(np.int32)
            offsets = np.concatenate([[0], np.bincount(dst, minlength=self.n).cumsum()])
            return offsets, self.src.numpy()[order], order

        return self.once("csc", build)


CURRENT = None


def graph(args, tensors):
    global CURRENT
    CURRENT = Graph(args, tensors)
    return None, None


def dgl_batches(g, fanouts, batch, workers, fused=True):
    if dgl is None:
        raise RuntimeError("no DGL")
    sampler = dgl.dataloading.NeighborSampler(fanouts[::-1], fused=fused)  # the first layer's first
    seeds = torch.arange(g.n, dtype=torch.int32)
    loader = dgl.dataloading.DataLoader(g.dgl(), seeds, sampler, batch_size=batch, shuffle=True, num_workers=workers)
    while True:
        yield from loader


def dgl_size(batch):
    vertices, _, blocks = batch
    return sum(b.num_edges() for b in blocks), len(vertices)


def pyg_batches(g, fanouts, batch, workers):
    if torch_geometric is None:
        raise RuntimeError("no PyTorch Geometric")
    loader = NeighborLoader(g.pyg(), num_neighbors=fanouts, batch_size=batch, shuffle=True, num_workers=workers)
    while True:
        yield from loader


def pyg_size(batch):
    return batch.edge_index.shape[1], batch.num_nodes


def take_all(first, degree):
    """The positions of all edges of rows, and each one's row."""
    row = np.repeat(np.arange(len(degree)), degree)
    start = np.repeat(first - np.concatenate([[0], degree.cumsum()[:-1]]), degree)
    return start + np.arange(len(row)), row


def choose_vectorised(rng, first, degree, k):
    """k different ones of each row by Floyd's algorithm, all rows at a time."""
    chosen = np.empty((len(first), k), np.int64)
    for i in range(k):
        j = degree - k + i
        at = (rng.random(len(first)) * (j + 1)).astype(np.int64)
        taken = (chosen[:, :i] == at[:, None]).any(axis=1)
        chosen[:, i] = np.where(taken, j, at)
    return (first[:, None] + chosen).reshape(-1)


def choose_loop(rng, first, degree, k):
    """k different ones of each row, row by row: the sampler everybody writes first."""
    return np.concatenate([f + rng.choice(d, k, replace=False) for f, d in zip(first, degree)] or [first])


def numpy_batches(g, fanouts, batch, choose):
    offsets, sources, ids = g.csc()
    rng = np.random.default_rng(1)
    local = np.full(g.n, -1, np.int32)  # the id of a vertex in the batch
    while True:
        order = rng.permutation(g.n).astype(np.int32)
        for begin in range(0, g.n, batch):
            vertices = order[begin : begin + batch]
            local[vertices] = np.arange(len(vertices), dtype=np.int32)
            blocks = []
            for k in fanouts:
                first, degree = offsets[vertices], offsets[vertices + 1] - offsets[vertices]
                few, many = np.flatnonzero(degree <= k), np.flatnonzero(degree > k)
                positions, row = take_all(first[few], degree[few])
                positions = np.concatenate([positions, choose(rng, first[many], degree[many], k)])
                dst = np.concatenate([few[row], np.repeat(many, k)]).astype(np.int32)
                ends = sources[positions]
                new = np.unique(ends[local[ends] < 0])
                local[new] = np.arange(len(vertices), len(vertices) + len(new), dtype=np.int32)
                vertices = np.concatenate([vertices, new])
                blocks.append((local[ends], dst, ids[positions]))
            local[vertices] = -1
            yield vertices, blocks[::-1]


def numpy_size(batch):
    vertices, blocks = batch
    return sum(len(src) for src, _, _ in blocks), len(vertices)


def form(args, tensors):
    name, fanouts, batch, workers = args["form"], args["fanouts"], args["batch"], args["workers"]
    batches, size = {
        "dgl": lambda: (dgl_batches(CURRENT, fanouts, batch, 0), dgl_size),
        "dgl-unfused": lambda: (dgl_batches(CURRENT, fanouts, batch, 0, fused=False), dgl_size),
        "dgl-workers": lambda: (dgl_batches(CURRENT, fanouts, batch, workers), dgl_size),
        "pyg": lambda: (pyg_batches(CURRENT, fanouts, batch, 0), pyg_size),
        "pyg-workers": lambda: (pyg_batches(CURRENT, fanouts, batch, workers), pyg_size),
        "numpy-vectorised": lambda: (numpy_batches(CURRENT, fanouts, batch, choose_vectorised), numpy_size),
        "numpy": lambda: (numpy_batches(CURRENT, fanouts, batch, choose_loop), numpy_size),
    }[name]()

    def output():
        sizes = [size(b) for b in itertools.islice(batches, OUTPUT_BATCHES)]
        return [torch.tensor(sizes, dtype=torch.float32).mean(0)]

    return timed(lambda: next(batches)), output


CASES = {"graph": graph, "form": form}
