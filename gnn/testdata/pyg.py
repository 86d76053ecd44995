"""Writes pyg.txt: what PyTorch Geometric's normalisations, jumping knowledge, dense
batches, label propagation and correct-and-smooth compute in float64, with gradients where there are any.

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


for kind in KINDS:
    for case in range(cases if kind != "jumping" else max(cases, 3)):
        module(kind, case)
for case in range(cases):
    dense(case)
for case in range(cases):
    labels(case)
