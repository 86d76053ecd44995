# The peers' forms of the programs; protocol.py comes before it. Everything that a
# user would do once for a graph (sorting, degrees, sparse matrices of constant
# weights, formats) is done when a form is set up and is in no measurement.

try:
    import torch_geometric
    from torch_geometric.nn import EdgeConv, GATConv, GCNConv, RGCNConv, SimpleConv

    VERSIONS.append("PyG " + torch_geometric.__version__)
except Exception:
    torch_geometric = None
try:
    import dgl

    VERSIONS.append("DGL " + dgl.__version__)
except Exception:
    dgl = None

SLOPE = 0.2


class Graph:
    """Edges in order of their destinations, for all forms."""

    def __init__(self, args, tensors):
        self.n, self.types = args["vertices"], args["types"]
        self.src, self.dst, self.etype = (t.long() for t in tensors)
        self.src32, self.crow = self.src.int(), offsets(self.dst, self.n)
        self.lazy = {}

    def once(self, name, build):
        if name not in self.lazy:
            self.lazy[name] = build()
        return self.lazy[name]

    def reverse(self):
        """The transposed matrix: its offsets and columns, and of each entry its edge."""

        def build():
            order = torch.argsort(self.src, stable=True)
            return offsets(self.src[order], self.n), self.dst[order].int(), order

        return self.once("reverse", build)

    def edge_index(self):
        return self.once("edge_index", lambda: torch.stack([self.src, self.dst]))

    def of_type(self, r):
        """The graph of the edges of a type alone."""

        def build():
            edges = (self.etype == r).nonzero().reshape(-1)
            ends = [self.src[edges], self.dst[edges], torch.zeros_like(edges)]
            return Graph({"vertices": self.n, "types": 1}, ends)

        return self.once(("type", r), build)

    def dgl(self):
        def build():
            g = dgl.graph((self.src32, self.dst.int()), num_nodes=self.n)
            g.create_formats_()
            return g

        return self.once("dgl", build)

    def matrix(self, weights):
        return torch.sparse_csr_tensor(self.crow, self.src32, weights, (self.n, self.n))

    def transposed(self, weights):
        crow, col, order = self.reverse()
        return torch.sparse_csr_tensor(crow, col, weights[order], (self.n, self.n))


def offsets(sorted_ids, n):
    crow = torch.zeros(n + 1, dtype=torch.int32)
    crow[1:] = torch.bincount(sorted_ids, minlength=n).cumsum(0)
    return crow


def gather(x, ids):
    return x.index_select(0, ids)  # several times faster than x[ids], backward too


def sum_at(ids, x, n):
    return torch.zeros((n,) + x.shape[1:]).index_add_(0, ids, x)


def max_at(ids, x, n):
    index = ids.reshape([-1] + [1] * (x.dim() - 1)).expand_as(x)
    return torch.zeros((n,) + x.shape[1:]).scatter_reduce(0, index, x, "amax", include_self=False)


class ConstantSpMM(torch.autograd.Function):
    """A·h where only h has a gradient."""

    @staticmethod
    def forward(ctx, h, a, transposed):
        ctx.transposed = transposed
        return a @ h

    @staticmethod
    def backward(ctx, g):
        return ctx.transposed @ g, None, None


class SpMM(torch.autograd.Function):
    """A·h with gradients of h and of A's entries, what PyTorch has no own rule for."""

    @staticmethod
    def forward(ctx, weights, h, g):
        ctx.save_for_backward(weights, h)
        ctx.graph = g
        return g.matrix(weights) @ h

    @staticmethod
    def backward(ctx, out):
        weights, h = ctx.saved_tensors
        g = ctx.graph
        dweights = (gather(out, g.dst) * gather(h, g.src)).sum(-1)
        return dweights, g.transposed(weights) @ out, None


# GCN: norm_v Σ norm_u h_u. The product of both factors is the edge's weight.


def gcn_weights(g, x):
    return gather(x["norm"], g.src) * gather(x["norm"], g.dst)


def gcn_csr(g, x):
    a = g.matrix(gcn_weights(g, x))
    return lambda: a @ x["h"]


def gcn_gather(g, x):
    w = gcn_weights(g, x)[:, None]
    return lambda: sum_at(g.dst, gather(x["h"], g.src) * w, g.n)


def without_weight(conv):
    conv.lin = torch.nn.Identity()  # ours has no dense transform here
    return conv


def gcn_pyg(g, x):
    conv = without_weight(GCNConv(1, 1, normalize=False, bias=False))
    w = gcn_weights(g, x)
    return lambda: conv(x["h"], g.edge_index(), w)


def gcn_pyg_csr(g, x):
    conv = without_weight(GCNConv(1, 1, normalize=False, bias=False))
    a = torch.sparse_csr_tensor(g.crow.long(), g.src, gcn_weights(g, x), (g.n, g.n))
    return lambda: conv(x["h"], a)


def gcn_dgl(g, x):
    w = gcn_weights(g, x)[:, None]
    return lambda: dgl.ops.u_mul_e_sum(g.dgl(), x["h"], w)


