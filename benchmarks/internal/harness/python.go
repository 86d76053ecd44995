// A peer in a Python process of its own, which keeps its own time.

package harness

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/tensor"
)

//go:embed protocol.py
var protocol string

// HugePages is the environment under which glibc's allocator keeps freed memory
// and uses huge pages: stock PyTorch gives every large intermediate back to the
// system and pays for its pages anew in each operation.
const HugePages = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4294967296:" +
	"glibc.malloc.trim_threshold=4294967296:glibc.malloc.top_pad=67108864"

// NotInstalled says why a peer is not there.
type NotInstalled struct{ Reason string }

func (e *NotInstalled) Error() string { return "not installed: " + e.Reason }

// Status is an error as a table's cell has it.
func Status(err error) string {
	if missing := new(NotInstalled); errors.As(err, &missing) {
		return "not installed" // a header says why
	}
	return "error: " + err.Error()
}

// Python says how to start a peer.
type Python struct {
	Interpreter string
	Script      string // after protocol.py, which it may use; defines CASES
	Threads     int
	HugePages   bool
	MemoryLimit int64 // bytes of data, 0 for none: more is an error of the case, not the end of the machine
	Args        []string
}

// A Process is a running peer. Its cases are in slots: a slot holds one case at
// a time.
type Process struct {
	*pipe
	Version string // of PyTorch, with its build's kernels and BLAS, and what the script adds
}

// reply is any answer of protocol.py.
type reply struct {
	Error   string  `json:"error"`
	Version string  `json:"version"`
	Build   string  `json:"build"`
	Threads int     `json:"threads"`
	Seconds float64 `json:"seconds"`
	Count   int     `json:"count"`
	Bytes   int64   `json:"bytes"`
}

// Start starts a peer. An interpreter or a PyTorch that is not there is a
// *NotInstalled.
func (c Python) Start() (*Process, error) {
	args := append([]string{"-c", protocol + "\n" + c.Script + "\nserve(CASES)\n", strconv.Itoa(c.Threads), strconv.FormatInt(c.MemoryLimit, 10)}, c.Args...)
	cmd := exec.Command(c.Interpreter, args...)
	cmd.Env = append(os.Environ(), threadVariables(c.Threads)...)
	if c.HugePages {
		cmd.Env = append(cmd.Env, HugePages)
	}
	lines, err := startPipe(cmd)
	if err != nil {
		return nil, err
	}
	p := &Process{pipe: lines}
	hello, err := p.reply()
	switch {
	case errors.Is(err, io.EOF):
		err = &NotInstalled{c.Interpreter + " ended without an answer"}
	case err != nil:
		err = &NotInstalled{err.Error()}
	case hello.Threads != c.Threads:
		err = fmt.Errorf("PyTorch runs %d threads, asked for %d", hello.Threads, c.Threads)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	p.Version = strings.TrimSpace(hello.Version + " " + hello.Build)
	return p, nil
}

func (p *Process) reply() (reply, error) {
	var r reply
	if err := p.receive(&r); err != nil {
		return r, fmt.Errorf("PyTorch's answer: %w", err)
	}
	if r.Error != "" {
		return r, errors.New(r.Error)
	}
	return r, nil
}

// call sends one request, and the numbers it announces, and reads the answer.
func (p *Process) call(request map[string]any, data ...any) (reply, error) {
	if err := p.send(request, data...); err != nil {
		return reply{}, err
	}
	return p.reply()
}

// Enter sets up a case of the script, in place of the one before in the slot, on
// copies of data: tensors of float32, or lists of ids.
func (p *Process) Enter(slot, name string, args map[string]any, data ...any) (Contender, error) {
	shapes, types, values := make([]tensor.Shape, len(data)), make([]string, len(data)), make([]any, len(data))
	for i, x := range data {
		switch x := x.(type) {
		case *tensor.Tensor:
			shapes[i], types[i], values[i] = x.Shape(), "float32", tensor.Data[float32](x)
		case []int32:
			shapes[i], types[i], values[i] = tensor.Shape{len(x)}, "int32", x
		default:
			panic(fmt.Sprintf("BUG: harness: a %T for a peer", x))
		}
	}
	request := map[string]any{"do": "setup", "slot": slot, "case": name, "args": args, "shapes": shapes, "types": types}
	if _, err := p.call(request, values...); err != nil {
		return Contender{}, err
	}
	return Contender{
		Run: func(reps int) (time.Duration, error) {
			r, err := p.call(map[string]any{"do": "run", "slot": slot, "reps": reps})
			return time.Duration(r.Seconds * 1e9), err
		},
		Output: func() ([]float32, error) { return p.output(slot) },
	}, nil
}

func (p *Process) output(slot string) ([]float32, error) {
	r, err := p.call(map[string]any{"do": "output", "slot": slot})
	if err != nil {
		return nil, err
	}
	out := make([]float32, r.Count)
	err = binary.Read(p.out, binary.LittleEndian, out)
	p.broken = p.broken || err != nil
	return out, err
}

// Clear frees the cases of all slots.
func (p *Process) Clear() error {
	_, err := p.call(map[string]any{"do": "clear"})
	return err
}

// PeakMemory runs a slot's case once and returns by how much the process's
// resident memory grew at most, memory that was kept free included.
func (p *Process) PeakMemory(slot string) (int64, error) {
	r, err := p.call(map[string]any{"do": "peak", "slot": slot})
	return r.Bytes, err
}
