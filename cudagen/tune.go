package cudagen

// Choosing how kernels are cut by timing them.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/render"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/atomicfile"
	"github.com/asterias-ml/asterias/internal/debug"
	"github.com/asterias-ml/asterias/tensor"
)

// Tune has the vertex programs of a device timed from now on: the first run of a
// program on a kind of graph tries several ways of cutting its kernels (threads a
// row, edges side by side, rows a block, chunks of hubs, types as an outer loop), a few
// milliseconds each, and keeps the fastest of each kernel. Choices are kept in a folder,
// the empty name is the user's cache, for the GPU, the program and its widths, and graphs
// of like sizes and degrees. What cannot be read there is timed again, and what cannot be
// written is lost to the next process alone.
//
// Sums are added in another order when kernels are cut otherwise. A program that is
// tuned therefore gives the same bits wherever the choices are the same; without
// tuning it always does.
func Tune(d *tensor.Device, folder string) error {
	b, ok := d.Backend().(*Backend)
	if !ok {
		return fmt.Errorf("cudagen: Tune: %v is no CUDA device", d)
	}
	if folder == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("cudagen: Tune: %w", err)
		}
		folder = filepath.Join(cache, "asterias", "tuning")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("cudagen: Tune: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tuning = folder
	return nil
}

// tuningFolder is where choices are kept; empty if nothing is timed.
func (b *Backend) tuningFolder() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tuning
}

// A profile is what a choice depends on of a graph: powers of two of its sizes.
type profile struct {
	Rows, Degree, Largest int
}

func profileOf(g *graph.Graph) profile {
	size := func(n int) int { return bits.Len(uint(n)) }
	in, out := g.In(), g.Out()
	largest := 0
	for _, csr := range []*graph.CSR{in, out} {
		if order := csr.DegreeOrder(); len(order) > 0 {
			largest = max(largest, csr.Degree(int(order[0])))
		}
	}
	return profile{size(g.NumDst()), size(g.NumEdges() / max(g.NumDst(), 1)), size(largest)}
}

// tunedProgram is a plan whose kernels may be cut in several ways.
type tunedProgram struct {
	standard *program
	options  render.Options

	mu     sync.Mutex
	chosen map[profile]*program
}

func (t *tunedProgram) run(g *graph.Graph, bufs []*tensor.Tensor, seed uint64, timed func(step int, took time.Duration)) error {
	folder := t.standard.b.tuningFolder()
	if folder == "" {
		return t.standard.run(g, bufs, seed, timed)
	}
	p, err := t.choose(g, bufs, folder)
	if err != nil {
		return err
	}
	return p.run(g, bufs, seed, timed)
}

func (t *tunedProgram) workspace(g *graph.Graph) int64 {
	t.mu.Lock()
	p := t.chosen[profileOf(g)]
	t.mu.Unlock()
	if p == nil {
		p = t.standard
	}
	return p.workspace(g)
}

// choose returns the program for graphs like g, timing it if nobody has yet.
func (t *tunedProgram) choose(g *graph.Graph, bufs []*tensor.Tensor, folder string) (*program, error) {
	at := profileOf(g)
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.chosen[at]; p != nil {
		return p, nil
	}
	file := filepath.Join(folder, t.key(at)+".json")
	o := readChoice(file)
	if o == nil {
		var err error
		if o, err = t.measure(g, bufs); err != nil {
			return nil, err
		}
		writeChoice(file, o)
	}
	p, err := t.standard.b.compileWith(t.standard.plan, *o)
	if err != nil { // a choice of an older renderer
		p = t.standard
	}
	t.chosen[at] = p
	return p, nil
}

// key names a choice: the standard text stands for the program, its widths and the
// renderer.
func (t *tunedProgram) key(at profile) string {
	info := t.standard.b.Device().Info()
	return fmt.Sprintf("%s-sm%d-%dx%d-r%d-d%d-l%d", t.standard.source.Key, info.SM, info.Multiprocessors, info.L2Bytes>>20, at.Rows, at.Degree, at.Largest)
}

