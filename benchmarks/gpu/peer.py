# The peers' forms of the cases; protocol.py comes before it. Weights are ours, sent
# with each case. What a user does once for a graph (degrees, sparse matrices of
# constant weights, edges by type) is done when a form is set up, in no measurement.
# Every form has a graph of its own, so that its memory is what it needs alone.

import gc

VERSIONS.append("CUDA " + str(torch.version.cuda))
try:
    import torch_geometric
    from torch_geometric.nn import EdgeConv, GATConv, GCNConv, RGCNConv

    VERSIONS.append("PyG " + torch_geometric.__version__)
except Exception as e:
    torch_geometric = None
    VERSIONS.append(f"no PyG ({type(e).__name__})")

DEVICE = torch.device(sys.argv[3])
ON_GPU = DEVICE.type == "cuda"
if ON_GPU and not torch.cuda.is_available():
    answer({"error": "PyTorch finds no GPU"})
    sys.exit()
if ON_GPU:
    torch.cuda.set_per_process_memory_fraction(0.7)  # ours needs room on the card too
    torch.backends.cuda.matmul.allow_tf32 = False
    VERSIONS.append(torch.cuda.get_device_name())
    torch.ones(2, 2, device=DEVICE) @ torch.ones(2, 2, device=DEVICE)  # cuBLAS has its memory then, which is no form's

SLOPE = 0.2
NUMBERS = {}  # the open case's: ids of the edges on the CPU, features, weights


class Clock:
    """Time on the device between two points of its queue."""

    def __enter__(self):
        if ON_GPU:
            torch.cuda.synchronize()
            self.start, self.end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            self.start.record()
        else:
            self.start = time.perf_counter()
        return self

    def __exit__(self, *_):
        if ON_GPU:
            self.end.record()
            self.end.synchronize()
            self.seconds = self.start.elapsed_time(self.end) / 1e3
        else:
            self.seconds = time.perf_counter() - self.start


def repeated(step):
    def run(reps):
        with Clock() as clock:
            for _ in range(reps):
                step()
        return clock.seconds

    return run


def prepared(prepare, step):
    """As repeated, with something before each step that is not timed."""

    def run(reps):
        total = 0.0
        for _ in range(reps):
            state = prepare()
            with Clock() as clock:
                step(state)
            total += clock.seconds
        return total

    return run


class Graph:
    """Edges in order of their destinations."""

    def __init__(self, src, dst, etype, vertices, types):
        self.n, self.types = vertices, types
        self.src, self.dst, self.etype = src, dst, etype
        self.edge_index = torch.stack([src, dst])

    def norm(self):
        """1/sqrt of the in-degrees with a loop."""
        return torch.bincount(self.dst, minlength=self.n).add(1).float().rsqrt()

    def of_type(self, r):
        edges = (self.etype == r).nonzero().reshape(-1)
        return Graph(self.src[edges], self.dst[edges], self.etype[edges], self.n, 1)

    def matrix(self, weights):
        return csr(self.src, self.dst, weights, self.n)

    def transposed(self, weights):
        return csr(self.dst, self.src, weights, self.n)


def csr(src, dst, weights, n):
    order = torch.argsort(dst, stable=True)
    crow = torch.zeros(n + 1, dtype=torch.int32, device=DEVICE)
    crow[1:] = torch.bincount(dst, minlength=n).cumsum(0)
    return torch.sparse_csr_tensor(crow, src[order].int(), weights[order], (n, n))


def gather(x, ids):
    return x.index_select(0, ids)


def sum_at(ids, x, n):
    return torch.zeros((n,) + x.shape[1:], device=DEVICE).index_add_(0, ids, x)


def max_at(ids, x, n):
    index = ids.reshape([-1] + [1] * (x.dim() - 1)).expand_as(x)
    return torch.zeros((n,) + x.shape[1:], device=DEVICE).scatter_reduce(0, index, x, "amax", include_self=False)


class ConstantSpMM(torch.autograd.Function):
    """A·h where only h has a gradient: PyTorch's own rule transposes A each time."""

    @staticmethod
    def forward(ctx, h, a, transposed):
        ctx.transposed = transposed
        return a @ h

    @staticmethod
    def backward(ctx, g):
        return ctx.transposed @ g, None, None


class Layer(torch.nn.Module):
    """A layer of plain PyTorch with our weights by our names."""

    def __init__(self, g, weights, dropout):
        super().__init__()
        self.g, self.dropout = g, dropout
        self.w = torch.nn.ParameterDict({name: torch.nn.Parameter(t) for name, t in weights.items()})

    def biased(self, h):
        return h + self.w["bias"] if "bias" in self.w else h


