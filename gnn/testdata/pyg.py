"""Writes pyg.txt: what PyTorch Geometric's normalisations, jumping knowledge, dense batches, label
propagation, correct-and-smooth, ChebConv, TAGConv, LightGCN, models without labels, NNConv, AGNNConv,
DirGNNConv, and SAGEConv and GraphConv without root weights compute in float64, with gradients where there are any.

Usage: python3 pyg.py [CASES [SEED]] > pyg.txt   (PyTorch 2, PyTorch Geometric 2; CASES of each kind, 2 by default)

Every line is KIND CASE NAME SHAPE NUMBERS, the shape as 2x3, or - of a scalar. "sizes" are
the vertices of the graphs of the batch, "settings" what KINDS says. "before.NAME" is the
state dict before the pass, "after.NAME" the buffers after it, "evaluated" a second pass
in evaluation mode. "gradient.NAME" are those of the sum of y times "cotangent".
"""

import sys

import torch
from torch_geometric import nn as gnn
from torch_geometric.utils import to_dense_adj, to_dense_batch

torch.set_default_dtype(torch.float64)
cases = int(sys.argv[1]) if len(sys.argv) > 1 else 2
torch.manual_seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
SMALL = [[3, 0, 1, 4], [0, 2, 1], [2, 2]]  # the first cases


def few(*shape, scale=1.0, offset=0.0):
    """Random numbers of few digits."""
    return torch.round(scale * torch.randn(*shape) + offset, decimals=2)


def integer(low, high):
    return int(torch.randint(low, high + 1, ()))


def line(kind, case, name, t):
    t = torch.as_tensor(t).detach()
    shape = "x".join(str(n) for n in t.shape) or "-"
    print(kind, case, name, shape, *("%.13g" % x for x in t.double().flatten().tolist()))


def graphs(case):
    if case < len(SMALL):
        return SMALL[case]
    sizes = [integer(0, 1) * integer(0, 12) for _ in range(integer(1, 6))]
    sizes[integer(0, len(sizes) - 1)] = integer(1, 30)  # PyG takes no batch without a vertex
    return sizes


# The settings of a kind in the order of the line "settings", and the module.
KINDS = {
    "graph_norm": lambda f, s: gnn.GraphNorm(f, eps=s[0]),
    "pair_norm": lambda f, s: gnn.PairNorm(scale=s[1], scale_individually=s[2] > 0, eps=s[0]),
    "instance_norm": lambda f, s: gnn.InstanceNorm(f, eps=s[0], momentum=s[1], affine=s[2] > 0, track_running_stats=s[3] > 0),
    "graph_layer_norm": lambda f, s: gnn.LayerNorm(f, eps=s[0], affine=s[2] > 0, mode="graph"),
    "graph_size_norm": lambda f, s: gnn.GraphSizeNorm(),
    "mean_subtraction_norm": lambda f, s: gnn.MeanSubtractionNorm(),
    "diff_group_norm": lambda f, s: gnn.DiffGroupNorm(f, 3, lamda=s[1], eps=s[0], momentum=0.3, affine=s[2] > 0),
    "message_norm": lambda f, s: gnn.MessageNorm(learn_scale=s[2] > 0),
    "jumping": lambda f, s: gnn.JumpingKnowledge(["cat", "max", "lstm"][int(s[0])], f, int(s[1])),
}


