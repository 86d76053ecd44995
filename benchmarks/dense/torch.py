# PyTorch's side of the cases; protocol.py comes before it.

import functools

# Element-wise chains and reductions, spelt with the same operations as in
# elementwise.go.
CHAINS = {
    "relu(a·b+c)·0.5": lambda a, b, c: torch.relu(a * b + c) * 0.5,
    "sigmoid(x)·tanh(y)": lambda x, y: torch.sigmoid(x) * torch.tanh(y),
    "log(sqrt(exp(x)+1))": lambda x: torch.log(torch.sqrt(torch.exp(x) + 1)),
    "gelu(x)": F.gelu,
    "(x-mean)/std": lambda x: standardise(x),
    "softmax(x)": lambda x: torch.softmax(x, -1),
    "sum over axis 0": lambda x: x.sum(0),
    "sum over axis 1": lambda x: x.sum(1),
    "mean over axis 0": lambda x: x.mean(0),
    "mean over axis 1": lambda x: x.mean(1),
    # Those of ops.go.
    "a+b": lambda a, b: a + b,
    "a·b": lambda a, b: a * b,
    "a/b": lambda a, b: a / b,
    "max(a,b)": torch.maximum,
    "x^3": lambda x: x**3,
    "|x|^2.5": lambda x: x.abs() ** 2.5,
    "clamp(x)": lambda x: x.clamp(-0.5, 0.5),
    "erf(x)": torch.erf,
    "sin(x)": torch.sin,
    "silu(x)": F.silu,
    "elu(x)": F.elu,
    "log softmax(x)": lambda x: torch.log_softmax(x, -1),
    "logsumexp over axis 1": lambda x: x.logsumexp(1),
    "max over axis 0": lambda x: x.max(0).values,
    "max over axis 1": lambda x: x.max(1).values,
    "variance over axis 0": lambda x: x.var(0),
    "norm over axis 1": lambda x: x.norm(2, 1),
    "cumsum over axis 1": lambda x: x.cumsum(1),
    "cumsum over axis 0": lambda x: x.cumsum(0),
    "x[:, 8:24]": lambda x: x[:, 8:24],
    "x[16:]": lambda x: x[16:],
    "x transposed, copied": lambda x: x.t().reshape(-1),
    "heads swapped, copied": lambda x: x.reshape(16, -1, 4, 16).transpose(1, 2).reshape(-1),
    "a ‖ b": lambda a, b: torch.cat([a, b], 1),
    "stack of a, b": lambda a, b: torch.stack([a, b], 1),
    "where(a>0, a, b)": lambda a, b: torch.where(a > 0, a, b),
    "x[ids]": lambda x: x.index_select(0, spread(2 * len(x), len(x))),
    "sums of rows by ids": lambda x: x.new_zeros(len(x) // 16 + 1, x.shape[1]).index_add_(0, spread(len(x), len(x) // 16 + 1), x),
    "a@b": torch.matmul,
    "a·b summed over axis 1": lambda a, b: (a * b).sum(1),
}


@functools.cache
def spread(count, n):
    return torch.arange(count) * 7919 % n


def standardise(x):
    d = x - x.mean(0)
    return d * torch.rsqrt((d * d).mean(0) + 1e-5)


def chain(args, xs):
    f = CHAINS[args["name"]]
    if args["double"]:
        xs = [x.double() for x in xs]
    if not args["grad"]:

        def forward():
            with torch.no_grad():
                return f(*xs)

        return timed(forward), values(forward)
    cotangent = xs.pop()
    for x in xs:
        x.requires_grad_()

    def both():
        for x in xs:
            x.grad = None
        f(*xs).backward(cotangent)

    def gradients():
        both()
        return [x.grad for x in xs]

    return timed(both), gradients


# The modules of modules.go from their sizes, and what is called on the inputs.
MODULES = {
    "Linear": lambda i, o: torch.nn.Linear(i, o),
    "MLP": lambda i, h, o: torch.nn.Sequential(torch.nn.Linear(i, h), torch.nn.ReLU(), torch.nn.Linear(h, o)),
    "LayerNorm": torch.nn.LayerNorm,
    "BatchNorm1d": torch.nn.BatchNorm1d,
    "PReLU": torch.nn.PReLU,
    "GRUCell": torch.nn.GRUCell,
    "LSTMCell": torch.nn.LSTMCell,
    "GRU": torch.nn.GRU,
    "LSTM": torch.nn.LSTM,
    "MultiheadAttention": lambda d, h: torch.nn.MultiheadAttention(d, h, batch_first=True),
    "TransformerEncoderLayer": lambda d, h: torch.nn.TransformerEncoderLayer(d, h, 4 * d, dropout=0, batch_first=True),
    "Bilinear": torch.nn.Bilinear,
    "Embedding": lambda n, d, _: torch.nn.Embedding(n, d),
}
CALLS = {
    "LSTMCell": lambda m, x, h, c: sum(m(x, (h, c))),
    "GRU": lambda m, x: m(x)[0],
    "LSTM": lambda m, x: m(x)[0],
    "MultiheadAttention": lambda m, x: m(x, x, x, need_weights=False)[0],
    "Embedding": lambda m: m(spread(m.count, m.num_embeddings)),
}
LOSSES = {
    "cross entropy": lambda n, classes: lambda x: F.cross_entropy(x, spread(n, classes)),
    "MSE": lambda: F.mse_loss,
    "Huber": lambda: F.huber_loss,
    "margin ranking": lambda: lambda a, b: F.margin_ranking_loss(a, b, torch.ones_like(a), 0.5),
    "cosine embedding": lambda: lambda a, b: F.cosine_embedding_loss(a, b, torch.ones(len(a)), 0.5),
}


def module(args, xs):
    name, sizes, names = args["name"], args["sizes"] or [], args["parameters"] or []
    inputs, weights = xs[: len(xs) - len(names)], xs[len(xs) - len(names) :]
    params = []
    if name in LOSSES:
        f = LOSSES[name](*sizes)
    else:
        m = MODULES[name](*sizes)
        m.count = sizes[-1] if sizes else 0
        params, by_name = list(m.parameters()), dict(m.named_parameters())
        if set(names) == set(by_name):  # ours may be in another order
            params = [by_name[p] for p in names]
        with torch.no_grad():
            for p, w in zip(params, weights, strict=True):
                p.copy_(w)
        f = functools.partial(CALLS.get(name, lambda m, *xs: m(*xs)), m)
    if not args["grad"]:

        def forward():
            with torch.no_grad():
                return f(*inputs)

        return timed(forward), values(forward)
    leaves = [x.requires_grad_() for x in inputs] + params

    def both():
        for x in leaves:
            x.grad = None
        f(*inputs).square().mean().backward()

    def gradients():
        both()
        return [x.grad for x in leaves]

    return timed(both), gradients


def fastest_adam(parameters, lr):
    try:
        return torch.optim.Adam(parameters, lr=lr, fused=True)
    except RuntimeError:  # before PyTorch 2.4, which has it on CPUs
        return torch.optim.Adam(parameters, lr=lr)


def mlp(args, xs):
    x, w1, b1, w2, b2, labels, rows = xs
    labels, rows = labels.long(), rows.long()
    model = torch.nn.Sequential(
        torch.nn.Linear(w1.shape[0], w1.shape[1]),
        torch.nn.ReLU(),
        torch.nn.Linear(w2.shape[0], w2.shape[1]),
    )
    with torch.no_grad():
        for p, v in zip(model.parameters(), (w1.t(), b1, w2.t(), b2)):
            p.copy_(v)
    optimiser = fastest_adam(model.parameters(), args["lr"])
    labels = labels[rows]

    def step():
        optimiser.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x)[rows], labels)
        loss.backward()
        optimiser.step()
        return loss.detach()

    return timed(step), lambda: [step().reshape(1) for _ in range(args["steps"])]


