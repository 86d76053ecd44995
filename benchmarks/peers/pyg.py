# PyTorch Geometric: its own GCNConv, GINConv and GATConv. GCNConv and GINConv take
# the graph as a sparse matrix, GATConv as a list of edges; both in order of destinations.

import peer
import torch
import torch.nn.functional as F

try:
    import torch_geometric
    from torch_geometric.nn import GATConv, GCNConv, GINConv
except Exception as e:
    peer.missing(e)
try:
    import torch_sparse
except Exception:
    torch_sparse = None


def edges(task):
    order = torch.argsort(task.dst, stable=True)
    return torch.stack([task.src[order], task.dst[order]])


def matrix(task, values):
    n = task.vertices
    order = torch.argsort(task.dst, stable=True)
    rows, columns, values = task.dst[order], task.src[order], values[order]
    if torch_sparse:
        return torch_sparse.SparseTensor(row=rows, col=columns, value=values, sparse_sizes=(n, n), is_sorted=True)
    offsets = torch.zeros(n + 1, dtype=torch.long)
    offsets[1:] = torch.bincount(rows, minlength=n).cumsum(0)
    return torch.sparse_csr_tensor(offsets, columns, values, (n, n))


def gcn_matrix(task):
    """With our normalisation: PyG's own takes in-degrees at both ends."""
    return matrix(task, task.gcn_weights())


def sum_matrix(task):
    return matrix(task, torch.ones(len(task.src)))


class GCN(peer.Layers):
    activation = staticmethod(F.relu)

    def layer(self, layer, heads, width):
        conv = GCNConv(*self.task.initial[f"w{layer}"].shape, normalize=False)
        self.set(conv.lin.weight, f"w{layer}", transposed=True)
        self.set(conv.bias, f"b{layer}")
        return conv

    def features(self):
        return self.task.once(peer.sparse_features)

    def call(self, layer, x):
        return layer(x, self.task.once(gcn_matrix))


class GIN(peer.Layers):
    activation = staticmethod(F.relu)

    def layer(self, layer, heads, width):
        conv = GINConv(torch.nn.Sequential(), train_eps=True)
        conv.nn = self.mlp(layer)  # given to GINConv, it would be initialised anew
        self.set(conv.eps, f"eps{layer}")
        return conv

    def call(self, layer, x):
        return layer(x, self.task.once(sum_matrix))


class GAT(peer.Layers):
    activation = staticmethod(F.elu)

    def layer(self, layer, heads, width):
        inputs = self.task.initial[f"w{layer}"].shape[0]
        conv = GATConv(inputs, width, heads, concat=layer < self.task.layers, add_self_loops=False)
        self.set(conv.lin.weight, f"w{layer}", transposed=True)
        self.set(conv.att_src, f"al{layer}")
        self.set(conv.att_dst, f"ar{layer}")
        self.set(conv.bias, f"b{layer}")
        return conv

    def features(self):
        return self.task.once(peer.sparse_features)

    def call(self, layer, x):
        return layer(x, self.task.once(edges))


version = f"PyG {torch_geometric.__version__}, PyTorch {torch.__version__}"
if torch_sparse:
    version += f", torch-sparse {torch_sparse.__version__}"
form = "SparseTensor" if torch_sparse else "torch CSR matrix"
peer.serve(
    "pyg",
    version,
    {"gcn": GCN, "gin": GIN, "gat": GAT},
    f"GCN and GIN on a {form}, GAT on an edge list; features as CSR where sparse, but for GIN",
)
