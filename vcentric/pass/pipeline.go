package pass

// The order of the passes, with the reason for it.

import "github.com/asterias-ml/asterias/vcentric/ir"

// Stage is a program as it left one step of the pipeline.
type Stage struct {
	Name    string
	Program *ir.Program
}

// Options steer the pipeline.
type Options struct {
	Off   []string                  // rules to leave out, by name
	Watch func(Stage)               // called after every step; may be nil
	Want  func(binding string) bool // the bindings to take gradients of; nil for none
}

// step is one entry of a pipeline: a pass, or a set of rules.
type step struct {
	name  string
	rules []Rule
	run   func(*ir.Program) *ir.Program
	why   string
}

var traced = []step{
	{name: "softmax", rules: softmaxRules, why: "first: its pattern is what the user wrote, before algebra disturbs it"},
	{name: "cse", run: CSE, why: "so that rules see equal operands as one value"},
	{name: "dense", rules: denseRules, why: "before the gradient: that of a product on vertices is on vertices too"},
}

var differentiated = []step{
	{name: "cse", run: CSE, why: "gradient rules repeat values of the forward program"},
	{name: "reuse", rules: reuseRules, why: "before lower: it looks for sums weighted by the softmax as a whole"},
}

var optimised = []step{
	{name: "lower", rules: lowerRules, why: "before reorder: the softmax's denominator can leave the sum it weighs"},
	{name: "cse", run: CSE, why: "forward and backward wrote the same softmax out"},
	{name: "fold", rules: foldRules, why: "before reorder: fewer shapes of the same expression"},
	{name: "reorder", rules: reorderRules, why: "the work that is left is where it is cheapest"},
	{name: "fold", rules: foldRules, why: "reorder leaves expands and products behind"},
	{name: "cse", run: CSE, why: "reorder moves equal work to the same vertices"},
}

// The halves of a split program see each other's values as inputs, which can be
// read from either side.
var halved = []step{
	{name: "reorder", rules: reorderRules, why: "views of saved values become reads of them"},
	{name: "fold", rules: foldRules},
	{name: "cse", run: CSE},
}

// Forward optimises a program that needs no gradients.
func Forward(p *ir.Program, o Options) (*ir.Program, Log) {
	log := make(Log)
	p = run(p, traced, o, log)
	return run(p, optimised, o, log), log
}

// Training optimises a program together with its gradients, and splits it into
// forward and backward.
func Training(p *ir.Program, o Options) (forward, backward *ir.Program, log Log) {
	log = make(Log)
	p = run(p, traced, o, log)
	p = Grad(p, o.Want)
	o.watch("grad", p)
	p = run(p, differentiated, o, log)
	p = run(p, optimised, o, log)
	forward, backward = Split(p)
	o.watch("split forward", forward)
	o.watch("split backward", backward)
	forward = run(forward, halved, o, log)
	backward = run(backward, halved, o, log)
	return forward, backward, log
}

func run(p *ir.Program, steps []step, o Options, log Log) *ir.Program {
	for _, s := range steps {
		if s.rules != nil {
			p = rewrite(p, s.rules, o.Off, log)
		} else {
			p = s.run(p)
		}
		o.watch(s.name, p)
	}
	return p
}

func (o Options) watch(name string, p *ir.Program) {
	if o.Watch != nil {
		o.Watch(Stage{Name: name, Program: p})
	}
}
