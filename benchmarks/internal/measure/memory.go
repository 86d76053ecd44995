package measure

// What a training step takes, each in a process of its own, which has nothing else in
// its memory.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// memoryArgument makes this program a process that measures memory: its second
// argument is a memoryRequest.
const memoryArgument = "-memory-of"

type memoryRequest struct {
	Entrant entrantSpec     `json:"entrant"`
	Config  workflow.Config `json:"config"`
	Task    TaskSpec        `json:"task"`
	Data    string          `json:"data"`
	Threads int             `json:"threads"`
}

// ServeMemory does the work of such a process and exits; in any other it returns at
// once. Programs and tests that measure memory call it first of all.
func ServeMemory() {
	if len(os.Args) != 3 || os.Args[1] != memoryArgument {
		return
	}
	if err := serveMemory(os.Args[2], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serveMemory(text string, out io.Writer) error {
	var r memoryRequest
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	return harness.WithThreads(r.Threads, func() error {
		m, err := r.measure()
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(m)
	})
}

// memory measures the plan's models on its last task, the largest; the first model in a
// quick run.
func (b *Bench) memory() error {
	if !b.Plan.Memory {
		return nil
	}
	spec := b.Plan.Tasks[len(b.Plan.Tasks)-1]
	t, err := b.task(spec)
	if err != nil {
		return err
	}
	models := b.Plan.Models
	if b.Plan.Quick {
		models = models[:1]
	}
	for _, c := range models {
		b.log("  memory of %v on %s", c, t.Name)
		for _, e := range b.entrants {
			var m report.Memory
			var err error
			if e.peer != nil {
				m, err = b.peerMemory(e, c, t)
			} else {
				m, err = memoryOf(memoryRequest{e.about, c, spec, b.Data, b.Threads})
			}
			m.System, m.Model, m.Task = e.name, string(c.Model), t.Name
			if err != nil {
				m.Status = harness.Status(err)
			}
			b.Results.Memory = append(b.Results.Memory, m)
		}
	}
	return nil
}

// memoryOf asks a process of its own.
func memoryOf(r memoryRequest) (m report.Memory, err error) {
	self, err := os.Executable()
	if err != nil {
		return m, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return m, err
	}
	var out, said bytes.Buffer
	cmd := exec.Command(self, memoryArgument, string(text))
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		return m, fmt.Errorf("%w: %s", err, lines[len(lines)-1])
	}
	return m, json.Unmarshal(out.Bytes(), &m)
}

// peerMemory asks a peer, started anew with its libraries' own settings, which keep the
// least: of its memory only the whole is known.
func (b *Bench) peerMemory(e *entrant, c workflow.Config, t *workflow.Task) (m report.Memory, err error) {
	start := e.start
	start.Env = slices.DeleteFunc(slices.Clone(start.Env), func(v string) bool { return v == harness.HugePages })
	fresh, err := start.Start()
	if err != nil {
		return m, err
	}
	defer fresh.Close()
	folder, err := b.taskFolder(c, t)
	if err != nil {
		return m, err
	}
	if _, err := fresh.Do("open", "memory", map[string]any{"task": folder}); err != nil {
		return m, err
	}
	r, err := fresh.Do("memory", "memory", nil)
	const unknown = -1
	return report.Memory{
		Graph: unknown, Features: unknown, Parameters: unknown, Activations: unknown, Workspace: unknown, Live: unknown, Peak: unknown,
		Resident: r.Live + r.Peak, StepGrowth: r.Peak,
	}, err
}

// settle collects garbage, so that what is counted is what is held.
func settle() {
	runtime.GC()
	tensor.TrimMemory()
	debug.FreeOSMemory()
}

// A meter knows what tensors hold, on the CPU or on a device.
type meter struct{ device *tensor.Device }

// live is what they hold now, without garbage.
func (m meter) live() (int64, error) {
	settle()
	err := m.device.Synchronize()
	return m.device.MemoryStats().Live, err
}

// reset makes the peak what is live, on the CPU; a device counts from the beginning of
// the process, whose largest part is a training step.
func (m meter) reset() {
	if m.device == nil {
		tensor.ResetPeakMemory()
	}
}

func (m meter) peak() int64 { return m.device.MemoryStats().Peak }

// measure makes the parts of a training one after the other.
func (r memoryRequest) measure() (m report.Memory, err error) {
	settle()
	empty := harness.Resident("VmRSS")
	t, err := r.Task.load(r.Data)
	if err != nil {
		return m, err
	}
	form, device, done, err := r.Entrant.form()
	if err != nil {
		return m, err
	}
	defer done()
	t = t.On(device)
	model, err := workflow.New(r.Config, t, form)
	if err != nil {
		return m, err
	}
	defer model.Close()
	tr := workflow.NewTrainer(model, t)
	const before = 3 // steps: programs are compiled, the optimiser has its state
	if _, err := tr.Losses(before); err != nil {
		return m, err
	}
	m.Features = t.FeatureBytes()
	m.Parameters = 4 * model.Params.Bytes() // value, gradient, two moments
	m.Graph = model.SystemMemory().Graph
	if r.Entrant.Fused {
		m.Graph = graphBytes(t.For(r.Config).Graph)
	}
	m.Live = m.Graph + m.Features + m.Parameters

	use := meter{device}
	if m.Activations, err = activations(tr, use); err != nil {
		return m, err
	}
	start, err := use.live()
	if err != nil {
		return m, err
	}
	use.reset()
	reset := harness.ResetPeakResident()
	resident := harness.Resident("VmRSS")
	if _, err := tr.Losses(1); err != nil {
		return m, err
	}
	m.Workspace = max(use.peak()-start-m.Activations, model.SystemMemory().Workspace, 0)
	m.Peak = m.Live + m.Activations + m.Workspace
	m.StepGrowth, m.Resident = -1, -1
	if reset == nil && resident >= 0 {
		m.StepGrowth = max(0, harness.Resident("VmHWM")-resident)
	}
	if empty >= 0 {
		m.Resident = max(0, resident+max(m.StepGrowth, 0)-empty)
	}
	return m, nil
}

// form opens an entrant; done closes it.
func (s entrantSpec) form() (f workflow.Form, d *tensor.Device, done func() error, err error) {
	done = func() error { return nil }
	if s.CUDA {
		if d, err = tensor.CUDA(0); err != nil {
			return nil, nil, nil, err
		}
	}
	if s.Fused {
		return workflow.Fused(), d, done, nil
	}
	sys, err := s.open(true)
	if err != nil {
		return nil, nil, nil, err
	}
	return workflow.OverSystem(sys), sys.Device(), sys.Close, nil
}

// activations are what a forward pass leaves for the backward pass.
func activations(tr *workflow.Trainer, use meter) (bytes int64, err error) {
	start, err := use.live()
	if err != nil {
		return 0, err
	}
	var end int64
	misuse := autograd.Try(func() {
		seed := uint64(1)
		loss := nn.CrossEntropy(tr.Model.Forward(tr.Task.X, &seed), tr.Task.Labels, tr.Task.Train)
		end, err = use.live()
		runtime.KeepAlive(loss)
	})
	return end - start, errors.Join(misuse, err)
}

// graphBytes is what a graph holds: the list of edges, and for both directions
// offsets, neighbours, ids, degrees and the order of rows. Neighbours of edges in order
// are in the list of edges.
func graphBytes(g *graph.Graph) int64 {
	const size = 4 // of an id
	lists := len(g.Src()) + len(g.Dst())
	for _, c := range []*graph.CSR{g.In(), g.Out()} {
		lists += len(c.Offsets) + len(c.EdgeIDs) + 2*c.NumRows()
		if !c.IDsInOrder() {
			lists += len(c.Neighbors)
		}
	}
	return size * int64(lists)
}
