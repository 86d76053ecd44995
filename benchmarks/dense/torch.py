# PyTorch's side of the cases; protocol.py comes before it.

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
}


def standardise(x):
    d = x - x.mean(0)
    return d * torch.rsqrt((d * d).mean(0) + 1e-5)


def chain(args, xs):
    f = CHAINS[args["name"]]
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
    optimiser = torch.optim.Adam(model.parameters(), lr=args["lr"])
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


CASES = {"chain": chain, "mlp": mlp, "adam": adam, "tape": tape}
