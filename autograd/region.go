// Regions: ways of computing that pass on from operands to results.

package autograd

import "sync/atomic"

// A region is how results that depend on a Var are computed. It passes on from
// the operands of an operation to its result, so a model is put into a region by
// putting its input there. Nothing is global: goroutines do not disturb each
// other, and one may evaluate a model while another trains it.
type region struct {
	pass    *pass  // gradient rules at work: results are temporaries of the pass
	scope   *scope // results are listed, and their memory is given back together
	noGrad  bool
	anomaly bool
	met     *atomic.Bool // set when noGrad kept an operation from being recorded
	since   Moment       // of a function that is called again: of its first call
}

// NoGrad returns v for computing without gradients: operations on it, and on
// what is computed from it, are not recorded, whatever their other operands
// require. An evaluation keeps nothing for a backward pass that never comes:
//
//	logits := model.Forward(autograd.NoGrad(x))
//
// A model that is given no Var, such as one that begins with the rows of an embedding for a
// slice of numbers, goes on from its first result:
//
//	h := m.Table.Forward(ids)
//	if !m.Training() {
//		h = autograd.NoGrad(h)
//	}
//
// It shares v's memory. [Var.Detach] takes what was computed so as a constant of something
// that is trained, such as a teacher's output or features of a frozen encoder:
//
//	target := teacher.Forward(g, autograd.NoGrad(x)).Softmax().Detach()
func NoGrad(v *Var) *Var {
	v.check("NoGrad")
	return &Var{value: v.value, sparse: v.sparse, region: v.region.join(&region{noGrad: true}), lender: v.trained()}
}

// recording returns the region without the user's NoGrad. That of a function which is run again to
// record it, or recorded as one operation, stays.
func (r *region) recording() *region {
	if r == nil || !r.noGrad || r.met != nil {
		return r
	}
	left := *r
	left.noGrad = false
	if left == (region{}) {
		return nil
	}
	return &left
}

// Recording reports whether an operation on these operands is recorded for a
// backward pass: one of them requires a gradient, and none comes from [NoGrad].
func Recording(operands ...*Var) bool {
	for _, v := range operands {
		v.check("Recording")
	}
	requires, reg := inherited(operands)
	return requires && (reg == nil || !reg.noGrad && reg.pass == nil)
}

// inherited returns what the operands of an operation pass on to its result.
func inherited(operands []*Var) (requires bool, reg *region) {
	for _, v := range operands {
		requires = requires || v.requires
		reg = reg.join(v.region)
	}
	return requires, reg
}

// join returns the region of what is computed from Vars of both.
func (r *region) join(o *region) *region {
	switch {
	case r == nil || r == o:
		return o
	case o == nil:
		return r
	}
	both := &region{pass: r.pass, scope: inner(r.scope, o.scope), noGrad: r.noGrad || o.noGrad, anomaly: r.anomaly || o.anomaly, met: r.met, since: max(r.since, o.since)}
	if both.pass == nil {
		both.pass = o.pass
	}
	if both.met == nil {
		both.met = o.met
	}
	return both
}

// records reports whether an operation is recorded whose operands require a
// gradient or not.
func (r *region) records(requires bool) bool {
	if !r.noGrad {
		return requires && r.pass == nil
	}
	if requires && r.met != nil {
		r.met.Store(true)
	}
	return false
}
