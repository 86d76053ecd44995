# DGL: its own GraphConv, GINConv and GATConv, on a graph of 32-bit ids with all formats
# made in advance.

import peer
import torch
import torch.nn.functional as F

try:
    import dgl
    from dgl.nn import GATConv, GINConv, GraphConv
except Exception as e:
    peer.missing(e)

SLOPE = 0.2


def graph(task):
    g = dgl.graph((task.src.int(), task.dst.int()), num_nodes=task.vertices)
    g.create_formats_()
    return g


class Model(peer.Layers):
    def call(self, layer, x):
        return layer(self.task.once(graph), x)


def gcn_weights(task):
    return task.gcn_weights()


class GCN(Model):
    """GraphConv's own normalisation scales the features, all of them, in every step;
    weights of edges say the same."""

    activation = staticmethod(F.relu)

    def layer(self, layer, heads, width):
        conv = GraphConv(*self.task.initial[f"w{layer}"].shape, norm="none", allow_zero_in_degree=True)
        self.set(conv.weight, f"w{layer}")
        self.set(conv.bias, f"b{layer}")
        return conv

    def features(self):
        return self.task.once(peer.sparse_features)

    def call(self, layer, x):
        return layer(self.task.once(graph), x, edge_weight=self.task.once(gcn_weights))


class GIN(Model):
    activation = staticmethod(F.relu)

    def layer(self, layer, heads, width):
        conv = GINConv(self.mlp(layer), "sum", learn_eps=True)
        self.set(conv.eps, f"eps{layer}")
        return conv


class GAT(Model):
    activation = staticmethod(F.elu)

    def layer(self, layer, heads, width):
        return Attention(self, layer, heads, width)


    def features(self):
        return self.task.once(peer.sparse_features)


class Attention(torch.nn.Module):
    """GATConv, with heads concatenated, or in the last layer averaged: the bias comes
    after the mean, where GATConv's own has one for each head."""

    def __init__(self, model, layer, heads, width):
        super().__init__()
        task = model.task
        self.last = layer == task.layers
        inputs = task.initial[f"w{layer}"].shape[0]
        self.conv = GATConv(inputs, width, heads, negative_slope=SLOPE, allow_zero_in_degree=True, bias=False)
        self.bias = torch.nn.Parameter(task.initial[f"b{layer}"].clone())
        model.set(self.conv.fc.weight, f"w{layer}", transposed=True)
        model.set(self.conv.attn_l, f"al{layer}")
        model.set(self.conv.attn_r, f"ar{layer}")

    def forward(self, g, x):
        out = self.conv(g, x)
        return (out.mean(1) if self.last else out.flatten(1)) + self.bias


peer.serve(
    "dgl",
    f"DGL {dgl.__version__}, PyTorch {torch.__version__}",
    {"gcn": GCN, "gin": GIN, "gat": GAT},
    "features as CSR where sparse, but for GIN",
)