def settings(kind, case):
    if kind == "jumping":
        return [case % 3, integer(1, 4) if case > 2 else 2]
    on = lambda: 1 - case if case < 2 else integer(0, 1)
    return [[1e-5, 0.01, 0.5][case % 3], [0.1, 0.7, 1.0][(case + case // 3) % 3], on(), on()]


def module(kind, case):
    sizes, f = list(graphs(case)), 3 - case % 2 if case < 3 else integer(1, 9)
    if kind == "diff_group_norm" and sum(sizes) == 1:
        sizes[-1] += 3
    s = settings(kind, case)
    if kind == "jumping" and s[0] == 2:
        f = max(f, 2)
    m = KINDS[kind](f, s)
    if kind == "diff_group_norm":
        m.norm.double()
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(few(*p.shape, offset=0.5))
        for name, b in m.named_buffers():
            if "running" in name:
                b.copy_(few(*b.shape).abs() + 0.1)
    line(kind, case, "sizes", sizes)
    line(kind, case, "settings", s)
    for name, t in m.state_dict().items():
        line(kind, case, "before." + name, t)
    n = sum(sizes)
    batch = torch.repeat_interleave(torch.arange(len(sizes)), torch.tensor(sizes))
    if kind == "jumping":
        inputs = [few(n, f + (i if s[0] == 0 else 0)) for i in range(int(s[1]))]
        if s[0] == 1 and len(inputs) > 1:
            inputs[1][::2] = inputs[0][::2]  # ties
    elif kind == "message_norm":
        inputs = [few(n, f), few(n, f + 1)]
        inputs[1][::3] = 0
    else:
        inputs = [few(n, f, offset=1.0)]
    inputs = [x.requires_grad_() for x in inputs]

    def forward():
        if kind == "jumping":
            return m(inputs)
        if kind in ("message_norm", "diff_group_norm"):
            return m(*inputs)
        return m(*inputs, batch, len(sizes))

    for i, x in enumerate(inputs):
        line(kind, case, "x%d" % i, x)
    y = forward()
    cotangent = few(*y.shape)
    (y * cotangent).sum().backward()
    line(kind, case, "y", y)
    line(kind, case, "cotangent", cotangent)
    for i, x in enumerate(inputs):
        line(kind, case, "gradient.x%d" % i, x.grad)
    for name, p in m.named_parameters():
        if p.grad is not None:
            line(kind, case, "gradient." + name, p.grad)
    for name, t in m.named_buffers():
        line(kind, case, "after." + name, t)
    m.eval()
    line(kind, case, "evaluated", forward())


def dense(case):
    sizes = graphs(case)
    n, b = sum(sizes), len(sizes)
    batch = torch.repeat_interleave(torch.arange(b), torch.tensor(sizes))
    limit = [2, None, max(sizes) + 1][case % 3]
    fill = [-1.5, 0.0][case % 2]
    row = [(2,), (), (2, 2)][case % 3]
    x = few(n, *row).requires_grad_()
    y, mask = to_dense_batch(x, batch, fill_value=fill, max_num_nodes=limit, batch_size=b)
    cotangent = few(*y.shape)
    (y * cotangent).sum().backward()
    line("dense", case, "sizes", sizes)
    line("dense", case, "settings", [limit or 0, fill])
    line("dense", case, "x0", x)
    line("dense", case, "y", y)
    line("dense", case, "mask", mask)
    line("dense", case, "cotangent", cotangent)
    line("dense", case, "gradient.x0", x.grad)
    edges = [(o + integer(0, k - 1), o + integer(0, k - 1))
             for k, o in zip(sizes, torch.tensor([0] + sizes).cumsum(0).tolist()) for _ in range(2 * k if k else 0)]
    index = torch.tensor(edges).T.reshape(2, -1)
    w = few(len(edges), *row).requires_grad_()
    a = to_dense_adj(index, batch, w, max_num_nodes=limit, batch_size=b)
    cotangent = few(*a.shape)
    (a * cotangent).sum().backward()
    line("dense", case, "src", index[0])
    line("dense", case, "dst", index[1])
    line("dense", case, "w", w)
    line("dense", case, "adjacency", a)
    line("dense", case, "counts", to_dense_adj(index, batch, max_num_nodes=limit, batch_size=b))
    line("dense", case, "adjacency_cotangent", cotangent)
    line("dense", case, "gradient.w", w.grad)


def labels(case):
    """On a graph with vertices that no edge enters, parallel edges and loops."""
    n = [7, 5][case] if case < 2 else integer(1, 40)
    classes, steps = integer(2, 4), integer(1, 6)
    index = torch.randint(0, n, (2, 2 * n))
    index[1] = (index[1] * 0.8).long()
    w = few(2 * n)
    known = torch.randperm(n)[:integer(1, n)]
    truth = torch.nn.functional.one_hot(torch.randint(0, classes, (n,)), classes).double()
    soft = torch.round(torch.softmax(torch.randn(n, classes), 1), decimals=3)
    alpha, smoothing, gamma = (torch.round(torch.rand(3), decimals=2) + torch.tensor([0, 0, 0.5])).tolist()
    for name, t in {"settings": torch.tensor([steps, alpha, smoothing, gamma]), "src": index[0], "dst": index[1],
                    "w": w, "known": known, "truth": truth, "soft": soft}.items():
        line("labels", case, name, t)
    propagation = gnn.LabelPropagation(steps, alpha)
    own = gnn.CorrectAndSmooth(steps, alpha, steps + 1, smoothing)
    fixed = gnn.CorrectAndSmooth(steps, alpha, steps + 1, smoothing, autoscale=False, scale=gamma)
    for weights, suffix in [(None, ""), (w, "_weighted")]:
        line("labels", case, "all" + suffix, propagation(truth, index, edge_weight=weights))
        line("labels", case, "masked" + suffix, propagation(truth, index, mask=known, edge_weight=weights))
        line("labels", case, "post" + suffix, propagation(soft, index, edge_weight=weights, post_step=lambda z: z * 0.5))
        for model, how in [(own, "own"), (fixed, "fixed")]:
            corrected = model.correct(soft, truth[known], known, index, weights)
            line("labels", case, "correct_" + how + suffix, corrected)
            line("labels", case, "smooth_" + how + suffix, model.smooth(corrected, truth[known], known, index, weights))


def messy(case):
    """Weighted edges with loops, parallel edges, and vertices that no edge leaves or enters."""
    n = [7, 9][case] if case < 2 else integer(4, 9)
    index = torch.randint(0, n - 1, (2, 2 * n))
    index[0, :n] = (index[0, :n] * 0.7).long()
    index[1, n:] = (index[1, n:] * 0.7).long()
    index[:, 0] = 1
    index[:, 1] = index[:, 2]
    w = (few(2 * n).abs() + 0.1).requires_grad_()
    return n, index, w


def compared(kind, case, y, leaves):
    """The result and the gradients of leaves, by name, of the sum of y times cotangent."""
    cotangent = few(*y.shape)
    line(kind, case, "y", y)
    line(kind, case, "cotangent", cotangent)
    grads = torch.autograd.grad((y * cotangent).sum(), [t for _, t in leaves], retain_graph=True, allow_unused=True)
    for (name, leaf), grad in zip(leaves, grads):
        line(kind, case, "gradient." + name, torch.zeros_like(leaf) if grad is None else grad)


def inputs(kind, case, m, n, index, w):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(few(*p.shape))
    line(kind, case, "n", n)
    line(kind, case, "src", index[0])
    line(kind, case, "dst", index[1])
    if w is not None:
        line(kind, case, "w", w)
    for name, t in m.state_dict().items():
        line(kind, case, "before." + name, t)


def filters(kind, case, m, weighted, scaled=False):
    """With the largest eigenvalues of the graphs of a batch, of which there are two, if scaled."""
    n, index, w = messy(case)
    batch = (torch.arange(n) >= n // 2).long()
    if scaled:
        within = batch[index[0]] == batch[index[1]]
        index, w = index[:, within], w[within].detach().requires_grad_()
    w = w if weighted else None
    x = few(n, m.in_channels).requires_grad_()
    inputs(kind, case, m, n, index, w)
    line(kind, case, "x0", x)
    leaves = [("x0", x)] + list(m.named_parameters()) + ([("w", w)] if weighted else [])
    given = []
    if scaled:
        given = [batch, (few(2).abs() + 1.5).requires_grad_()]
        line(kind, case, "batch", batch)
        line(kind, case, "lambda", given[1])
        leaves.append(("lambda", given[1]))
    compared(kind, case, m(x, index, w, *given), leaves)


def cheb(case):
    laplacian, weighted = case % 3, case // 3 % 2
    k = [3, 4, 2, 3, 1, 4][case % 6]
    m = gnn.ChebConv(3, 2, k, normalization=["sym", "rw", None][laplacian], bias=case % 4 < 3)
    scaled = case in (1, 2, 3, 5) or case > 5
    line("cheb", case, "settings", [laplacian, k, scaled])
    filters("cheb", case, m, weighted, scaled)


def tag(case):
    norm, weighted, k = 1 - case // 2 % 2, case % 2, [3, 2, 1, 2, 0][case % 5]
    m = gnn.TAGConv(3, 2, K=k, normalize=norm > 0, bias=case % 3 < 2)
    line("tag", case, "settings", [k, norm])
    filters("tag", case, m, weighted)


def light(case):
    n, index, w = messy(case)
    w = w if case % 2 else None
    layers, norm = [2, 3, 1, 0][case % 4], case != 2
    alpha = few(layers + 1) if case % 2 else None
    m = gnn.LightGCN(n, 3, layers, alpha=alpha, normalize=norm).double()
    line("lightgcn", case, "settings", [layers, norm])
    inputs("lightgcn", case, m, n, index, w)
    links = torch.randint(0, n, (2, 8))
    line("lightgcn", case, "links_src", links[0])
    line("lightgcn", case, "links_dst", links[1])
    line("lightgcn", case, "embedding", m.get_embedding(index, w))
    leaves = list(m.named_parameters()) + ([("w", w)] if w is not None else [])
    scores = m(index, links, w)
    compared("lightgcn", case, scores, leaves)
    line("lightgcn", case, "probability", m.predict_link(index, links, w, prob=True))
    src, dst = torch.tensor([0, n - 1, 2]), torch.arange(n - 1, 0, -1)
    line("lightgcn", case, "asked", src)
    line("lightgcn", case, "among", dst)
    line("lightgcn", case, "recommended", m.recommend(index, w, src, dst, k=3))
    line("lightgcn", case, "recommended_all", m.recommend(index, w, k=2))
    used = links.flatten().unique()
    line("lightgcn", case, "used", used)
    for name, ids, reg in [("loss", used, 0.1), ("loss_all", None, 0.01), ("loss_bare", None, 0)]:
        loss = m.recommendation_loss(scores[:4], scores[4:], ids, reg)
        line("lightgcn", case, name, loss)
        line("lightgcn", case, name + "_gradient", torch.autograd.grad(loss, m.embedding.weight, retain_graph=True)[0])


def convolution(kind, case):
    """On a graph with vertices that no edge enters or leaves, parallel edges and loops."""
    n = [6, 4][case] if case < 2 else integer(1, 20)
    index = (torch.rand(2, integer(1, 3) * n) * n * 0.8).long()
    index[:, 0] = index[0, 0]
    width, out, edge = 3 - case % 2, 2 + case % 2, 2
    x = few(n, width).requires_grad_()
    inputs, on = [x], 1 - case % 2
    if kind == "nnconv":
        network = torch.nn.Sequential(torch.nn.Linear(edge, 2), torch.nn.ReLU(), torch.nn.Linear(2, width * out))
        m = gnn.NNConv(width, out, network, aggr=["add", "mean", "max"][case % 3], root_weight=on > 0)
        inputs.append(few(index.shape[1], edge).requires_grad_())
        settings = [[0, 1, 2][case % 3], on, out]
    elif kind == "agnn":
        m = gnn.AGNNConv(requires_grad=on > 0, add_self_loops=case % 3 < 2)
        settings = [on, case % 3 < 2]
    elif kind == "dirsage":
        m = gnn.DirGNNConv(gnn.SAGEConv(width, out, root_weight=False), 0.3, root_weight=on > 0)
        settings = [0.3, on, out]
    else:
        alpha = [0.5, 0.3, 0.8][case % 3]
        m = gnn.DirGNNConv(gnn.GATConv(width, out, heads=2, concat=False), alpha, root_weight=on > 0)
        settings = [alpha, on, out]
    with torch.no_grad():
        for p in list(m.parameters()) + list(m.buffers()):
            p.copy_(few(*p.shape))
    for name, t in {"settings": torch.tensor(settings), "src": index[0], "dst": index[1]}.items():
        line(kind, case, name, t)
    for name, t in m.state_dict().items():
        line(kind, case, "before." + name, t)
    y = m(x, index, *inputs[1:])
    cotangent = few(*y.shape)
    (y * cotangent).sum().backward()
    line(kind, case, "y", y)
    line(kind, case, "cotangent", cotangent)
    for i, t in enumerate(inputs):
        line(kind, case, "x%d" % i, t)
        line(kind, case, "gradient.x%d" % i, t.grad)
    for name, p in m.named_parameters():
        line(kind, case, "gradient." + name, p.grad)


for kind in KINDS:
    for case in range(cases if kind != "jumping" else max(cases, 3)):
        module(kind, case)
for case in range(cases):
    dense(case)
for case in range(cases):
    labels(case)
for kind, least in [(cheb, 6), (tag, 5), (light, 4)]:
    for case in range(max(cases, least)):
        kind(case)


def graded(kind, case, tensors, outputs):
    """Inputs, outputs and the gradients of their sum; of "loss" alone if there is one."""
    tensors = {name: t.requires_grad_() if t.is_floating_point() else t for name, t in tensors.items()}
    for name, t in tensors.items():
        line(kind, case, name, t)
    results = outputs(tensors)
    for name, t in results.items():
        line(kind, case, name, t)
    results["loss"].backward()
    for name, t in tensors.items():
        if t.is_floating_point():
            line(kind, case, "gradient." + name, t.grad)


def shape(case):
    """Vertices and features."""
    return ([6, 3][case], [3, 1][case]) if case < 2 else (integer(1, 20), integer(1, 8))


def pairs(n):
    return torch.randint(0, n, (2, integer(1, 9)))


def node2vec(case):
    n, f = shape(case)
    m = gnn.Node2Vec.__new__(gnn.Node2Vec)  # its constructor asks for what draws walks
    torch.nn.Module.__init__(m)
    m.embedding_dim, m.EPS, m.embedding = f, 1e-15, torch.nn.Embedding(n, f)
    with torch.no_grad():
        m.embedding.weight.copy_(few(n, f))
    length = integer(2, 5)
    positive, negative = torch.randint(0, n, (integer(1, 6), length)), torch.randint(0, n, (integer(1, 6), length))
    line("node2vec", case, "before.embedding.weight", m.embedding.weight)
    line("node2vec", case, "positive", positive)
    line("node2vec", case, "negative", negative)
    loss = m.loss(positive, negative)
    loss.backward()
    line("node2vec", case, "loss", loss)
    line("node2vec", case, "gradient.embedding.weight", m.embedding.weight.grad)


def gae(case):
    n, f = shape(case)
    m = gnn.GAE(torch.nn.Identity())
    positive, negative = pairs(n), pairs(n)
    graded("gae", case, {"z": few(n, f), "positive": positive, "negative": negative}, lambda t: {
        "loss": m.recon_loss(t["z"], positive, negative), "decoded": m.decode(t["z"], positive)})


def vgae(case):
    n, f = shape(case)
    m = gnn.VGAE(torch.nn.Identity())
    mu, logstd = few(n, f), few(n, f)
    if case % 2 == 0:
        logstd[0, 0] = 10.5  # counts as 10
    graded("vgae", case, {"mu": mu, "logstd": logstd}, lambda t: {"loss": m.kl_loss(t["mu"], t["logstd"])})


def infomax(case):
    n, f = shape(case)
    m = gnn.DeepGraphInfomax(f, torch.nn.Identity(), None, None)
    with torch.no_grad():
        m.weight.copy_(few(f, f))
    line("infomax", case, "before.weight", m.weight)
    graded("infomax", case, {"positive": few(n, f), "negative": few(n, f), "summary": torch.rand(f).round(decimals=2)}, lambda t: {
        "loss": m.loss(t["positive"], t["negative"], t["summary"]), "probability": m.discriminate(t["negative"], t["summary"])})
    line("infomax", case, "gradient.weight", m.weight.grad)


def rootless(kind, case):
    """From 5 sources to 4 destinations, or on a graph of 6, with a vertex that no edge enters and parallel edges."""
    ends, width, out = [(5, 4), (6, 6)][case % 2], 3 - case % 2, 2 + case % 3
    index = torch.stack([torch.randint(0, ends[0], (11,)), torch.randint(0, ends[1] - 1, (11,))])
    index[:, 0] = index[:, 1]
    x, w = torch.randperm(ends[0] * width).view(ends[0], width), None
    x = torch.round(0.23 * x - 1.5, decimals=2).requires_grad_()  # no two alike: PyG shares gradients among equal maxima
    if kind == "rootless_sage":
        pool, normalize = case % 3 == 2, case % 4 == 1
        m = gnn.SAGEConv(width, out, aggr="max" if pool else "mean", project=pool, normalize=normalize, root_weight=False, bias=case != 3)
        settings = [out, pool, normalize, case != 3]
    else:
        m = gnn.GraphConv(width, out, aggr=["add", "mean", "max", "min"][case % 4], bias=case != 3)
        settings = [out, 0, 0, case != 3, case % 4]
        w = few(11).requires_grad_() if case < 6 else None
        m.lin_root = torch.nn.Module()  # GraphConv has no root_weight: it leaves out what is not given
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(few(*p.shape))
    for name, t in {"settings": torch.tensor(settings), "sizes": torch.tensor(ends), "src": index[0], "dst": index[1], "x": x}.items():
        line(kind, case, name, t)
    for name, t in m.state_dict().items():
        line(kind, case, "before." + name, t)
    leaves = [("x", x)] + list(m.named_parameters())
    if w is not None:
        line(kind, case, "w", w)
        leaves.append(("w", w))
    y = m((x, None), index, size=ends) if w is None else m((x, None), index, w, size=ends)
    compared(kind, case, y, leaves)


for case in range(cases):
    node2vec(case)
    gae(case)
    vgae(case)
    infomax(case)
for kind in ["nnconv", "agnn", "dirgnn"]:
    for case in range(max(cases, 3)):
        convolution(kind, case)
for kind in ["rootless_sage", "rootless_graphconv"]:
    for case in range(max(cases, 8)):
        rootless(kind, case)
for case in range(2):
    convolution("dirsage", case)
