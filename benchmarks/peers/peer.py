# What the Python peers share: the protocol (README.md), tasks, and training. A script
# imports this file first and ends with serve(...). Everything that a user does once
# for a graph (sorting, degrees, transposed matrices) is done when a task is opened.

import argparse
import ctypes
import gc
import json
import math
import os
import sys
import time

requests = sys.stdin
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what libraries print is no answer


def answer(message):
    answers.write(json.dumps(message) + "\n")
    answers.flush()


def missing(error):
    answer({"error": f"{type(error).__name__}: {error}", "missing": True})
    sys.exit()


arguments = argparse.ArgumentParser()
arguments.add_argument("--threads", type=int, default=os.cpu_count())
THREADS = arguments.parse_args().threads
for library in ("OMP", "MKL", "OPENBLAS"):  # which read these once, when they are loaded
    os.environ[library + "_NUM_THREADS"] = str(THREADS)

# The scripts' folder is not to be searched: torch.py there is not PyTorch.
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [folder for folder in sys.path if folder and os.path.abspath(folder) != here]
try:
    import torch
    import torch.nn.functional as F
except Exception as e:
    missing(e)

DENSE = 0.1  # features with a larger share of numbers other than 0 count as dense


class Task:
    """A task folder: the model's sizes, a graph, features, labels, splits, parameters."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "task.json")) as f:
            self.__dict__.update(json.load(f))
        n = self.vertices
        self.src, self.dst = self.array("src", torch.int32).long(), self.array("dst", torch.int32).long()
        self.x = self.array("x", torch.float32).reshape(n, self.features)
        self.labels = self.array("labels", torch.int32).long()
        self.train, self.val, self.test = (self.array(s, torch.int32).long() for s in ("train", "val", "test"))
        self.initial = {
            p["name"]: self.array("parameters/" + p["name"], torch.float32).reshape(p["shape"])
            for p in self.parameters
        }
        # Whether products with sparse features are the faster ones.
        self.sparse = self.x.count_nonzero().item() < DENSE * self.x.numel()
        self.lazy = {}

    def array(self, name, dtype):
        suffix = ".f32" if dtype == torch.float32 else ".i32"
        with open(os.path.join(self.folder, name + suffix), "rb") as f:
            data = bytearray(f.read())
        return torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)

    def once(self, build):
        """build(self), computed the first time."""
        if build not in self.lazy:
            self.lazy[build] = build(self)
        return self.lazy[build]

    def sizes(self, layer):
        """Of a layer, counted from 1: heads, and a head's width."""
        last = layer == self.layers
        heads = (self.out_heads if last else self.heads) if self.model == "gat" else 1
        return heads, self.classes if last else self.hidden

    def gcn_weights(self):
        """1/√(in-degree of v · out-degree of u) of each edge u→v, a degree of 0 as 1."""
        ind = torch.bincount(self.dst, minlength=self.vertices).clamp(min=1).double()
        outd = torch.bincount(self.src, minlength=self.vertices).clamp(min=1).double()
        return (ind[self.dst] * outd[self.src]).rsqrt().float()


def has_fused_adam():
    try:
        torch.optim.Adam([torch.zeros(1, requires_grad=True)], fused=True)
        return True
    except RuntimeError:  # before PyTorch 2.4, which has it on CPUs
        return False


def sparse_features(task):
    """The features as PyTorch's CSR matrix where that pays."""
    return task.x.to_sparse_csr() if task.sparse else task.x


FUSED_ADAM = has_fused_adam()


class Layers(torch.nn.Module):
    """A model of a framework's own layers. A subclass has

    activation(x)                between layers, before dropout
    layer(number, heads, width)  a new layer, counted from 1, with the initial parameters
    call(layer, x)               its output
    """

    def __init__(self, task, dropout):
        super().__init__()
        self.task, self.dropout = task, dropout
        self.layers = torch.nn.ModuleList(self.layer(i, *task.sizes(i)) for i in range(1, task.layers + 1))

    def set(self, parameter, name, transposed=False):
        initial = self.task.initial[name]
        with torch.no_grad():
            parameter.copy_((initial.t() if transposed else initial).reshape(parameter.shape))

    def linear(self, name, bias):
        initial = self.task.initial[name]
        linear = torch.nn.Linear(*initial.shape)
        self.set(linear.weight, name, transposed=True)
        self.set(linear.bias, bias)
        return linear

    def mlp(self, layer):
        """W2·relu(W1·x + b1) + b2."""
        first, second = (self.linear(f"w{layer}{s}", f"b{layer}{s}") for s in "ab")
        return torch.nn.Sequential(first, torch.nn.ReLU(), second)

    def features(self):
        return self.task.x

    def forward(self):
        x = self.features()
        for i, layer in enumerate(self.layers):
            if i > 0:
                x = F.dropout(self.activation(x), self.dropout, self.training)
            x = self.call(layer, x)
        return x