# APPNP: a step 0.9 Σ w_e z_u + 0.1 x_v.


def appnp(aggregate):
    def form(g, x):
        step = aggregate(g, x)
        return lambda: 0.9 * step() + 0.1 * x["x"]

    return form


def appnp_csr(g, x):
    a = g.matrix(x["w"])
    return lambda: a @ x["h"]


def appnp_gather(g, x):
    w = x["w"][:, None]
    return lambda: sum_at(g.dst, gather(x["h"], g.src) * w, g.n)


def appnp_pyg(g, x):
    conv = SimpleConv(aggr="sum")
    return lambda: conv(x["h"], g.edge_index(), x["w"])


def appnp_dgl(g, x):
    w = x["w"][:, None]
    return lambda: dgl.ops.u_mul_e_sum(g.dgl(), x["h"], w)


# Max pooling: max_u h_u.


def pool_csr(g, x):
    a = torch.sparse_csr_tensor(g.crow.long(), g.src, torch.ones(len(g.src)), (g.n, g.n))
    return lambda: torch.sparse.mm(a, x["h"], "amax")


def pool_gather(g, x):
    return lambda: max_at(g.dst, gather(x["h"], g.src), g.n)


def pool_pyg(g, x):
    conv = SimpleConv(aggr="max")
    return lambda: conv(x["h"], g.edge_index())


def dgl_max(g, copy, frame, values):
    """Through update_all, which gives vertices without edges 0: dgl.ops has -inf."""
    with g.local_scope():
        frame(g)["m"] = values
        g.update_all(copy("m", "m"), dgl.function.max("m", "out"))
        return g.ndata["out"]


def pool_dgl(g, x):
    return lambda: dgl_max(g.dgl(), dgl.function.copy_u, lambda d: d.ndata, x["h"])


# GAT: Σ softmax(LeakyReLU(el_u + er_v)) h_u; h is [N heads D], el and er [N heads 1].


def attention(g, x):
    score = F.leaky_relu(gather(x["el"], g.src) + gather(x["er"], g.dst), SLOPE).squeeze(-1)
    with torch.no_grad():
        top = max_at(g.dst, score, g.n)
    e = torch.exp(score - gather(top, g.dst))
    return e / gather(sum_at(g.dst, e, g.n), g.dst)  # [E heads]


def gat_csr(g, x):
    def step():
        alpha, h = attention(g, x), x["h"]
        if h.shape[1] == 1:
            return SpMM.apply(alpha[:, 0], h[:, 0], g)[:, None]
        heads = [SpMM.apply(a, v, g) for a, v in zip(alpha.t().contiguous(), h.transpose(0, 1).contiguous())]
        return torch.stack(heads, 1)

    return step


def gat_gather(g, x):
    return lambda: sum_at(g.dst, attention(g, x)[..., None] * gather(x["h"], g.src), g.n)


def gat_pyg(g, x):
    heads, width = x["h"].shape[1:]
    conv = GATConv(1, width, heads=heads, negative_slope=SLOPE, add_self_loops=False, bias=False)

    def step():  # GATConv.forward after its dense transform
        el, er = x["el"].squeeze(-1), x["er"].squeeze(-1)
        alpha = conv.edge_updater(g.edge_index(), alpha=(el, er), edge_attr=None, size=None)
        return conv.propagate(g.edge_index(), x=(x["h"], x["h"]), alpha=alpha, size=None)

    return step


def gat_dgl(g, x):
    def step():
        score = F.leaky_relu(dgl.ops.u_add_v(g.dgl(), x["el"], x["er"]), SLOPE)
        return dgl.ops.u_mul_e_sum(g.dgl(), x["h"], dgl.ops.edge_softmax(g.dgl(), score))

    return step


# R-GCN: Σ_r (Σ_{e of r} h_u / c_vr) W_r, c_vr being the vertex's in-edges of type r.


def rgcn_parts(g):
    """For each type, the graph of its edges and their weights."""

    def part(r):
        of = g.of_type(r)
        return of, 1 / gather(torch.bincount(of.dst, minlength=g.n).float(), of.dst)

    return [part(r) for r in range(g.types)]


def rgcn_csr(g, x):
    matrices = [(part.matrix(w), part.transposed(w)) for part, w in rgcn_parts(g)]
    return lambda: sum(ConstantSpMM.apply(x["h"], *m) @ x["W"][r] for r, m in enumerate(matrices))


def rgcn_gather(g, x):
    parts = [(part, w[:, None]) for part, w in rgcn_parts(g)]

    def step():
        means = (sum_at(part.dst, gather(x["h"], part.src) * w, g.n) for part, w in parts)
        return sum(mean @ x["W"][r] for r, mean in enumerate(means))

    return step


def rgcn_pyg(g, x):
    width = x["h"].shape[1]
    conv = RGCNConv(width, width, g.types, root_weight=False, bias=False)
    conv.weight = torch.nn.Parameter(x["W"], requires_grad=x["W"].requires_grad)
    x["W"] = conv.weight
    return lambda: conv(x["h"], g.edge_index(), g.etype)


