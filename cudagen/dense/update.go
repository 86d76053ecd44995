// Optimisers: one launch updates many parameters.

package dense

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/tensor"
)

// tensorsAtOnce is how many parameters a launch takes: row y of the grid has parameter y.
const tensorsAtOnce = 16

// An update is the step of one weight in C: p is the weight, g its gradient, b0 b1 b2 its
// buffers; numbers are what it is given, by name.
type update struct {
	numbers []string
	buffers int
	body    string
}

var adamNumbers = []string{"shrink", "l2", "b1", "c1", "b2", "c2", "root", "eps", "size"}

// updates are the rules of package optim, in the order of operations of its kernels.
var updates = map[string]update{
	"adam": {adamNumbers, 2, `const T x = p * shrink, d = g + l2 * x;
v0 = b1 * v0 + c1 * d;
v1 = b2 * v1 + c2 * d * d;
p = x - size * v0 / (m_sqrt(v1) / root + eps);`},
	"amsgrad": {adamNumbers, 3, `const T x = p * shrink, d = g + l2 * x;
v0 = b1 * v0 + c1 * d;
v1 = b2 * v1 + c2 * d * d;
v2 = e_max(v2, v1);
p = x - size * v0 / (m_sqrt(v2) / root + eps);`},
	"sgd": {[]string{"lr", "decay"}, 0, `p -= lr * (g + decay * p);`},
	"sgd_momentum": {[]string{"lr", "decay", "momentum", "share"}, 1, `v0 = momentum * v0 + share * (g + decay * p);
p -= lr * v0;`},
	"sgd_nesterov": {[]string{"lr", "decay", "momentum", "share"}, 1, `const T d = g + decay * p;
v0 = momentum * v0 + share * d;
p -= lr * (d + momentum * v0);`},
	"rmsprop": {[]string{"lr", "decay", "alpha", "rest", "eps"}, 1, `const T d = g + decay * p;
v0 = alpha * v0 + rest * d * d;
p -= lr * (d / (m_sqrt(v0) + eps));`},
	"rmsprop_centered": {[]string{"lr", "decay", "alpha", "rest", "eps"}, 2, `const T d = g + decay * p;
v0 = alpha * v0 + rest * d * d;
v1 = alpha * v1 + rest * d;
p -= lr * (d / (m_sqrt(e_max(v0 - v1 * v1, (T)0)) + eps));`},
	"rmsprop_momentum": {[]string{"lr", "decay", "alpha", "rest", "eps", "momentum"}, 2, `const T d = g + decay * p;
v0 = alpha * v0 + rest * d * d;
v1 = momentum * v1 + d / (m_sqrt(v0) + eps);
p -= lr * v1;`},
	"rmsprop_centered_momentum": {[]string{"lr", "decay", "alpha", "rest", "eps", "momentum"}, 3, `const T d = g + decay * p;
v0 = alpha * v0 + rest * d * d;
v1 = alpha * v1 + rest * d;
v2 = momentum * v2 + d / (m_sqrt(e_max(v0 - v1 * v1, (T)0)) + eps);
p -= lr * v2;`},
	"adagrad": {[]string{"lr", "decay", "eps"}, 1, `const T d = g + decay * p;
v0 += d * d;
p -= lr * d / (m_sqrt(v0) + eps);`},
	"adadelta": {[]string{"lr", "decay", "rho", "rest", "eps"}, 2, `const T d = g + decay * p;
v0 = rho * v0 + rest * d * d;
const T delta = m_sqrt(v1 + eps) / m_sqrt(v0 + eps) * d;
v1 = rho * v1 + rest * delta * delta;
p -= lr * delta;`},
	"nadam": {[]string{"shrink", "l2", "b1", "c1", "b2", "c2", "correction", "eps", "step_g", "step_m"}, 2, `const T x = p * shrink, d = g + l2 * x;
v0 = b1 * v0 + c1 * d;
v1 = b2 * v1 + c2 * d * d;
p = x - (step_g * d + step_m * v0) / (m_sqrt(v1 / correction) + eps);`},
	"lion": {[]string{"lr", "shrink", "b1", "c1", "b2", "c2"}, 1, `p = p * shrink - lr * e_sign(b1 * v0 + c1 * g);
v0 = b2 * v0 + c2 * g;`},
}

// Update makes an optimiser's step.
func (b *Backend) Update(rule string, numbers []float64, tensors [][]tensor.View) error {
	u, ok := updates[rule]
	if !ok || len(numbers) != len(u.numbers) {
		panic(fmt.Sprintf("BUG: dense: rule %q with %d numbers", rule, len(numbers)))
	}
	for part := range slices.Chunk(tensors, tensorsAtOnce) {
		if err := b.launch(updateWork(rule, u, numbers, part)); err != nil {
			return err
		}
	}
	return nil
}

func updateWork(rule string, u update, numbers []float64, tensors [][]tensor.View) work {
	dt := tensors[0][0].DType
	var args []argument
	for _, n := range numbers {
		args = append(args, numberOf(dt, n))
	}
	largest := 0
	for y := range tensorsAtOnce {
		for k := range 2 + u.buffers {
			if y < len(tensors) {
				args = append(args, tensors[y][k])
			} else {
				args = append(args, nil)
			}
		}
		n := 0
		if y < len(tensors) {
			n = tensors[y][0].Size()
		}
		args, largest = append(args, n), max(largest, n)
	}
	return work{
		key:    fmt.Sprintf("update %s %v", rule, dt),
		text:   func() string { return updateText(u, dt) },
		blocks: blocksFor(largest),
		rows:   len(tensors),
		args:   args,
	}
}

func updateText(u update, dt tensor.DType) string {
	var b strings.Builder
	fmt.Fprintf(&b, "typedef %s T;\n", cTypes[dt])
	var all, chosen []string
	for _, n := range u.numbers {
		all = append(all, "T "+n)
	}
	for y := range tensorsAtOnce {
		all = append(all, fmt.Sprintf("T *p%d, const T *g%d", y, y))
		choice := fmt.Sprintf("    case %d: w = p%d, d = g%d", y, y, y)
		for k := range u.buffers {
			all = append(all, fmt.Sprintf("T *v%d_%d", k, y))
			choice += fmt.Sprintf(", s%d = v%d_%d", k, k, y)
		}
		all = append(all, fmt.Sprintf("i64 n%d", y))
		chosen = append(chosen, choice+fmt.Sprintf(", n = n%d; break;\n", y))
	}
	fmt.Fprintf(&b, "AST_KERNEL(k)(%s) {\n  T *w = 0;\n  const T *d = 0;\n  i64 n = 0;\n", strings.Join(all, ", "))
	for k := range u.buffers {
		fmt.Fprintf(&b, "  T *s%d = 0;\n", k)
	}
	fmt.Fprintf(&b, "  switch (blockIdx.y) {\n%s  }\n", strings.Join(chosen, ""))
	b.WriteString("  for (i64 i = thread_index(); i < n; i += thread_count()) {\n    T p = w[i];\n    const T g = d[i];\n")
	for k := range u.buffers {
		fmt.Fprintf(&b, "    T v%d = s%d[i];\n", k, k)
	}
	b.WriteString("    {\n" + u.body + "\n    }\n    w[i] = p;\n")
	for k := range u.buffers {
		fmt.Fprintf(&b, "    s%d[i] = v%d;\n", k, k)
	}
	b.WriteString("  }\n}\n")
	return b.String()
}
