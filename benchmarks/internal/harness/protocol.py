# A peer's side of the benchmarks: answers requests on standard input, one JSON
# object a line, followed by the raw numbers of the tensors it announces. It keeps
# its own time, so that the pipe is in no measurement. A script after this one
# defines CASES, from a name to a function of arguments and tensors that returns
# how to run the case some times, giving the seconds, and how to compute its
# output, a list of tensors.

import ctypes
import gc
import json
import os
import sys
import time

requests = sys.stdin.buffer
answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # what libraries print is no answer


def answer(message, numbers=b""):
    answers.write(json.dumps(message).encode() + b"\n" + numbers)
    answers.flush()


# The folder the harness runs in is not to be searched: scripts are there.
sys.path[:] = [folder for folder in sys.path if folder]
VERSIONS = []  # of what a script uses beside PyTorch
try:
    import torch
    import torch.nn.functional as F
except Exception as e:
    answer({"error": f"{type(e).__name__}: {e}"})
    sys.exit()


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


def read_tensor(shape, kind):
    count = 1
    for n in shape:
        count *= n
    if count == 0:
        return torch.empty(shape, dtype=getattr(torch, kind))
    data = bytearray(requests.read(4 * count))
    return torch.frombuffer(data, dtype=getattr(torch, kind)).reshape(shape).clone()


def resident(field):
    """The process's VmRSS, or its peak VmHWM, in bytes."""
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith(field + ":"):
                return 1024 * int(line.split()[1])
    raise RuntimeError("the system does not tell " + field)


def peak_growth(run):
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)  # what is free counts when it is used again
    except AttributeError:  # a C library other than glibc
        pass
    with open("/proc/self/clear_refs", "w") as f:
        f.write("5")  # the peak becomes what is resident now
    before = resident("VmRSS")
    run(1)
    return max(0, resident("VmHWM") - before)


def serve(cases):
    limit = int(sys.argv[2])
    if limit > 0:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    config = torch.__config__.show()
    blas = [w for w in config.replace(",", " ").split() if w.startswith("BLAS_INFO=")]
    capability = [l.split(":")[1].strip() for l in config.splitlines() if "CPU capability" in l]
    torch.set_num_threads(int(sys.argv[1]))
    answer({
        "version": " ".join([torch.__version__] + VERSIONS),
        "threads": torch.get_num_threads(),
        "build": " ".join(capability + blas),
    })
    slots = {}
    for line in requests:
        request = json.loads(line)
        do, slot = request["do"], request.get("slot")
        if do == "setup":
            slots.pop(slot, None)  # frees the case before
            xs = [read_tensor(*x) for x in zip(request["shapes"], request["types"])]
        try:
            if do == "setup":
                slots[slot] = cases[request["case"]](request["args"], xs)
                del xs
                answer({})
            elif do == "run":
                answer({"seconds": slots[slot][0](request["reps"])})
            elif do == "output":
                out = torch.cat([t.detach().reshape(-1) for t in slots[slot][1]()]).float().contiguous()
                answer({"count": out.numel()}, ctypes.string_at(out.data_ptr(), 4 * out.numel()))
                del out
            elif do == "peak":
                answer({"bytes": peak_growth(slots[slot][0])})
            elif do == "clear":
                slots.clear()
                answer({})
        except Exception as e:
            answer({"error": f"{type(e).__name__}: {e}"})