def rgcn_dgl(g, x):
    parts = [(part.dgl(), w[:, None]) for part, w in rgcn_parts(g)]
    return lambda: sum(dgl.ops.u_mul_e_sum(p, x["h"], w) @ x["W"][r] for r, (p, w) in enumerate(parts))


# EdgeConv: max_u W2·ReLU(W1·[h_v ‖ h_u - h_v] + b1) + b2.


def mlp(x, edges):
    return torch.addmm(x["b2"], torch.relu(torch.addmm(x["b1"], edges, x["W1"])), x["W2"])


def edgeconv_gather(g, x):
    def step():
        src, dst = gather(x["h"], g.src), gather(x["h"], g.dst)
        return max_at(g.dst, mlp(x, torch.cat([dst, src - dst], 1)), g.n)

    return step


def split_edges(x):
    """What an edge's first layer is of its ends: W1 works on vertices, as our compiler has it."""
    w = x["h"].shape[1]
    upper, lower = x["W1"][:w], x["W1"][w:]
    return torch.addmm(x["b1"], x["h"], upper - lower), x["h"] @ lower


def edgeconv_gather_split(g, x):
    def step():
        dst, src = split_edges(x)
        hidden = torch.relu(gather(dst, g.dst) + gather(src, g.src))
        return max_at(g.dst, torch.addmm(x["b2"], hidden, x["W2"]), g.n)

    return step


def edgeconv_dgl_split(g, x):
    def step():
        dst, src = split_edges(x)
        hidden = torch.relu(dgl.ops.u_add_v(g.dgl(), src, dst))
        return dgl_max(g.dgl(), dgl.function.copy_e, lambda d: d.edata, torch.addmm(x["b2"], hidden, x["W2"]))

    return step


class MLP(torch.nn.Module):
    def __init__(self, x):
        super().__init__()
        self.x = x

    def forward(self, edges):
        return mlp(self.x, edges)


def edgeconv_pyg(g, x):
    conv = EdgeConv(MLP(x), aggr="max")
    return lambda: conv(x["h"], g.edge_index())


def edgeconv_dgl(g, x):
    def step():
        # u_sub_v and copying a centre to its edges are DGL's; the rest is dgl.nn.EdgeConv's.
        dst = dgl.ops.copy_v(g.dgl(), x["h"])
        edges = torch.cat([dst, dgl.ops.u_sub_v(g.dgl(), x["h"], x["h"])], 1)
        return dgl_max(g.dgl(), dgl.function.copy_e, lambda d: d.edata, mlp(x, edges))

    return step


FORMS = {
    "gcn": {"csr": gcn_csr, "gather": gcn_gather, "pyg": gcn_pyg, "pyg-csr": gcn_pyg_csr, "dgl": gcn_dgl},
    "appnp": {name: appnp(f) for name, f in [("csr", appnp_csr), ("gather", appnp_gather), ("pyg", appnp_pyg), ("dgl", appnp_dgl)]},
    "pool": {"csr": pool_csr, "gather": pool_gather, "pyg": pool_pyg, "dgl": pool_dgl},
    "gat": {"csr": gat_csr, "csr-own": gat_csr, "gather": gat_gather, "pyg": gat_pyg, "dgl": gat_dgl},
    "rgcn": {"csr": rgcn_csr, "csr-own": rgcn_csr, "gather": rgcn_gather, "pyg": rgcn_pyg, "dgl": rgcn_dgl},
    "edgeconv": {
        "gather": edgeconv_gather,
        "split": edgeconv_gather_split,
        "pyg": edgeconv_pyg,
        "dgl": edgeconv_dgl,
        "dgl-split": edgeconv_dgl_split,
    },
}

GRAPH, INPUTS = None, {}


def set_graph(args, tensors):
    global GRAPH
    GRAPH = None
    GRAPH = Graph(args, tensors)
    return None, None


def set_inputs(args, tensors):
    INPUTS.clear()
    INPUTS.update(zip(args["names"], tensors))
    return None, None


def form(args, _):
    """A program's form; with wanted names, its output is the gradients of these, or of the
    squares of these."""
    if args["form"].startswith("pyg") and not torch_geometric:
        raise RuntimeError("PyTorch Geometric is not installed")
    if args["form"].startswith("dgl") and not dgl:
        raise RuntimeError("DGL is not installed")
    x = {name: t.detach() for name, t in INPUTS.items()}
    for name in args["wanted"]:
        x[name].requires_grad_()
    step = FORMS[args["program"]][args["form"]](GRAPH, x)
    if not args["wanted"]:

        def forward():
            with torch.no_grad():
                return step()

        return timed(forward), values(forward)
    wanted = [x[name] for name in args["wanted"]]

    def both():
        for t in wanted:
            t.grad = None
        if args["penalty"]:
            ds = torch.autograd.grad(step(), wanted, INPUTS["cotangent"], create_graph=True)
            sum(d.square().sum() for d in ds).backward()
        else:
            step().backward(INPUTS["cotangent"])

    def gradients():
        both()
        return [t.grad for t in wanted]

    return timed(both), gradients


CASES = {"graph": set_graph, "inputs": set_inputs, "form": form}
