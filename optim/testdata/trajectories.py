"""Writes trajectories.txt: five steps of torch.optim's optimisers in float64, averages of
weights, and the rates of its schedules.

Usage: python3 trajectories.py > trajectories.txt   (needs PyTorch 2; 1.13 has an error in NAdam)

Every line is a name and 30 numbers, a [6, 5] parameter. "start" is where all
begin; "gradient k" the gradient of step k, the same for all; "NAME k" the
parameter after step k. Learning rate 0.05, weight decay 0.03 throughout.
"average_NAME k" is the average of the weights of SGD after steps 1 to k.
"schedule_NAME" is the learning rates of steps 0 to 29, "metric" what the plateau's
schedule is told after each.
"""

import math

import torch

torch.set_default_dtype(torch.float64)  # also of NAdam's product of momenta

STEPS, SHAPE = 5, (6, 5)
COMMON = dict(lr=0.05, weight_decay=0.03)
CASES = {
    "sgd": lambda p: torch.optim.SGD(p, **COMMON),
    "sgd_momentum": lambda p: torch.optim.SGD(p, momentum=0.9, **COMMON),
    "sgd_nesterov": lambda p: torch.optim.SGD(p, momentum=0.9, nesterov=True, **COMMON),
    "sgd_dampening": lambda p: torch.optim.SGD(p, momentum=0.8, dampening=0.3, **COMMON),
    "adam_amsgrad": lambda p: torch.optim.Adam(p, amsgrad=True, betas=(0.9, 0.7), **COMMON),
    "adamw_amsgrad": lambda p: torch.optim.AdamW(p, amsgrad=True, betas=(0.9, 0.7), **COMMON),
    "rmsprop": lambda p: torch.optim.RMSprop(p, **COMMON),
    "rmsprop_momentum": lambda p: torch.optim.RMSprop(p, alpha=0.9, momentum=0.8, **COMMON),
    "rmsprop_centered": lambda p: torch.optim.RMSprop(p, centered=True, momentum=0.8, **COMMON),
    "adagrad": lambda p: torch.optim.Adagrad(p, **COMMON),
    "adagrad_decay": lambda p: torch.optim.Adagrad(p, lr_decay=0.2, initial_accumulator_value=0.1, **COMMON),
    "adadelta": lambda p: torch.optim.Adadelta(p, **COMMON),
    "nadam": lambda p: torch.optim.NAdam(p, **COMMON),
}


def values(phase, scale):
    n = SHAPE[0] * SHAPE[1]
    return torch.tensor([scale * math.sin(1.7 * i + phase) for i in range(n)]).reshape(SHAPE)


def show(name, t):
    print(name, *("%.15g" % x for x in t.detach().flatten().tolist()))


start = values(0.3, 1.0)
gradients = [values(0.9 * k + 2.0, 1.5 ** (2 - k)) for k in range(STEPS)]
show("start", start)
for k, g in enumerate(gradients):
    show("gradient %d" % (k + 1), g)
for name, make in CASES.items():
    p = start.clone().requires_grad_()
    opt = make([p])
    for k, g in enumerate(gradients):
        p.grad = g.clone()
        opt.step()
        show("%s %d" % (name, k + 1), p)

swa = torch.optim.swa_utils
for name, rule in {"average_decay": swa.get_ema_multi_avg_fn(0.8), "average_mean": swa.get_swa_multi_avg_fn()}.items():
    module = torch.nn.ParameterList([start.clone()])
    opt = torch.optim.SGD(module.parameters(), **COMMON)
    average = swa.AveragedModel(module, multi_avg_fn=rule)
    for k, g in enumerate(gradients):
        module[0].grad = g.clone()
        opt.step()
        average.update_parameters(module)
        show("%s %d" % (name, k + 1), average.module[0])

lr = torch.optim.lr_scheduler
SCHEDULES = {
    "step": lambda o: lr.StepLR(o, step_size=7, gamma=0.5),
    "multi_step": lambda o: lr.MultiStepLR(o, milestones=[4, 11, 11, 20], gamma=0.4),
    "lambda": lambda o: lr.LambdaLR(o, lambda k: min((k + 1) ** -0.5, (k + 1) * 8 ** -1.5)),
    "cosine": lambda o: lr.SequentialLR(o, [
        lr.LinearLR(o, start_factor=0.1, total_iters=6), lr.CosineAnnealingLR(o, T_max=24, eta_min=0.001)], milestones=[6]),
    "one_cycle": lambda o: lr.OneCycleLR(o, max_lr=0.05, total_steps=30, cycle_momentum=False),
    "one_cycle_linear": lambda o: lr.OneCycleLR(
        o, max_lr=0.05, total_steps=30, pct_start=0.4, div_factor=10, final_div_factor=100, anneal_strategy="linear", cycle_momentum=False),
    "plateau": lambda o: lr.ReduceLROnPlateau(o, factor=0.3, patience=2, threshold=0.05, cooldown=1, min_lr=0.0005),
}
metric = [2 * math.exp(-0.3 * k) + 0.2 * math.sin(2.0 * k) + 0.5 for k in range(30)]
print("metric", *("%.15g" % x for x in metric))
for name, make in SCHEDULES.items():
    opt = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.05)
    schedule = make(opt)
    rates = []
    for k in range(30):
        rates.append(opt.param_groups[0]["lr"])
        opt.step()
        if k == 29:
            break
        schedule.step(metric[k]) if name == "plateau" else schedule.step()
    print("schedule_" + name, *("%.15g" % x for x in rates))
