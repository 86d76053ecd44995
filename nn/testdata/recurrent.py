"""Writes recurrent.txt: what torch.nn.GRU and torch.nn.LSTM compute, in float64.

Usage: python3 recurrent.py > recurrent.txt   (PyTorch 2)

Every line is the name of a case and of a tensor, its shape, and its numbers. "x", "h" and
"c" are inputs, "out", "h_n" and "c_n" results; "grad_NAME" is the gradient of the sum of all
results, each times the sines of its shape. The other names are those of the state dict. Cases
called packed have sequences of the lengths below; "x" goes on behind their ends.
"""

import math

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)

STEPS, COUNT, IN, HIDDEN = 4, 3, 2, 3
LENGTHS = [2, 4, 1]
CASES = {
    "gru": (torch.nn.GRU, {}, None),
    "gru_packed": (torch.nn.GRU, dict(num_layers=2, bidirectional=True), LENGTHS),
    "gru_no_bias": (torch.nn.GRU, dict(num_layers=3, bias=False), None),
    "lstm": (torch.nn.LSTM, {}, None),
    "lstm_packed": (torch.nn.LSTM, dict(num_layers=2, bidirectional=True), LENGTHS),
    "lstm_no_bias": (torch.nn.LSTM, dict(num_layers=3, bias=False), None),
}


def sines(phase, *shape):
    n = math.prod(shape)
    return torch.tensor([math.sin(1.7 * i + phase) for i in range(n)]).reshape(shape)


def show(case, name, t):
    numbers = ("%.15g" % x for x in t.detach().flatten().tolist())
    print(case, name, ",".join(map(str, t.shape)), *numbers)


for case, (kind, options, lengths) in CASES.items():
    m = kind(IN, HIDDEN, **options)
    for k, p in enumerate(m.parameters()):
        p.data = 0.8 * sines(0.3 + k, *p.shape)
    cells = m.num_layers * (2 if m.bidirectional else 1)
    inputs = {"x": sines(0.1, STEPS, COUNT, IN), "h": sines(0.5, cells, COUNT, HIDDEN)}
    if kind is torch.nn.LSTM:
        inputs["c"] = sines(0.9, cells, COUNT, HIDDEN)
    for t in inputs.values():
        t.requires_grad_()
    x = inputs["x"]
    if lengths:
        x = pack_padded_sequence(x, lengths, enforce_sorted=False)
    out, last = m(x, (inputs["h"], inputs["c"]) if kind is torch.nn.LSTM else inputs["h"])
    if lengths:
        out, _ = pad_packed_sequence(out, total_length=STEPS)
    results = dict(zip(["out", "h_n", "c_n"], [out, *last] if kind is torch.nn.LSTM else [out, last]))
    sum((t * sines(0.2, *t.shape)).sum() for t in results.values()).backward()
    for name, t in {**inputs, **dict(m.named_parameters())}.items():
        show(case, name, t)
    for name, t in results.items():
        show(case, name, t)
    for name, t in {**inputs, **dict(m.named_parameters())}.items():
        show(case, "grad_" + name, t.grad)
