# Plain PyTorch: each model in the fastest formulation found without an extension.
# Sums over edges are products with CSR matrices of 32-bit ids; PyTorch's own rule for
# their gradients transposes the matrix in every step, so the transposed one is made
# once and the rule is written out.

import peer
import torch
import torch.nn.functional as F
from torch import nn

SLOPE = 0.2


class Product(torch.autograd.Function):
    """A·x for a matrix without gradient."""

    @staticmethod
    def forward(ctx, x, matrix, transposed):
        ctx.transposed = transposed
        return matrix @ x

    @staticmethod
    def backward(ctx, g):
        return ctx.transposed @ g, None, None


class Gather(torch.autograd.Function):
    """x_i for each of ids; back, a product with the matrix that sums over equal ids."""

    @staticmethod
    def forward(ctx, x, ids, sums):
        ctx.sums = sums
        return x.index_select(0, ids)

    @staticmethod
    def backward(ctx, g):
        return ctx.sums @ g, None, None


class SumAt(torch.autograd.Function):
    """The sum over equal ids of the rows of x; back, a gather."""

    @staticmethod
    def forward(ctx, x, ids, sums):
        ctx.ids = ids
        return sums @ x

    @staticmethod
    def backward(ctx, g):
        return g.index_select(0, ctx.ids), None, None


class WeightedSum(torch.autograd.Function):
    """Σ α_e h_u over in-edges, α being [E H] and h [N H F]: a matrix product a head."""

    @staticmethod
    def forward(ctx, alpha, h, ends):
        ctx.save_for_backward(alpha, h)
        ctx.ends = ends
        return products(ends.offsets, ends.columns, alpha, h)

    @staticmethod
    def backward(ctx, g):
        alpha, h = ctx.saved_tensors
        ends = ctx.ends
        heads = zip(g.unbind(1), h.unbind(1))
        dalpha = [(a.index_select(0, ends.dst) * b.index_select(0, ends.src)).sum(-1) for a, b in heads]
        back = alpha.index_select(0, ends.order)
        return torch.stack(dalpha, 1), products(ends.offsets_back, ends.columns_back, back, g), None


def products(offsets, columns, values, x):
    n = len(x)
    heads = zip(values.t().contiguous(), x.transpose(0, 1).contiguous())
    return torch.stack([torch.sparse_csr_tensor(offsets, columns, a, (n, n)) @ b for a, b in heads], 1)


def csr(rows, columns, values, shape):
    order = torch.argsort(rows, stable=True)
    offsets = torch.zeros(shape[0] + 1, dtype=torch.int32)
    offsets[1:] = torch.bincount(rows, minlength=shape[0]).cumsum(0)
    return torch.sparse_csr_tensor(offsets, columns[order].int(), values[order], shape)


def both(rows, columns, values, shape):
    """A matrix and its transposed one."""
    return csr(rows, columns, values, shape), csr(columns, rows, values, shape[::-1])


def square(task, values):
    return both(task.dst, task.src, values, (task.vertices, task.vertices))


def gcn_matrices(task):
    return square(task, task.gcn_weights())


def sum_matrices(task):
    return square(task, torch.ones(len(task.src)))


def feature_matrices(task):
    rows, columns = task.x.nonzero(as_tuple=True)
    return both(rows, columns, task.x[rows, columns], tuple(task.x.shape))


class Ends:
    """The edges in order of their destinations; matrices [N E] that sum over those of
    equal source and of equal destination; offsets and columns of the matrix [N N] of
    the edges, and of its transposed one, whose entries are the edges of order."""

    def __init__(self, task):
        order = torch.argsort(task.dst, stable=True)
        self.src, self.dst = task.src[order], task.dst[order]
        edges, n = torch.arange(len(order)), task.vertices
        one = torch.ones(len(order))
        self.of_src = csr(self.src, edges, one, (n, len(order)))
        self.of_dst = csr(self.dst, edges, one, (n, len(order)))
        self.offsets, self.columns = self.of_dst.crow_indices(), self.src.int()
        self.offsets_back, self.order = self.of_src.crow_indices(), self.of_src.col_indices()
        self.columns_back = self.dst.int().index_select(0, self.order)


class Model(nn.Module):
    def __init__(self, task, dropout):
        super().__init__()
        self.task, self.dropout = task, dropout
        self.p = nn.ParameterDict({name: nn.Parameter(t.clone()) for name, t in task.initial.items()})
        self.layers = range(1, task.layers + 1)

    def forward(self):
        x = None  # the features
        for layer in self.layers:
            if layer > 1:
                x = F.dropout(self.activation(x), self.dropout, self.training)
            x = self.layer(layer, x)
        return x

    def times(self, x, w):
        """x·w; the features are sparse where that pays."""
        if x is not None:
            return x @ w
        if self.task.sparse:
            return Product.apply(w, *self.task.once(feature_matrices))
        return self.task.x @ w


class GCN(Model):
    activation = staticmethod(F.relu)

    def layer(self, layer, x):
        xw = self.times(x, self.p[f"w{layer}"])
        return Product.apply(xw, *self.task.once(gcn_matrices)) + self.p[f"b{layer}"]


class GIN(Model):
    """The sum is linear: it comes after the product with W1 where that is narrower."""

    activation = staticmethod(F.relu)

    def layer(self, layer, x):
        eps, w1 = self.p[f"eps{layer}"], self.p[f"w{layer}a"]
        matrices = self.task.once(sum_matrices)
        if w1.shape[0] > w1.shape[1]:
            y = self.times(x, w1)
            y = torch.addcmul(Product.apply(y, *matrices), 1 + eps, y)
            h = y + self.p[f"b{layer}a"]
        else:
            x = self.task.x if x is None else x
            y = torch.addcmul(Product.apply(x, *matrices), 1 + eps, x)
            h = torch.addmm(self.p[f"b{layer}a"], y, w1)
        return torch.addmm(self.p[f"b{layer}b"], F.relu(h), self.p[f"w{layer}b"])


class GAT(Model):
    """Scores are tensors of edges; the weighted sums are products again."""

    activation = staticmethod(F.elu)

    def layer(self, layer, x):
        heads, width = self.task.sizes(layer)
        n, ends = self.task.vertices, self.task.once(Ends)
        h = self.times(x, self.p[f"w{layer}"]).view(n, heads, width)
        el = (h * self.p[f"al{layer}"]).sum(-1)
        er = (h * self.p[f"ar{layer}"]).sum(-1)
        score = from_src(el, ends) + from_dst(er, ends)
        alpha = softmax(F.leaky_relu(score, SLOPE), n, ends)
        out = WeightedSum.apply(alpha, h, ends)
        out = out.mean(1) if layer == self.task.layers else out.reshape(n, heads * width)
        return out + self.p[f"b{layer}"]


def from_src(x, ends):
    return Gather.apply(x, ends.src, ends.of_src)


def from_dst(x, ends):
    return Gather.apply(x, ends.dst, ends.of_dst)


def softmax(score, n, ends):
    """Over the in-edges of each vertex."""
    with torch.no_grad():
        index = ends.dst[:, None].expand_as(score)
        top = torch.zeros(n, score.shape[1]).scatter_reduce(0, index, score, "amax", include_self=False)
        top = top.index_select(0, ends.dst)
    e = torch.exp(score - top)
    return e / from_dst(SumAt.apply(e, ends.dst, ends.of_dst), ends)


peer.serve(
    "torch",
    f"PyTorch {torch.__version__}",
    {"gcn": GCN, "gin": GIN, "gat": GAT},
    "CSR products with stored transposes, features as CSR where sparse",
)
