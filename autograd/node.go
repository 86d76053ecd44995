// The record of an operation: what the backward pass needs of it.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// A node is one recorded operation. It is immutable until a backward pass frees
// it.
type node struct {
	op     opcode
	attrs  attrs
	inputs []*Var
	out    *tensor.Tensor // result of a table op; nil for custom ops
	custom *custom        // set exactly when op is opCustom
	freed  bool
}

// attrs are the parameters of an op that are not differentiated. Each op's
// comment in the table says which it uses.
type attrs struct {
	scalar         float64 // factor, summand, exponent, slope, alpha, drop probability
	lower, upper   float64 // Clamp
	axis           int     // Concat, Slice
	from           int     // Slice: first index kept
	rows           []int32 // IndexSelect, ScatterAddRows, losses: row numbers
	labels         []int32 // losses: class of each row
	transA, transB bool    // matrix products
	seed           uint64  // Dropout
	sparse         *tensor.Sparse
}

// name returns the op's name for messages.
func (n *node) name() string {
	if n.custom != nil {
		return n.custom.name
	}
	return table[n.op].name
}

// outputs returns the number of results.
func (n *node) outputs() int {
	if n.custom != nil {
		return len(n.custom.shapes)
	}
	return 1
}

// free drops what the backward pass needed, so that intermediate tensors can be
// collected while the results are still in use.
func (n *node) free() {
	n.freed = true
	n.inputs, n.out, n.attrs = nil, nil, attrs{}
	if n.custom != nil {
		n.custom.backward = nil
	}
}

// record returns out as the result of op on inputs. The operation is remembered
// only if an input requires a gradient.
func record(op opcode, out *tensor.Tensor, a attrs, inputs ...*Var) *Var {
	if !anyRequires(inputs) {
		return Constant(out)
	}
	n := &node{op: op, attrs: a, inputs: inputs, out: out}
	return &Var{value: out, node: n, requires: true}
}

func anyRequires(vs []*Var) bool {
	for _, v := range vs {
		if v.requires {
			return true
		}
	}
	return false
}