class GCNGather(Layer):
    def __init__(self, g, *args):
        super().__init__(g, *args)
        norm = g.norm()
        self.weights, self.loops = (gather(norm, g.src) * gather(norm, g.dst))[:, None], (norm * norm)[:, None]

    def forward(self, x):
        g, z = self.g, x @ self.w["weight"]
        return self.biased(sum_at(g.dst, gather(z, g.src) * self.weights, g.n) + z * self.loops)


class GCNSparse(Layer):
    """With the loops in the matrix."""

    def __init__(self, g, *args):
        super().__init__(g, *args)
        norm, ids = g.norm(), torch.arange(g.n, device=DEVICE)
        src, dst = torch.cat([g.src, ids]), torch.cat([g.dst, ids])
        weights = gather(norm, src) * gather(norm, dst)
        self.a, self.transposed = csr(src, dst, weights, g.n), csr(dst, src, weights, g.n)

    def forward(self, x):
        return self.biased(ConstantSpMM.apply(x @ self.w["weight"], self.a, self.transposed))


class GATGather(Layer):
    """Heads are joined in all layers but the last of several, which takes their mean."""

    def __init__(self, g, weights, dropout, mean):
        super().__init__(g, weights, dropout)
        self.mean = mean

    def forward(self, x):
        g, w = self.g, self.w
        heads, dim = w["attn_src"].shape
        z = (x @ w["weight"]).reshape(g.n, heads, dim)
        el, er = (z * w["attn_src"]).sum(-1), (z * w["attn_dst"]).sum(-1)
        score = F.leaky_relu(gather(el, g.src) + gather(er, g.dst), SLOPE)  # [E heads]
        with torch.no_grad():
            top = max_at(g.dst, score, g.n)
        e = torch.exp(score - gather(top, g.dst))
        alpha = F.dropout(e / gather(sum_at(g.dst, e, g.n), g.dst), self.dropout, self.training)
        out = sum_at(g.dst, alpha[..., None] * gather(z, g.src), g.n)
        return self.biased(out.mean(1) if self.mean else out.flatten(1))


class RGCNGather(Layer):
    def __init__(self, g, *args):
        super().__init__(g, *args)
        self.parts = []
        for r in range(g.types):
            of = g.of_type(r)
            self.parts.append((of, (1 / gather(torch.bincount(of.dst, minlength=g.n).float(), of.dst))[:, None]))

    def forward(self, x):
        w = self.w
        weight = torch.einsum("rb,bio->rio", w["coef"], w["bases"]) if "coef" in w else w["weight"]
        out = x @ w["self"]
        for r, (of, factors) in enumerate(self.parts):
            out = out + sum_at(of.dst, gather(x, of.src) * factors, of.n) @ weight[r]
        return self.biased(out)


class OnGraph(torch.nn.Module):
    """A layer of PyTorch Geometric with its graph."""

    def __init__(self, conv, *graph):
        super().__init__()
        self.conv, self.graph = conv.to(DEVICE), graph

    def forward(self, x):
        return self.conv(x, *self.graph)


def fill(parameter, values):
    with torch.no_grad():
        parameter.copy_(values.reshape(parameter.shape))


def with_bias(conv, w):
    if "bias" in w:
        fill(conv.bias, w["bias"])
    return conv


def gcn_pyg(g, w, dropout):
    conv = GCNConv(*w["weight"].shape, cached=True, bias="bias" in w)
    fill(conv.lin.weight, w["weight"].t())
    return OnGraph(with_bias(conv, w), g.edge_index)


def gat_pyg(g, w, dropout, mean):
    heads, dim = w["attn_src"].shape
    conv = GATConv(w["weight"].shape[0], dim, heads, concat=not mean, negative_slope=SLOPE, dropout=dropout, add_self_loops=False, bias="bias" in w)
    fill(conv.lin.weight, w["weight"].t())
    fill(conv.att_src, w["attn_src"])
    fill(conv.att_dst, w["attn_dst"])
    return OnGraph(with_bias(conv, w), g.edge_index)


def rgcn_pyg(g, w, dropout):
    bases = w["bases"].shape[0] if "bases" in w else None
    conv = RGCNConv(*w["self"].shape, g.types, num_bases=bases, bias="bias" in w)
    fill(conv.weight, w["bases"] if bases else w["weight"])
    if bases:
        fill(conv.comp, w["coef"])
    fill(conv.root, w["self"])
    return OnGraph(with_bias(conv, w), g.edge_index, g.etype)


