// What has a limit of its own: the memory of a training step, the time to compile
// a program, the cost of a run that computes next to nothing.

package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

const (
	compileMillis   = 20
	cachedRunMicros = 5
	memoryShare     = 1.0 / 8
	memoryForm      = formGather // the unfused form that the share is of
	compiles        = 15
)

// tinyGraph is one vertex with a loop.
func tinyGraph() *graph.Graph {
	g, err := graph.New(1, []int32{0}, []int32{0})
	if err != nil {
		panic("BUG: kernels: " + err.Error())
	}
	return g
}

func (b *bench) compileBounds(add func(bound)) {
	for _, p := range programs() {
		if p.pass == backward || !b.opts.filter.MatchString("compile/"+p.title()) {
			continue
		}
		t := newTask(p, "tiny", tinyGraph(), 64)
		bindings, _ := t.bindings()
		var millis []float64
		for range compiles {
			start := time.Now()
			vc.Compile(p.name, p.f).Compiled(t.graph, bindings...)
			millis = append(millis, time.Since(start).Seconds()*1e3)
		}
		add(bound{"compile " + p.title(), b.threads, "ms", harness.Median(millis), compileMillis})
	}
}

// runBounds times cached runs on one vertex: look-up, buffers, tape.
func (b *bench) runBounds(add func(bound)) error {
	for _, p := range programs() {
		if p.pass != forward || !b.opts.filter.MatchString("cached run/"+p.title()) {
			continue
		}
		m, err := b.timing().Measure(newTask(p, "tiny", tinyGraph(), 16).ours())
		if err != nil {
			return err
		}
		add(bound{"cached run " + p.title(), b.threads, "µs", harness.Median(m.Seconds[0]) * 1e6, cachedRunMicros})
	}
	return nil
}

// memoryBounds measures the second training step of GAT, ours here and the peers' in
// processes of their own that have run nothing else.
func (b *bench) memoryBounds(graphName string, g *graph.Graph, width int, add func(bound), note func(string)) error {
	var gat program
	for _, p := range programs() {
		if p.title() == "gat forward+backward" {
			gat = p
		}
	}
	t := newTask(gat, graphName, g, width)
	name := fmt.Sprintf("memory of %s, %s, %d", gat.title(), graphName, width)
	pool, resident, err := ourPeak(t)
	if err != nil {
		return err
	}
	add(bound{name + ", ours", b.threads, "MB of tensors", float64(pool) / 1e6, -1})
	if resident >= 0 {
		add(bound{name + ", ours", b.threads, "MB resident", float64(resident) / 1e6, -1})
	}
	for _, p := range newPythonPeers(b.opts, b.threads) {
		for _, form := range p.forms() {
			if !slices.Contains(t.peers, form) || !slices.Contains(b.opts.peers, form) {
				continue
			}
			bytes, err := peerPeak(p.(*pythonPeer).start, t, form)
			if err != nil {
				note(fmt.Sprintf("%s, %s: %s", name, form, harness.Status(err)))
				continue
			}
			add(bound{name + ", " + form, b.threads, "MB resident", float64(bytes) / 1e6, -1})
			if form == memoryForm {
				add(bound{name, b.threads, "ours / " + form, float64(max(pool, resident)) / float64(bytes), memoryShare})
			}
		}
	}
	return nil
}

// ourPeak returns by how much the second training step raises the bytes of tensors, and
// the process's resident memory, -1 where the system does not say.
func ourPeak(t *task) (pool, residentBytes int64, err error) {
	c := t.ours()
	if _, err := c.Run(1); err != nil { // compiles, builds the reverse lists
		return 0, 0, err
	}
	c = t.ours() // without the gradients of the first
	tensor.TrimMemory()
	debug.FreeOSMemory()
	tensor.ResetPeakMemory()
	before := tensor.MemoryStats().Live
	start := resident("VmRSS")
	if os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) != nil { // the peak becomes what is resident now
		start = -1
	}
	if _, err := c.Run(1); err != nil {
		return 0, 0, err
	}
	pool, residentBytes = tensor.MemoryStats().Peak-before, -1
	if end := resident("VmHWM"); start >= 0 && end >= 0 {
		residentBytes = max(0, end-start)
	}
	return pool, residentBytes, nil
}

// resident is VmRSS, or its peak VmHWM, of this process in bytes; negative where
// the system does not say.
func resident(field string) int64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			kilobytes, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err == nil {
				return kilobytes << 10
			}
		}
	}
	return -1
}

// peerPeak is how much a form's second step adds to the memory of a new process,
// under glibc's own settings, which keep the least.
func peerPeak(start harness.Python, t *task, form string) (int64, error) {
	start.HugePages = false
	p := &pythonPeer{has: []string{form}, start: start}
	defer p.close()
	if err := p.open(t); err != nil {
		return 0, err
	}
	c, err := p.enter(t, form)
	if err != nil {
		return 0, err
	}
	if _, err := c.Run(1); err != nil { // loads what it uses, builds the graph's formats
		return 0, err
	}
	if _, err := p.enter(t, form); err != nil { // without the gradients of the first
		return 0, err
	}
	return p.process.PeakMemory(form)
}
