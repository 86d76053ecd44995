"""Writes embedding.txt: what torch.nn.Embedding computes, in float64.

Usage: python3 embedding.py > embedding.txt   (PyTorch 2)

Every line is the name of a case and of a tensor, its shape, and its numbers. "ids" are looked
up in "weight" and give "out"; "grad_weight" is the gradient of the sum of "out" times the sines
of its shape, and "after" the weight after a step of SGD with learning rate 0.5 and weight decay
0.1. Padding rows are those of the cases below. In the case tied, "out" is the product of the
rows with the transposed table.
"""

import math

import torch

torch.set_default_dtype(torch.float64)

CASES = {
    "plain": (None, [[4, 0, 4, 2], [0, 0, 3, 4]]),
    "first": (0, [[3, 1, 0, 0], [2, 3, 3, 0]]),
    "last": (4, [[[4], [1]], [[1], [4]], [[0], [1]]]),
    "unused": (2, [[0, 1], [1, 3]]),
    "alone": (1, [1, 1]),
    "empty": (0, [[], []]),
    "tied": (0, [[3, 1, 0], [2, 3, 0]]),
}


def sines(phase, *shape):
    n = math.prod(shape)
    return torch.tensor([math.sin(1.7 * i + phase) for i in range(n)]).reshape(shape)


def show(case, name, t):
    print(case, name, ",".join(map(str, t.shape)), *("%.15g" % x for x in t.detach().flatten().tolist()))


for case, (padding, ids) in CASES.items():
    m = torch.nn.Embedding(5, 3, padding_idx=padding)
    m.load_state_dict({"weight": sines(0.3, 5, 3)})
    ids = torch.tensor(ids, dtype=torch.int64)
    out = m(ids)
    if case == "tied":
        out = out @ m.weight.T
    (out * sines(0.2, *out.shape)).sum().backward()
    show(case, "ids", ids)
    show(case, "weight", m.weight)
    show(case, "out", out)
    show(case, "grad_weight", m.weight.grad)
    torch.optim.SGD(m.parameters(), lr=0.5, weight_decay=0.1).step()
    show(case, "after", m.weight)