def edgeconv_pyg(g, w, dropout):
    weights = [w[f"layers.{i}.weight"] for i in range(len(w) // 2)]
    linears = [torch.nn.Linear(*weight.shape) for weight in weights]
    layers = [layer for linear in linears for layer in (linear, torch.nn.ReLU())]
    conv = EdgeConv(torch.nn.Sequential(*layers[:-1]), aggr="max")  # which draws weights anew
    for i, linear in enumerate(linears):
        fill(linear.weight, weights[i].t())
        fill(linear.bias, w[f"layers.{i}.bias"])
    return OnGraph(conv, g.edge_index)


LAYERS = {
    "edgeconv": {"pyg": edgeconv_pyg},
    "gcn": {"pyg": gcn_pyg, "csr": GCNSparse, "gather": GCNGather},
    "gat": {"pyg": gat_pyg, "gather": GATGather},
    "rgcn": {"pyg": rgcn_pyg, "gather": RGCNGather},
}


class Model(torch.nn.Module):
    """Two layers, dropout before each."""

    def __init__(self, conv1, conv2, activation, dropout):
        super().__init__()
        self.conv1, self.conv2, self.activation, self.dropout = conv1, conv2, activation, dropout

    def forward(self, x):
        x = F.dropout(x, self.dropout, self.training)
        x = self.activation(self.conv1(x))
        return self.conv2(F.dropout(x, self.dropout, self.training))


def build(args, form, g):
    """The layer of a case, or the model of two."""
    make = LAYERS[args["layer"]][form]
    extra = [True] if args["layer"] == "gat" else []

    def part(prefix, last):
        ours = {name: t for name, t in NUMBERS["weights"].items() if name.startswith(prefix) and name != "cotangent"}
        w = {name[len(prefix):]: t.to(DEVICE) for name, t in ours.items()}
        layer = make(g, w, args["dropout"], *([last] if extra else []))
        return layer.to(DEVICE)

    if args["pass"] != "epoch":
        return part("", False)
    activation = F.elu if args["layer"] == "gat" else F.relu
    return Model(part("conv1.", False), part("conv2.", True), activation, args["dropout"]).to(DEVICE)


def allocated():
    gc.collect()
    if ON_GPU:
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
    return torch.cuda.memory_allocated() if ON_GPU else 0


def set_graph(args, tensors):
    NUMBERS.clear()
    NUMBERS.update(edges=tensors, args=args)
    return None, None


def set_inputs(args, tensors):
    NUMBERS.update(x=tensors[0], weights=dict(zip(args["names"], tensors[1:])))
    return None, None


PEAKS = {}


def form(args, _):
    """A form of the open case: how to run it, and what it computes."""
    name, _, captured = args["form"].partition(" ")
    if name == "pyg" and not torch_geometric:
        raise RuntimeError("PyTorch Geometric is not installed")
    if captured and not ON_GPU:
        raise RuntimeError("CUDA graphs need a GPU")
    PEAKS.clear()
    before = allocated()
    g = Graph(*(t.to(DEVICE).long() for t in NUMBERS["edges"]), **NUMBERS["args"])
    x = NUMBERS["x"].to(DEVICE)
    if args["pass"] == "sum":
        return weighted_sum(g, x, NUMBERS["weights"]["w"].to(DEVICE))
    model = build(args, name, g)
    if args["pass"] == "forward":
        model.eval()

        def forward():
            with torch.no_grad():
                return model(x)

        return repeated(forward), lambda: [forward().cpu()]
    cotangent = NUMBERS["weights"]["cotangent"].to(DEVICE)
    if args["pass"] == "backward":
        x.requires_grad_()

        def run():
            x.grad = None
            model.zero_grad(set_to_none=True)
            return model(x)

        def gradient():
            run().backward(cotangent)
            return [x.grad.cpu()]

        return prepared(run, lambda out: out.backward(cotangent)), gradient
    return epochs(model, x, args, captured, before)


def weighted_sum(g, h, weights):
    a = g.matrix(weights)

    def step():
        return a @ h

    return repeated(step), lambda: [step().cpu()]


def epochs(model, x, args, captured, before):
    """Training steps; the output is the logits before the first."""
    labels = NUMBERS["weights"]["cotangent"].argmax(1).to(DEVICE)
    model.eval()
    with torch.no_grad():
        logits = model(x).cpu()
    model.train()
    adam = torch.optim.Adam(model.parameters(), lr=args["lr"], capturable=bool(captured), fused=ON_GPU)

    def step():
        adam.zero_grad(set_to_none=True)
        F.cross_entropy(model(x), labels).backward()
        adam.step()

    if captured:
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        adam.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph):
            step()

        def replay(reads=step):  # what the graph reads must live, and the graph does not see to that
            graph.replay()

        return repeated(replay), lambda: [logits]
    if ON_GPU:
        step()
        torch.cuda.reset_peak_memory_stats()
        step()
        torch.cuda.synchronize()
        PEAKS["bytes"] = torch.cuda.max_memory_allocated() - before
    return repeated(step), lambda: [logits]


def peak(args, _):
    """By how much the form that was set up last raised the device's memory."""
    return None, lambda: [torch.tensor([float(PEAKS.get("bytes", 0))])]


CASES = {"graph": set_graph, "inputs": set_inputs, "form": form, "peak": peak}
