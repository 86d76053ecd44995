package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/benchmarks/internal/measure"
	"github.com/asterias-ml/asterias/benchmarks/internal/report"
	"github.com/asterias-ml/asterias/benchmarks/system/plugin"
	"github.com/asterias-ml/asterias/benchmarks/workflow"
	"github.com/asterias-ml/asterias/tensor"
)

func TestMain(m *testing.M) {
	plugin.Serve()
	measure.ServeMemory()
	os.Exit(m.Run())
}

func TestParseRejectsWhatMakesNoSense(t *testing.T) {
	for args, want := range map[string]string{
		"-threads 0":      "must be positive",
		"-rounds -1":      "must be positive",
		"quick":           `unexpected argument "quick"`,
		"-no-such-flag 1": "no-such-flag",
	} {
		if _, err := parse(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", args, err, want)
		}
	}
}

func TestParseTakesFlagsApart(t *testing.T) {
	o, err := parse(strings.Fields("-quick -systems csr,torch -plugin a.so -plugin b.so -python py -gomlx /opt/gomlx -rounds 3 -out /tmp/x"))
	if err != nil {
		t.Fatal(err)
	}
	if !o.quick || !slices.Equal(o.Systems, []string{"csr", "torch"}) || !slices.Equal(o.Plugins, []string{"a.so", "b.so"}) || o.Timing.Rounds != 3 || o.Timing.Budget == 0 {
		t.Errorf("%+v", o)
	}
	commands := map[string]string{}
	for _, p := range o.Peers {
		commands[p.Name] = strings.Join(p.Command, " ") + p.Module
	}
	folder := filepath.Join("benchmarks", "peers")
	for name, want := range map[string]string{
		"torch": "py " + filepath.Join(folder, "torch.py"), "dgl": "py " + filepath.Join(folder, "dgl.py"),
		"gomlx": "/opt/gomlx", "gorgonia": filepath.Join(folder, "gorgonia"),
	} {
		if commands[name] != want {
			t.Errorf("%s is started by %q, want %q", name, commands[name], want)
		}
	}
	if want := "go run ./benchmarks -quick -systems csr,torch -plugin a.so -plugin b.so -python py -gomlx gomlx -rounds 3 -out x"; o.command != want {
		t.Errorf("the command is %q, want %q", o.command, want)
	}
	if o, err := parse([]string{"-peers", ""}); err != nil || len(o.Peers) != 0 || o.Systems != nil {
		t.Errorf("no peers: %+v, error %v", o.Peers, err)
	}
}

// tiny are options of a run that measures next to nothing.
func tiny(t *testing.T, args ...string) (options, *bytes.Buffer) {
	t.Helper()
	o, err := parse(append([]string{"-quick", "-anyway", "-peers", "", "-systems", "asterias,csr", "-out", t.TempDir()}, args...))
	if err != nil {
		t.Fatal(err)
	}
	o.Timing = harness.Timing{Rounds: 1, Sample: time.Microsecond, Budget: time.Millisecond}
	small := measure.TaskSpec{Vertices: 50, Edges: 300, Features: 5, Classes: 3}
	o.Plan = measure.Plan{
		Quick: true, Models: []workflow.Config{workflow.Default(workflow.GCN)}, Tasks: []measure.TaskSpec{small},
		AccuracyTasks: []measure.TaskSpec{small}, Seeds: 1, Epochs: 2,
		KernelGraphs: []measure.TaskSpec{small}, KernelWidths: []int{8}, ScaleEdges: []int{100}, ScaleWidths: []int{8}, StepEdges: []int{100}, Memory: true,
	}
	var out bytes.Buffer
	o.Log = &out
	return o, &out
}

func TestARunWritesResultsAndAPageThatRenderMakesAnew(t *testing.T) {
	o, log := tiny(t)
	if err := o.measure([]string{"a note"}); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(o.out, "README.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	for _, want := range []string{"a note", "Framework overhead", "Training steps", "SpMMv(sum, both)", "## Memory", "## Scaling", "right in", o.command} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page has no %q:\n%s", want, text)
		}
	}
	r, err := report.Load(o.out)
	if err != nil || len(r.Timings) == 0 || r.Commit == "" || r.Machine.Cores == 0 {
		t.Errorf("results %+v, error %v", r, err)
	}
	if err := os.Remove(page); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-render", "-out", o.out}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(page); err != nil || !bytes.Equal(again, text) {
		t.Errorf("rendered anew, the page is another one; error %v", err)
	}
}

func TestCheckOnlyFindsOutWhoIsRight(t *testing.T) {
	o, log := tiny(t, "-systems", "asterias")
	o.check = true
	if err := o.measure(nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "| asterias | ours |") || !strings.Contains(log.String(), "right") {
		t.Errorf("it prints\n%s", log)
	}
	if entries, err := os.ReadDir(o.out); err != nil || len(entries) != 0 {
		t.Errorf("it writes %v, error %v", entries, err)
	}
}

// threadsSeen notes how many threads there are when it is written to.
type threadsSeen []int

func (s *threadsSeen) Write(p []byte) (int, error) {
	*s = append(*s, tensor.Threads(), runtime.GOMAXPROCS(0))
	return len(p), nil
}

func TestACheckHasTheThreadsOfTheOption(t *testing.T) {
	before := tensor.Threads()
	want := before + 2
	o, _ := tiny(t, "-systems", "asterias", "-threads", strconv.Itoa(want))
	o.check = true
	var seen threadsSeen
	o.Log = &seen
	if err := o.measure(nil); err != nil {
		t.Fatal(err)
	}
	if len(seen) == 0 || slices.Min(seen) != want || slices.Max(seen) != want {
		t.Errorf("the check ran on %v threads, want %d", seen, want)
	}
	if tensor.Threads() != before {
		t.Errorf("%d threads are left, want %d", tensor.Threads(), before)
	}
}

func TestRenderingWithoutResultsIsAnError(t *testing.T) {
	if err := run([]string{"-render", "-out", t.TempDir()}, io.Discard); err == nil {
		t.Error("no error")
	}
}