def adam(args, xs):
    half = len(xs) // 2
    ws, gs = xs[:half], xs[half:]
    for w, g in zip(ws, gs):
        w.requires_grad_()
        w.grad = g
    modes = {args["mode"]: True} if args["mode"] else {}
    optimiser = torch.optim.Adam(ws, lr=args["lr"], **modes)

    def output():
        for _ in range(args["steps"]):
            optimiser.step()
        return ws

    return timed(optimiser.step), output


def tape(args, xs):
    a, b = (x.requires_grad_() for x in xs)
    name, ops = args["name"], args["ops"]
    if name == "add":
        return timed(lambda: a + b), values(lambda: a + b)
    if name == "matmul":
        return timed(lambda: a @ b), values(lambda: a @ b)
    ones = torch.ones_like(a)

    def forward():
        v = a
        for _ in range(ops):
            v = v + b
        return v

    if name == "forward":
        return timed(forward), values(forward)

    def backward(reps):
        seconds = 0.0
        for _ in range(reps):
            b.grad = a.grad = None
            v = forward()
            start = time.perf_counter()
            v.backward(ones)
            seconds += time.perf_counter() - start
        return seconds

    return backward, lambda: (backward(1), [b.grad])[1]


CASES = {"chain": chain, "module": module, "mlp": mlp, "adam": adam, "tape": tape}
