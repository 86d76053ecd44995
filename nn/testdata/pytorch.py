"""Writes the files of this folder with PyTorch and the safetensors library.

Usage: python3 pytorch.py   (PyTorch 2, safetensors; in this folder)

layers.safetensors   the state dict of a module of many layers, unchanged
values.safetensors   what they compute: inputs, outputs, losses
half.safetensors     a Linear in 16 bits, its weight F16, its bias BF16
types.safetensors    one tensor of each other type, as the library orders them

All numbers are sines, those of 16 bits sevenths.
"""

import math

import torch
from safetensors.torch import save_file
from torch import nn
from torch.nn import functional as F

count = 0


def sines(*shape, scale=1.0):
    """The next tensor of a fixed sequence."""
    global count
    count += 1
    n = math.prod(shape)
    return torch.tensor([scale * math.sin(0.7 * i + 1.3 * count) for i in range(n)], dtype=torch.float32).reshape(shape)


class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(5, 4)
        self.embedding = nn.Embedding(6, 3)
        self.gru = nn.GRUCell(4, 3)
        self.lstm = nn.LSTMCell(4, 3)
        self.layer_norm = nn.LayerNorm(5)
        self.batch_norm = nn.BatchNorm1d(4)
        self.attention = nn.MultiheadAttention(6, 2, batch_first=True)
        self.cross = nn.MultiheadAttention(6, 3, kdim=4, vdim=5, batch_first=True)
        self.bilinear = nn.Bilinear(3, 4, 2)
        self.prelu = nn.PReLU(4)


m = Layers()
with torch.no_grad():
    for p in m.parameters():
        p.copy_(sines(*p.shape))
m.batch_norm(sines(7, 4))  # moves the running estimates
m.eval()
save_file(m.state_dict(), "layers.safetensors")

v = {}
v["linear.x"] = sines(3, 5)
v["linear.y"] = m.linear(v["linear.x"])
v["embedding.y"] = m.embedding(torch.tensor([5, 0, 5, 2]))
v["cell.x"], v["cell.h"], v["cell.c"] = sines(2, 4), sines(2, 3), sines(2, 3)
v["gru.y"] = m.gru(v["cell.x"], v["cell.h"])
v["lstm.h"], v["lstm.c"] = m.lstm(v["cell.x"], (v["cell.h"], v["cell.c"]))
v["layer_norm.x"] = sines(3, 5)
v["layer_norm.y"] = m.layer_norm(v["layer_norm.x"])
v["batch_norm.x"] = sines(3, 4)
v["batch_norm.y"] = m.batch_norm(v["batch_norm.x"])
v["prelu.y"] = m.prelu(v["batch_norm.x"])
v["bilinear.x1"], v["bilinear.x2"] = sines(5, 3), sines(5, 4)
v["bilinear.y"] = m.bilinear(v["bilinear.x1"], v["bilinear.x2"])

x = v["attention.x"] = sines(2, 4, 6)
keys = torch.tensor([[False, False, True, False], [False, True, False, True]])
causal = torch.ones(4, 4, dtype=torch.bool).triu(1)
added = v["attention.added"] = sines(4, 4, 4)  # for both samples and heads
v["attention.y"], v["attention.weights"] = m.attention(x, x, x)
v["attention.keys"], v["attention.keys_weights"] = m.attention(x, x, x, key_padding_mask=keys)
v["attention.causal"], _ = m.attention(x, x, x, attn_mask=causal)
v["attention.both"], _ = m.attention(
    x, x, x, key_padding_mask=torch.zeros(2, 4).masked_fill(keys, -math.inf), attn_mask=added)
v["attention.single"], v["attention.single_weights"] = m.attention(x[0], x[0], x[0], key_padding_mask=keys[0])
v["cross.k"], v["cross.v"] = sines(2, 3, 4), sines(2, 3, 5)
v["cross.y"], v["cross.weights"] = m.cross(x, v["cross.k"], v["cross.v"])

logits = v["loss.logits"] = sines(5, 3, scale=3)
labels, weight = torch.tensor([2, 0, 1, 1, 2]), torch.tensor([0.5, 2.0, 1.25])
target = v["loss.target"] = torch.softmax(sines(5, 3), 1)
pred = v["loss.pred"] = sines(5, 3)
ones = torch.tensor([1.0, -1.0, -1.0, 1.0, -1.0])
for r in ("mean", "sum", "none"):
    v["cross_entropy." + r] = F.cross_entropy(logits, labels, reduction=r)
    v["cross_entropy_weights." + r] = F.cross_entropy(logits, labels, weight=weight, reduction=r)
    v["cross_entropy_smooth." + r] = F.cross_entropy(logits, labels, label_smoothing=0.2, reduction=r)
    v["cross_entropy_all." + r] = F.cross_entropy(logits, labels, weight=weight, label_smoothing=0.2, reduction=r)
    v["cross_entropy_soft." + r] = F.cross_entropy(logits, target, reduction=r)
    v["nll." + r] = F.nll_loss(F.log_softmax(logits, 1), labels, weight=weight, reduction=r)
    v["bce." + r] = F.binary_cross_entropy_with_logits(logits, target, reduction=r)
    v["bce_weights." + r] = F.binary_cross_entropy_with_logits(logits, target, pos_weight=weight, reduction=r)
    v["mse." + r] = F.mse_loss(logits, pred, reduction=r)
    v["l1." + r] = F.l1_loss(logits, pred, reduction=r)
    v["huber." + r] = F.huber_loss(logits, pred, delta=0.7, reduction=r)
    v["smooth_l1." + r] = F.smooth_l1_loss(logits, pred, beta=0.7, reduction=r)
    v["kl_div." + r] = F.kl_div(F.log_softmax(logits, 1), target, reduction=r)
    v["margin_ranking." + r] = F.margin_ranking_loss(logits[:, 0], pred[:, 0], ones, margin=0.3, reduction=r)
    v["cosine_embedding." + r] = F.cosine_embedding_loss(logits, pred, ones, margin=0.1, reduction=r)
    v["triplet_margin." + r] = F.triplet_margin_loss(logits, pred, target, margin=0.5, reduction=r)
save_file({name: t.detach().contiguous() for name, t in v.items()}, "values.safetensors")

sevenths = torch.arange(20).reshape(4, 5) / 7
save_file({"weight": sevenths.half(), "bias": sevenths[:, 1].bfloat16()}, "half.safetensors")
save_file({
    "float": sines(2, 3), "double": torch.tensor([1.5, -0.25], dtype=torch.float64), "int": torch.tensor([[7], [-7]], dtype=torch.int32),
    "long": torch.tensor(-5), "mask": torch.tensor([True, False, True]), "none": torch.zeros(0, 4), "a.mask": torch.tensor(False),
}, "types.safetensors")