// candidates are ways of cutting beside the standard one.
func candidates() []render.Tuning {
	return []render.Tuning{
		{Slots: 1}, {Slots: 2}, {Slots: 4}, {Slots: 8},
		{Unroll: 2}, {Unroll: 8},
		{Block: 64}, {Block: 256},
		{Lanes: 32, Slots: 1}, {Lanes: 16}, {Lanes: 8},
		{Nest: 2}, {Nest: -1},
		{Hub: 1024, Chunk: 256}, {Hub: 16384, Chunk: 4096},
	}
}

// rounds is how often a candidate runs; the first warms up.
const rounds = 4

// measure times the standard and the candidates on a graph and puts the fastest of
// each step together. Steps run in order on the buffers of the run to come: what they
// write they write again.
func (t *tunedProgram) measure(g *graph.Graph, bufs []*tensor.Tensor) (*render.Options, error) {
	views, _, err := t.standard.views(bufs)
	if err != nil {
		return nil, err
	}
	best, standard, err := t.time(t.standard, g, views)
	if err != nil {
		return nil, err
	}
	name := t.standard.plan.Program.Name
	debug.Printf(debug.Decisions, "%s: tuning: %v by the rules, steps %v", name, standard, best)
	chosen := t.options
	chosen.Steps = make(map[int]render.Tuning)
	for _, c := range candidates() {
		o := t.options
		o.Tuning = c
		p, err := t.standard.b.compileWith(t.standard.plan, o)
		var refused *render.Error
		if errors.As(err, &refused) {
			continue // rows too wide for so few threads
		}
		if err != nil {
			return nil, err
		}
		if p.source.Key == t.standard.source.Key && p.cut() == t.standard.cut() { // how hubs are cut is not in the text
			continue
		}
		steps, total, err := t.time(p, g, views)
		p.unload()
		if errors.Is(err, driver.OutOfMemory) { // for its hubs or its workspace; that of the standard is the program's own
			debug.Printf(debug.Decisions, "%s: tuning: no memory for %+v", name, c)
			continue
		}
		if err != nil {
			return nil, err
		}
		debug.Printf(debug.Decisions, "%s: tuning: %v with %+v, steps %v", name, total, c, steps)
		if c.Hub != 0 { // one for all steps
			if total < standard {
				standard, chosen.Hub, chosen.Chunk = total, c.Hub, c.Chunk
			}
			continue
		}
		for i, d := range steps {
			if d < best[i] {
				best[i], chosen.Steps[i] = d, c
			}
		}
	}
	return &chosen, nil
}

// time returns the shortest time of each step, and of all.
func (t *tunedProgram) time(p *program, g *graph.Graph, views []tensor.View) ([]time.Duration, time.Duration, error) {
	steps := make([]time.Duration, len(p.source.Steps))
	q := p.prepare(g)
	err := p.b.Wait("tuning", func(c *driver.Ctx) error {
		for round := range rounds {
			err := q.run(c, views, 0, func(i int, f func() error) error {
				d, err := c.Time(f)
				if round == 1 || round > 1 && d < steps[i] {
					steps[i] = d
				}
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	total := time.Duration(0)
	for _, d := range steps {
		total += d
	}
	return steps, total, err
}

// readChoice returns nil if there is none, or one that cannot be read.
func readChoice(file string) *render.Options {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	o := new(render.Options)
	if json.Unmarshal(text, o) != nil || !valid(o) {
		return nil
	}
	return o
}

// valid tells whether options can have come from measure.
func valid(o *render.Options) bool {
	known := append(candidates(), render.Tuning{})
	for _, t := range o.Steps {
		if !slices.Contains(known, t) {
			return false
		}
	}
	return slices.ContainsFunc(known, func(t render.Tuning) bool { return t.Hub == o.Hub && t.Chunk == o.Chunk })
}

// writeChoice writes the file as a whole or not at all. That nothing could be written is
// for the next process to notice, which times the program again.
func writeChoice(file string, o *render.Options) {
	text, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		panic(fmt.Sprintf("BUG: cudagen: %v", err))
	}
	_ = atomicfile.Write(file, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}
