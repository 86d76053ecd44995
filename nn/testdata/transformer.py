"""Writes transformer.txt: what torch.nn.TransformerEncoderLayer and TransformerEncoder compute, in float64.

Usage: python3 transformer.py > transformer.txt   (PyTorch 2)

Every line is the name of a case and of a tensor, its shape, and its numbers. "x" is the input,
[batch length embed], "out" the result; "grad_NAME" is the gradient of the sum of "out" times
the sines of its shape. The other names are those of the state dict. Names of cases end with
their masks: padded cases have sequences of the lengths below, causal ones the causal mask.
"""

import math

import torch

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)

LENGTH, EMBED, HEADS, WIDTH = 4, 4, 2, 3
LENGTHS = [2, 4]
LAYERS = {
    "layer": dict(),
    "first": dict(norm_first=True, activation="gelu", layer_norm_eps=0.01),
    "encoder": dict(norm_first=True, bias=False),
}
MASKS = {"layer": ["", "_padded", "_causal", "_padded_causal"], "encoder": ["_padded_causal"]}


def sines(phase, *shape):
    n = math.prod(shape)
    return torch.tensor([math.sin(1.7 * i + phase) for i in range(n)]).reshape(shape)


def show(case, name, t):
    numbers = ("%.15g" % x for x in t.detach().flatten().tolist())
    print(case, name, ",".join(map(str, t.shape)), *numbers)


for case, options in LAYERS.items():
    m = torch.nn.TransformerEncoderLayer(EMBED, HEADS, WIDTH, dropout=0, batch_first=True, **options)
    if case == "encoder":
        norm = torch.nn.LayerNorm(EMBED, bias=False)
        m = torch.nn.TransformerEncoder(m, 2, norm, enable_nested_tensor=False)
    for k, p in enumerate(m.parameters()):
        p.data = 0.8 * sines(0.3 + k, *p.shape)
    for suffix in MASKS.get(case, MASKS["layer"]):
        m.zero_grad()
        masks = {}
        if "_padded" in suffix:
            masks["src_key_padding_mask"] = torch.arange(LENGTH) >= torch.tensor(LENGTHS)[:, None]
        if "_causal" in suffix:
            mask = torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1)
            masks["mask" if case == "encoder" else "src_mask"] = mask
        x = sines(0.1, len(LENGTHS), LENGTH, EMBED).requires_grad_()
        out = m(x, **masks)
        (out * sines(0.2, *out.shape)).sum().backward()
        inputs = {"x": x, **dict(m.named_parameters())}
        for name, t in {**inputs, "out": out}.items():
            show(case + suffix, name, t)
        for name, t in inputs.items():
            show(case + suffix, "grad_" + name, t.grad)
