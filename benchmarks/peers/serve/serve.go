// Package serve is what peers in Go share: the protocol of benchmarks/peers, tasks and
// the training loop. A peer brings a [Framework].
//
// # Reading order
//
//	serve.go   requests and answers
//	task.go    tasks as files
//	train.go   training until the validation loss is lowest
//	memory.go  the process's memory
package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// A Framework trains models.
type Framework struct {
	Name    string
	Version string
	Backend string // how it computes
	// Open begins a training. The seed is of dropout alone.
	Open func(t *Task, dropout float64, seed uint64) (Trainer, error)
}

// Main answers requests on standard input until they end. The function makes the
// framework for a number of threads; its error says what is missing. What libraries
// print to standard output goes to standard error.
func Main(open func(threads int) (*Framework, error)) {
	threads := flag.Int("threads", runtime.GOMAXPROCS(0), "`number` of threads")
	flag.Parse()
	answers := os.Stdout
	os.Stdout = os.Stderr
	runtime.GOMAXPROCS(*threads)
	if err := serve(os.Stdin, answers, *threads, open); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ModuleVersion is the version of a module in this program.
func ModuleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == path {
				return m.Version
			}
		}
	}
	return "of unknown version"
}

// hello is the first line: the framework, or that it is missing.
type hello struct {
	Name    string `json:"name,omitempty"`
	Version string `json:"version,omitempty"`
	Threads int    `json:"threads,omitempty"`
	Backend string `json:"backend,omitempty"`
	Error   string `json:"error,omitempty"`
	Missing bool   `json:"missing,omitempty"`
}

// failure is the answer to a request that failed.
type failure struct {
	Error string `json:"error"`
}

func serve(requests io.Reader, answers io.Writer, threads int, open func(int) (*Framework, error)) error {
	out := json.NewEncoder(answers)
	f, err := guard(func() (*Framework, error) { return open(threads) })
	if err != nil {
		return out.Encode(hello{Error: err.Error(), Missing: true})
	}
	if err := out.Encode(hello{Name: f.Name, Version: f.Version, Threads: threads, Backend: f.Backend}); err != nil {
		return err
	}
	s := server{f, make(map[string]*slot)}
	lines := bufio.NewReader(requests)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var reply any
		reply, err = guard(func() (any, error) { return s.respond(line) })
		if err != nil {
			reply = failure{err.Error()}
		}
		if err := out.Encode(reply); err != nil {
			return err
		}
	}
}

// guard makes a framework's panic an error.
func guard[T any](f func() (T, error)) (result T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

type server struct {
	framework *Framework
	slots     map[string]*slot
}

// A slot is an open task and its training.
type slot struct {
	task    *Task
	trainer Trainer
	before  int64 // what was resident before the task was read
}

type request struct {
	Do     string `json:"do"`
	Slot   string `json:"slot"`
	Task   string `json:"task"`
	Steps  int    `json:"steps"`
	Epochs int    `json:"epochs"`
	Seed   uint64 `json:"seed"`
}

func (s *server) respond(line []byte) (any, error) {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return nil, err
	}
	switch r.Do {
	case "open":
		if err := s.close(r.Slot); err != nil {
			return nil, err
		}
		return struct{}{}, s.open(r.Slot, r.Task)
	case "close":
		return struct{}{}, s.close(r.Slot)
	}
	sl, ok := s.slots[r.Slot]
	if !ok {
		return nil, fmt.Errorf("no open slot %q", r.Slot)
	}
	switch r.Do {
	case "run":
		start := time.Now()
		for range r.Steps {
			if _, err := sl.trainer.Step(); err != nil {
				return nil, err
			}
		}
		return map[string]float64{"seconds": time.Since(start).Seconds()}, nil
	case "losses":
		return s.losses(sl.task, r.Steps)
	case "train":
		tr, err := s.framework.Open(sl.task, sl.task.Dropout, r.Seed)
		if err != nil {
			return nil, err
		}
		defer tr.Close()
		return train(sl.task, tr, r.Epochs)
	case "memory":
		return sl.memory()
	}
	return nil, fmt.Errorf("no request %q", r.Do)
}

func (s *server) open(name, dir string) error {
	before, _ := live() // a request for memory says if the system does not tell
	t, err := ReadTask(dir)
	if err != nil {
		return err
	}
	tr, err := s.framework.Open(t, t.Dropout, 0)
	if err != nil {
		return err
	}
	s.slots[name] = &slot{t, tr, before}
	return nil
}

func (s *server) close(name string) error {
	sl, ok := s.slots[name]
	if !ok {
		return nil
	}
	delete(s.slots, name)
	return sl.trainer.Close()
}

// losses trains anew, without dropout.
func (s *server) losses(t *Task, steps int) (any, error) {
	tr, err := s.framework.Open(t, 0, 0)
	if err != nil {
		return nil, err
	}
	defer tr.Close()
	losses := make([]float64, steps)
	for i := range losses {
		if losses[i], err = tr.Step(); err != nil {
			return nil, err
		}
		if math.IsNaN(losses[i]) || math.IsInf(losses[i], 0) { // JSON has no word for it
			return nil, fmt.Errorf("loss %d is %v", i+1, losses[i])
		}
	}
	return map[string][]float64{"losses": losses}, nil
}

func (sl *slot) memory() (any, error) {
	step := func() error {
		_, err := sl.trainer.Step()
		return err
	}
	if err := step(); err != nil { // the first one allocates the optimiser's state
		return nil, err
	}
	peak, err := peakGrowth(step)
	if err != nil {
		return nil, err
	}
	now, err := live()
	if err != nil {
		return nil, err
	}
	return map[string]int64{"peak": peak, "live": max(0, now-sl.before)}, nil
}
