package pass

// The order of the passes, with the reason for it.

import (
	"slices"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Stage is a program as it left one step of the pipeline.
type Stage struct {
	Name    string
	Program *ir.Program
}

// Options steer the pipeline.
type Options struct {
	Off   []string                  // rules to leave out, by name
	Sizes Sizes                     // of the graphs, for the cost model; zero if unknown
	Watch func(Stage)               // called after every step; may be nil
	Want  func(binding string) bool // the bindings to take gradients of; nil for none
}

// step is one entry of a pipeline: a pass, or a set of rules.
type step struct {
	name  string
	rules func(Options, *ir.Program) []Rule // for a program; nil stands for any
	run   func(*ir.Program) *ir.Program
	why   string
}

var traced = []step{
	{name: "cse", run: CSE, why: "so that rules see equal operands as one value"},
	{name: "softmax", rules: fixed(softmaxRules), why: "its pattern is what the user wrote, before algebra disturbs it"},
	{name: "multiply-out", rules: fixed(multiplyOutRules), why: "before the gradient, which has no rule for products with matrices of rows"},
	{name: "dense", rules: denseRules, why: "before the gradient: that of a product on vertices is on vertices too"},
	{name: "linear", rules: linearRules, why: "before the gradient, which follows the order; after dense, which makes products of vertices"},
}

var differentiated = []step{
	{name: "cse", run: CSE, why: "gradient rules repeat values of the forward program"},
	{name: "reuse", rules: reuseRules, why: "before lower: it looks for sums weighted by the softmax as a whole"},
}

var optimised = []step{
	{name: "lower", rules: fixed(lowerRules), why: "before reorder: the softmax's denominator can leave the sum it weighs"},
	{name: "cse", run: CSE, why: "forward and backward wrote the same softmax out"},
	{name: "fold", rules: fixed(foldRules), why: "before reorder: fewer shapes of the same expression"},
	{name: "reorder", rules: reorderRules, why: "the work that is left is where it is cheapest"},
	{name: "cse", run: CSE, why: "typed looks for sums that the program has already"},
	{name: "typed sums", rules: typedSumRules, why: "after reorder: sums of products are met as such"},
	{name: "typed tables", rules: typedTableRules, why: "after typed sums: the products that no sum took over"},
	{name: "fold", rules: fixed(foldRules), why: "reorder and typed leave expands, layouts and products behind"},
	{name: "cse", run: CSE, why: "reorder moves equal work to the same vertices"},
}

// closing comes after all that moves work away from the edges, which would undo it.
var closing = []step{
	{name: "inline", rules: fixed(inlineRules), why: "last: edges read what is in memory by then"},
	{name: "cse", run: CSE, why: "two sums may scale the same rows"},
}

// The halves of a split program see each other's values as inputs, which can be
// read from either side.
var halved = []step{
	{name: "reorder", rules: reorderRules, why: "views of saved values become reads of them"},
	{name: "fold", rules: fixed(foldRules)},
	{name: "cse", run: CSE},
}

// fixed is a set of rules that no option changes.
func fixed(rules []Rule) func(Options, *ir.Program) []Rule {
	return func(Options, *ir.Program) []Rule { return rules }
}

// Forward optimises a program that needs no gradients.
func Forward(p *ir.Program, o Options) (*ir.Program, Log) {
	log := make(Log)
	p = run(p, traced, o, log)
	p = run(p, optimised, o, log)
	return run(p, closing, o, log), log
}

// Training optimises a program together with its gradients, and splits it into
// forward and backward.
func Training(p *ir.Program, o Options) (forward, backward *ir.Program, log Log) {
	log = make(Log)
	p = run(p, traced, o, log)
	p = Grad(p, o.Want)
	o.watch("grad", p)
	p = run(p, differentiated, o, log)
	edges := o.savedEdges(p, log)
	if len(edges) == 0 {
		p = run(p, optimised, o, log)
	}
	forward, backward = Split(p, edges)
	o.watch("split forward", forward)
	o.watch("split backward", backward)
	if len(edges) > 0 { // not before: backward would read what the values that are saved are made of
		forward, backward = run(forward, optimised, o, log), run(backward, optimised, o, log)
	}
	forward = run(run(forward, halved, o, log), closing, o, log)
	backward = run(run(backward, halved, o, log), closing, o, log)
	return forward, backward, log
}

func run(p *ir.Program, steps []step, o Options, log Log) *ir.Program {
	for _, s := range steps {
		if s.rules != nil {
			p = rewrite(p, s.rules(o, p), o.Off, log)
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

// RuleNames lists the rules that can be left out of a compilation.
func RuleNames() []string {
	names := []string{SaveEdgeValue}
	for _, s := range slices.Concat(traced, differentiated, optimised, halved, closing) {
		if s.rules == nil {
			continue
		}
		for _, r := range s.rules(Options{}, nil) {
			if !r.Needed && !slices.Contains(names, r.Name) {
				names = append(names, r.Name)
			}
		}
	}
	return names
}