class Trainer:
    """A model in training, from the task's initial parameters."""

    def __init__(self, task, models, dropout):
        self.task = task
        self.model = models[task.model](task, dropout)
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=task.lr, weight_decay=task.weight_decay, fused=FUSED_ADAM
        )

    def step(self):
        """One step; returns the loss before it, as a tensor."""
        self.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        task = self.task
        loss = F.cross_entropy(self.model()[task.train], task.labels[task.train])
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    @torch.no_grad()
    def evaluate(self):
        """Loss and accuracy on the validation rows, accuracy on the test rows."""
        self.model.eval()
        out, task = self.model(), self.task
        right = (out.argmax(1) == task.labels).float()
        loss = F.cross_entropy(out[task.val], task.labels[task.val])
        return loss.item(), right[task.val].mean().item(), right[task.test].mean().item()


def train(trainer, epochs):
    best = {"loss": math.inf}
    for _ in range(epochs):
        trainer.step()
        loss, val, test = trainer.evaluate()
        if loss < best["loss"]:
            best = {"test": test, "val": val, "loss": loss}
    if "test" not in best:
        raise RuntimeError("the validation loss was never finite")
    return best


def resident(field):
    """The process's VmRSS, or its peak VmHWM, in bytes."""
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(field + ":"):
                return 1024 * int(line.split()[1])
    raise RuntimeError("the system does not tell " + field)


def give_back():
    """Returns what is free to the system, so that it counts when it is used again."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except AttributeError:  # a C library other than glibc
        pass


class Slot:
    def __init__(self, folder, models):
        give_back()
        self.before = resident("VmRSS")
        self.models = models
        self.task = Task(folder)
        if self.task.model not in models:
            raise ValueError(f"no model {self.task.model!r}")
        self.trainer = Trainer(self.task, models, self.task.dropout)

    def run(self, steps):
        start = time.perf_counter()
        for _ in range(steps):
            self.trainer.step()
        return {"seconds": time.perf_counter() - start}

    def losses(self, steps):
        trainer = Trainer(self.task, self.models, 0.0)
        losses = []
        for i in range(steps):
            losses.append(trainer.step().item())
            if not math.isfinite(losses[-1]):  # JSON has no word for it
                raise ValueError(f"loss {i + 1} is {losses[-1]}")
        return {"losses": losses}

    def train(self, epochs, seed):
        torch.manual_seed(seed)
        return train(Trainer(self.task, self.models, self.task.dropout), epochs)

    def memory(self):
        self.trainer.step()  # the first one allocates the optimiser's state
        give_back()
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")  # the peak becomes what is resident now
        start = resident("VmRSS")
        self.trainer.step()
        peak = max(0, resident("VmHWM") - start)
        give_back()
        return {"peak": peak, "live": max(0, resident("VmRSS") - self.before)}


def respond(slots, request, models):
    do, name = request["do"], request.get("slot")
    if do in ("open", "close"):
        slots.pop(name, None)  # frees the task before
        if do == "open":
            slots[name] = Slot(request["task"], models)
        return {}
    if name not in slots:
        raise ValueError(f"no open slot {name!r}")
    slot = slots[name]
    if do == "run":
        return slot.run(request["steps"])
    if do == "losses":
        return slot.losses(request["steps"])
    if do == "train":
        return slot.train(request["epochs"], request["seed"])
    if do == "memory":
        return slot.memory()
    raise ValueError(f"no request {do!r}")


def serve(name, version, models, backend):
    """Answers requests to the end of the input. models: name → module(task, dropout)."""
    torch.set_num_threads(THREADS)
    config = torch.__config__.show()
    capability = [line.split(":")[1].strip() for line in config.splitlines() if "CPU capability" in line]
    answer({
        "name": name,
        "version": version,
        "threads": torch.get_num_threads(),
        "backend": ", ".join([backend, "fused Adam" if FUSED_ADAM else "Adam", *capability]),
    })
    slots = {}
    for line in requests:
        try:
            answer(respond(slots, json.loads(line), models))
        except Exception as e:
            answer({"error": f"{type(e).__name__}: {e}"})
