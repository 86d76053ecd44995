# PyTorch's side of the benchmarks: answers requests on standard input, one JSON
# object a line, followed by the raw float32 numbers of the tensors it announces.
# It keeps its own time, so that the pipe is in no measurement.

import ctypes
import json
import sys
import time

requests, answers = sys.stdin.buffer, sys.stdout.buffer


def answer(message, numbers=b""):
    answers.write(json.dumps(message).encode() + b"\n" + numbers)
    answers.flush()


# The folder the harness runs in is not to be searched: this file is there.
sys.path[:] = [folder for folder in sys.path if folder]
try:
    import torch
    import torch.nn.functional as F
except Exception as e:
    answer({"error": f"{type(e).__name__}: {e}"})
    sys.exit()

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


def timed(step):
    def run(reps):
        start = time.perf_counter()
        for _ in range(reps):
            step()
        return time.perf_counter() - start

    return run


def values(step, *tensors):
    """The output of a case: what step leaves in tensors, or else returns."""

    def output():
        result = step()
        return list(tensors) or [result]

    return output


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


def read_tensor(shape):
    count = 1
    for n in shape:
        count *= n
    data = bytearray(requests.read(4 * count))
    return torch.frombuffer(data, dtype=torch.float32).reshape(shape).clone()


def main():
    blas = [w for w in torch.__config__.show().replace(",", " ").split() if w.startswith("BLAS_INFO=")]
    capability = [l.split(":")[1].strip() for l in torch.__config__.show().splitlines() if "CPU capability" in l]
    torch.set_num_threads(int(sys.argv[1]))
    answer({"version": torch.__version__, "threads": torch.get_num_threads(), "build": " ".join(capability + blas)})
    run = output = None
    for line in requests:
        request = json.loads(line)
        do = request["do"]
        try:
            if do == "setup":
                run = output = None  # frees the case before
                xs = [read_tensor(shape) for shape in request["shapes"]]
                run, output = CASES[request["case"]](request["args"], xs)
                del xs
                answer({})
            elif do == "run":
                answer({"seconds": run(request["reps"])})
            elif do == "output":
                out = torch.cat([t.detach().reshape(-1) for t in output()]).contiguous()
                answer({"count": out.numel()}, ctypes.string_at(out.data_ptr(), 4 * out.numel()))
        except Exception as e:
            answer({"error": f"{type(e).__name__}: {e}"})


main()
