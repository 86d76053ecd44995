package vcentric

// Reports of how a program was compiled, on request and for ASTERIAS_DUMP.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/explain"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Explain compiles the program for these bindings once more and reports every
// stage: the program after each pass, the plans, and the bytes and flops they
// take on this graph, and the kernels' source of every native compiler that is
// imported, such as vcentric/cc. The report prints as text and as an HTML page.
func (p *Program) Explain(g *graph.Graph, bindings ...Binding) *explain.Report {
	p.want("Explain")
	check(p.name, g, bindings)
	_, r := p.report(g, bindings)
	return r
}

func (p *Program) report(g *graph.Graph, bindings []Binding) (*Compiled, *explain.Report) {
	sig := newSignature(g, bindings)
	r := &explain.Report{Name: p.name, Signature: sig.String(), Sizes: sizesOf(g)}
	start := time.Now()
	c := p.build(sig, bindings, func(s pass.Stage) { r.Stages = append(r.Stages, s) })
	r.CompileTime = time.Since(start)
	r.Rules, r.Forward, r.Backward = c.Fired, c.Forward, c.Backward
	r.Source = make(map[string]string)
	for part, pl := range map[string]*plan.Plan{"forward": c.Forward, "backward": c.Backward} {
		if pl == nil {
			continue
		}
		for compiler, text := range cpu.Sources(pl) {
			r.Source[part+", "+compiler] = text
		}
	}
	return c, r
}

// String says what a program is compiled for.
func (s *signature) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v", s.dtype)
	if s.bipartite {
		b.WriteString(", a bipartite graph")
	}
	if t := s.types; t.Src+t.Dst+t.Edge > 0 {
		fmt.Fprintf(&b, ", %d source types, %d destination types, %d edge types", t.Src, t.Dst, t.Edge)
	}
	if s.training {
		b.WriteString(", training")
	}
	for _, x := range s.bound {
		fmt.Fprintf(&b, "; %v %q %v", x.kind, x.name, x.shape)
		if x.grad {
			b.WriteString(" with gradient")
		}
	}
	return b.String()
}

// The environment variables that make every compilation of a program write its
// report: a list of program names, or *; and the directory that the reports go
// to, each to one of its own.
const (
	dumpEnv    = "ASTERIAS_DUMP"
	dumpDirEnv = "ASTERIAS_DUMP_DIR"
)

var (
	dumps  atomic.Int64
	warned sync.Map // values of ASTERIAS_DUMP
)

// dumpDir is where a compilation of the named program is dumped to, if it is.
func dumpDir(name string) (string, bool) {
	names := os.Getenv(dumpEnv)
	if names == "" {
		return "", false
	}
	for want := range strings.SplitSeq(names, ",") {
		if want != "*" && want != name {
			continue
		}
		dir := os.Getenv(dumpDirEnv)
		if dir == "" {
			dir = "asterias-dump"
		}
		clean := strings.Map(func(r rune) rune {
			if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
				return '_'
			}
			return r
		}, name)
		return filepath.Join(dir, fmt.Sprintf("%s-%d-%d", clean, os.Getpid(), dumps.Add(1))), true
	}
	if strings.ContainsAny(names, `/\`) { // few programs are called so
		if _, again := warned.LoadOrStore(names, true); !again {
			fmt.Fprintf(os.Stderr, "asterias: %s=%s is a list of programs, or * for all; the folder is what %s says\n", dumpEnv, names, dumpDirEnv)
		}
	}
	return "", false
}

// dump writes a report; a dump that fails must not fail what is being debugged.
func dump(r *explain.Report, dir string) {
	if err := r.Dump(dir); err != nil {
		fmt.Fprintf(os.Stderr, "asterias: %s: %v\n", dumpEnv, err)
		return
	}
	fmt.Fprintf(os.Stderr, "asterias: %s written to %s\n", r.Name, dir)
}
