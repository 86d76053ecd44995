// The record of an operation: what the backward pass needs of it.

package autograd

import "github.com/asterias-ml/asterias/tensor"

// A node is one recorded operation. It is immutable until a backward pass, which
// keeps its own notes in it and frees it.
type node struct {
	op     opcode
	freed  bool
	attrs  attrs
	inputs []*Var
	few    [3]*Var        // what inputs points to, if they fit
	out    *tensor.Tensor // result of a table op; nil for custom ops
	custom *custom        // set exactly when op is opCustom
	hooks  []*hook
	where  string // file and line of the call, in an anomaly region
	at     Moment // of the call

	// The notes of the pass that is at work.
	mark    uint64 // the last pass that has seen the node
	needed  bool   // gradients that the pass looks for lie behind it
	pending *Var   // the gradient gathered for the result so far
	others  []*Var // and for the results of a custom op after the first
}

// attrs are the parameters of an op that are not differentiated. Each op's
// comment in the table says which it uses.
type attrs struct {
	scalar       float64           // factor, summand, exponent, slope, alpha, drop probability
	lower, upper float64           // Clamp
	axis         int               // Concat, Slice, ...
	from         int               // Slice: first index kept
	rows         []int32           // IndexSelect, Embedding but where onDevice, ScatterAddRows, losses: row numbers
	onDevice     bool              // Embedding: the row numbers are where the table is, and stay there
	padding      *int              // Embedding: the row without a gradient, if any
	targets      *classTargets     // losses
	seed         uint64            // Dropout
	transA       bool              // SparseMatMul
	relu         bool              // Linear
	open         bool              // Clamp: no gradient at the bounds
	perm         []int             // Transpose
	axes         axisSet           // reductions, Flip
	saved        [2]*tensor.Tensor // LayerNorm: what the forward pass has computed besides
}

// name returns the op's name for messages.
func (n *node) name() string {
	if n.custom != nil {
		return n.custom.name
	}
	return table[n.op].name
}

// slot returns where the gradient of a result is gathered.
func (n *node) slot(output int) **Var {
	if output == 0 {
		return &n.pending
	}
	return &n.others[output-1]
}

// free drops what the backward pass needed, so that intermediate tensors can be
// collected while the results are still in use.
func (n *node) free() {
	n.freed = true
	n.inputs, n.out, n.attrs, n.few = nil, nil, attrs{}, [3]*Var{}
	n.hooks = nil
	if n.custom != nil {
		n.custom.backward, n.custom.vars, n.custom.rerun, n.custom.redo = nil, nil, nil, nil
		n.custom.release()
	}
}

// A recorded result and its operation are one object: half the allocations.
type recorded struct {
	v Var
	n node
}

// record returns out as the result of op on inputs. The operation is remembered
// only if an input requires a gradient.
func record(op opcode, out *tensor.Tensor, a attrs, inputs ...*Var) *Var {
	requires, lender, reg := false, (*Var)(nil), (*region)(nil)
	for _, in := range inputs {
		if in.stale != nil {
			in.refuse()
		}
		requires = requires || in.requires
		if lender == nil {
			lender = in.lends(out)
		}
		if in.region != nil {
			reg = reg.join(in.region)
		}
	}
	if reg != nil {
		if reg.pass != nil {
			return reg.pass.temporary(out, inputs...)
		}
		if reg.anomaly {
			checkForward(table[op].name, out, inputs)
		}
		if reg.scope != nil {
			reg.scope.add(out, inputs)
		}
		reg.refuseChanged(table[op].name, inputs)
		requires = reg.records(requires)
	}
	if !requires {
		return &Var{value: out, region: reg, lender: lender}
	}
	r := &recorded{v: Var{value: out, requires: true, region: reg, lender: lender}, n: node{op: op, attrs: a, out: out, at: Now()}}
	r.v.node = &r.n
	if len(inputs) <= len(r.n.few) {
		r.n.inputs = r.n.few[:copy(r.n.few[:], inputs)]
	} else {
		r.n.inputs = append([]*Var(nil), inputs...)
	}
	if reg != nil && reg.anomaly {
		r.n.where = caller()
	}
	return &r.v
}
