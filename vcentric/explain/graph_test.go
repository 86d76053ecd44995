package explain

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

const dotString = `"(?:[^"\\]|\\[\\"n])*"`

// The statements that we write, one a line.
var (
	dotHead    = regexp.MustCompile(`^digraph ` + dotString + ` \{$`)
	dotDefault = regexp.MustCompile(`^node \[[^\]]*\]$`)
	dotNode    = regexp.MustCompile(`^(\w+) \[label=` + dotString + `(?:, \w+=(?:\w+|` + dotString + `))*\]$`)
	dotEdge    = regexp.MustCompile(`^(\w+) -> (\w+)$`)
	dotCluster = regexp.MustCompile(`^subgraph cluster_\w+ \{$`)
	dotLabel   = regexp.MustCompile(`^label=` + dotString + `$`)
)

// checkDot checks a graph against the part of the DOT grammar that we use, and
// returns its nodes and edges. Every node is described once, before its edges.
func checkDot(text string) (nodes map[string]bool, edges int, err error) {
	nodes = make(map[string]bool)
	depth := 0
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		line = strings.TrimSpace(line)
		fail := func(what string) (map[string]bool, int, error) {
			return nil, 0, fmt.Errorf("line %d: %s: %s", i+1, what, line)
		}
		switch {
		case (i == 0) != dotHead.MatchString(line):
			return fail("one head, first")
		case i > 0 && depth == 0:
			return fail("after the end")
		case i == 0 || dotCluster.MatchString(line):
			depth++
		case line == "}":
			depth--
		case dotDefault.MatchString(line), dotLabel.MatchString(line):
		case dotNode.MatchString(line):
			name := dotNode.FindStringSubmatch(line)[1]
			if nodes[name] {
				return fail("described twice")
			}
			nodes[name] = true
		case dotEdge.MatchString(line):
			if m := dotEdge.FindStringSubmatch(line); !nodes[m[1]] || !nodes[m[2]] {
				return fail("an end is not described")
			}
			edges++
		default:
			return fail("no statement")
		}
	}
	if depth != 0 {
		return nil, 0, fmt.Errorf("%d braces left open", depth)
	}
	return nodes, edges, nil
}

func TestGraphsOfASampleAreTheGoldens(t *testing.T) {
	r := sample(t)
	var b strings.Builder
	if err := r.Graph(&b, 0); err != nil {
		t.Fatal(err)
	}
	golden(t, "sample.dot", b.String())
	golden(t, "sample-plan.dot", GraphvizPlan(r.Forward))
}

func TestGraphsHaveANodeAValueAndAnEdgeAnOperand(t *testing.T) {
	for _, p := range irtest.Layers() {
		operands := len(p.Outputs)
		for _, v := range p.Values {
			operands += len(v.Args)
		}
		nodes, edges, err := checkDot(Graphviz(p))
		if err != nil || len(nodes) != len(p.Values)+len(p.Outputs) || edges != operands {
			t.Errorf("%s: %d nodes, %d edges, %v", p.Name, len(nodes), edges, err)
		}
	}
}

func TestGraphsOfPlansAreWellFormedAndHaveAllBuffersAndLoops(t *testing.T) {
	for _, layer := range irtest.Layers() {
		r := trained(layer)
		for _, p := range r.plans() {
			text := GraphvizPlan(p.plan)
			nodes, _, err := checkDot(text)
			if err != nil {
				t.Errorf("%s: %v", layer.Name, err)
			}
			for _, b := range p.plan.Buffers {
				if !nodes[bufferNode(b)] {
					t.Errorf("%s lacks buffer %d", layer.Name, b.Index)
				}
			}
			clusters := len(p.plan.Steps)
			for _, s := range p.plan.Steps {
				if k, ok := s.(*plan.Kernel); ok {
					clusters += len(k.Loops)
				}
			}
			if n := strings.Count(text, "subgraph cluster_"); n != clusters {
				t.Errorf("%s has %d clusters, want %d", layer.Name, n, clusters)
			}
		}
	}
}

func TestGraphOfAStageThatIsNotThereIsMisuse(t *testing.T) {
	for _, stage := range []int{-1, 3} {
		func() {
			defer func() {
				err, _ := recover().(error)
				var misuse interface{ Misuse() }
				if !errors.As(err, &misuse) || !strings.Contains(err.Error(), "of 3") {
					t.Errorf("stage %d: %v", stage, err)
				}
			}()
			sample(t).Graph(&strings.Builder{}, stage)
		}()
	}
}

func TestGraphReportsAFailedWrite(t *testing.T) {
	if err := sample(t).Graph(broken{}, 0); err != errBroken {
		t.Errorf("error %v", err)
	}
}

var errBroken = errors.New("broken pipe")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestDotQuotesWhatWouldEndAString(t *testing.T) {
	for text, want := range map[string]string{
		`a"b`:         `"a\"b"`,
		`a\`:          `"a\\"`,
		"a\nb":        `"a\nb"`,
		"&lt;":        `"&amp;lt;"`,
		"a\x00\x07":   "\"a\uFFFD\uFFFD\"",
		"\xff":        "\"\uFFFD\"",
		"]; x -> y {": `"]; x -> y {"`,
	} {
		if got := quoteDot(text); got != want {
			t.Errorf("%q is quoted as %s, want %s", text, got, want)
		}
	}
	for _, name := range hostile {
		b := ir.NewBuilder(name, ir.F32, false)
		b.At(name)
		b.Output(name, b.Exp(b.Input(name, ir.Src, ir.Shape{2})))
		if nodes, _, err := checkDot(Graphviz(b.Program())); err != nil || len(nodes) != 3 {
			t.Errorf("%q: %d nodes, %v", name, len(nodes), err)
		}
		if _, _, err := checkDot(GraphvizPlan(plan.Build(b.Program()))); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}
