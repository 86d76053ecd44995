package cudagen

// Compiling plans: text, machine code, functions.

import (
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"time"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/render"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/debug"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// Of products of edges operands and result may take an eighth of a device's memory, and no
// more than maxEdgeBytes an edge, so that graphs of a few million edges share what is compiled.
const (
	edgeShare    = 8
	maxEdgeBytes = 4 << 10
)

// PlanFor keeps out of kernels what does not suit a GPU there: products with a matrix, and
// sums of outer products, are cuBLAS's, on whole tensors. In a kernel each group of threads
// would read the matrix for every row, and have a sum of outer products of its own, which is
// too large for registers. So are those of edges, whose rows then go through memory, if the
// device has enough of it: a kernel multiplies one edge at a time and has a quarter of
// cuBLAS's speed, where the CPU's multiplies a tile of edges at full speed.
func (b *Backend) PlanFor(edges int) plan.Options {
	o := plan.Options{Off: ofVertices}
	if bytes := b.Device().Info().Memory / edgeShare / uint64(max(edges, 1)); bytes > 0 {
		o.EdgeBytes = min(1<<(bits.Len64(bytes)-1), maxEdgeBytes)
	}
	return o
}

var ofVertices = []string{plan.FuseRowProduct, plan.FuseRowOuter}

// program is a plan compiled for a device. What it has loaded goes when it goes.
type program struct {
	b      *Backend
	plan   *plan.Plan
	source *render.Source
	names  []render.Array // of the graph's arrays it reads
	random bool           // whether it reads the seed
	cubin  []byte

	functions map[string]driver.Function // nil until it is loaded; the device's goroutine has what follows
	module    driver.Module              // that has them
	unused    runtime.Cleanup            // which unloads it
}

// CompilePlan compiles a plan for graphs whose rows have about so many edges: see
// vcentric.DeviceCompiler.
func (b *Backend) CompilePlan(p *plan.Plan, degree int) (func(*graph.Graph, []*tensor.Tensor, uint64, func(int, time.Duration)) error, func(*graph.Graph) int64, error) {
	options := render.Options{Degree: degree}
	prog, err := b.compileWith(p, options)
	if err != nil {
		return nil, nil, err
	}
	t := &tunedProgram{standard: prog, options: options, chosen: make(map[profile]*program)}
	return t.run, t.workspace, nil
}

// compileWith compiles a plan with kernels cut as the options say.
func (b *Backend) compileWith(p *plan.Plan, o render.Options) (*program, error) {
	source, err := render.Render(p, o)
	if err != nil {
		return nil, err
	}
	prog := &program{b: b, plan: p, source: source, names: source.Arrays()}
	for _, s := range source.Steps {
		for _, l := range s.Launches {
			prog.random = prog.random || slices.ContainsFunc(l.Args, func(a render.Arg) bool { return a.Kind == render.SeedArg })
		}
	}
	debug.Printf(debug.Source, "%s, CUDA:\n%s", p.Program.Name, source.Text)
	if prog.cubin, err = b.Compile(p.Program.Name+".cu", source.Text); err != nil {
		return nil, err
	}
	return prog, nil
}

// load makes the functions, on the device's goroutine. Who launches them keeps the program.
func (p *program) load(c *driver.Ctx) error {
	if p.functions != nil {
		return nil
	}
	m, err := c.Load(p.cubin)
	if err != nil {
		return fmt.Errorf("program %s: %w", p.plan.Program.Name, err)
	}
	functions := make(map[string]driver.Function)
	for _, s := range p.source.Steps {
		for _, l := range s.Launches {
			if functions[l.Name], err = c.Function(m, l.Name); err != nil {
				return fmt.Errorf("program %s: %w", p.plan.Program.Name, errors.Join(err, c.Destroy(m)))
			}
		}
	}
	p.functions, p.module, p.cubin = functions, m, nil
	p.unused = runtime.AddCleanup(p, p.b.Device().Unload, m)
	return nil
}

// unload gives back what the program has loaded, which does not run again. It is called
// when all that was handed over of it has been waited for.
func (p *program) unload() {
	if p.functions == nil {
		return
	}
	p.unused.Stop()
	p.b.Device().Unload(p.module)
}

// workspace is the bytes of device memory that a run takes besides the plan's buffers.
func (p *program) workspace(g *graph.Graph) int64 {
	return p.regions(p.b.arraysOf(g).sizes(g, p.cut()))
}

// cut is how the program cuts hubs.
func (p *program) cut() cut { return cut{p.source.Hub, p.source.Chunk} }

// align is what the regions of a workspace are aligned to.
const align = 256

// regions is the size of the workspace: steps use it one after the other.
func (p *program) regions(x *render.Extent) int64 {
	most := int64(0)
	for _, s := range p.source.Steps {
		bytes := int64(0)
		for _, r := range s.Regions {
			bytes += (r.Bytes(x) + align - 1) / align * align
		}
		most = max(most, bytes)
	}
	return most
}
