// PyTorch, in a process of its own that keeps its own time.

package main

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"encoding/json"
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

//go:embed torch.py
var torchScript string

// The two PyTorch peers. The second has glibc's allocator keep memory and use
// huge pages: stock PyTorch gives every large intermediate back to the system
// and pays for its pages anew in each operation.
const (
	peerTorch      = "torch"
	peerTorchTuned = "torch-tuned"
)

const tunedMalloc = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4294967296:" +
	"glibc.malloc.trim_threshold=4294967296:glibc.malloc.top_pad=67108864"

// notInstalled says why a peer is not there.
type notInstalled struct{ reason string }

func (e *notInstalled) Error() string { return "not installed: " + e.reason }

// A torchProcess is a running torch.py.
type torchProcess struct {
	pid     int
	version string // of PyTorch, with its build's kernels and BLAS
	stdin   io.WriteCloser
	in      *bufio.Writer
	out     *bufio.Reader
}

// torchReply is any answer of torch.py.
type torchReply struct {
	Error   string  `json:"error"`
	Version string  `json:"version"`
	Build   string  `json:"build"`
	Threads int     `json:"threads"`
	Seconds float64 `json:"seconds"`
	Count   int     `json:"count"`
}

// startTorch starts PyTorch under an interpreter. The number of threads is in
// the environment too, because a BLAS may have threads that PyTorch's setting
// does not reach. An interpreter or a PyTorch that is not there is a
// *notInstalled.
func startTorch(python string, threads int, tuned bool) (*torchProcess, error) {
	cmd := exec.Command(python, "-c", torchScript, strconv.Itoa(threads))
	cmd.Env = os.Environ()
	for _, name := range []string{"OMP", "MKL", "OPENBLAS"} {
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s_NUM_THREADS=%d", name, threads))
	}
	if tuned {
		cmd.Env = append(cmd.Env, tunedMalloc)
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, &notInstalled{err.Error()}
	}
	p := &torchProcess{pid: cmd.Process.Pid, stdin: stdin, in: bufio.NewWriter(stdin), out: bufio.NewReader(stdout)}
	hello, err := p.reply()
	switch {
	case errors.Is(err, io.EOF):
		return nil, &notInstalled{python + " ended without an answer"}
	case err != nil:
		return nil, &notInstalled{err.Error()}
	case hello.Threads != threads:
		return nil, fmt.Errorf("PyTorch runs %d threads, asked for %d", hello.Threads, threads)
	}
	p.version = strings.TrimSpace(hello.Version + " " + hello.Build)
	return p, nil
}

// close ends the process, which leaves at the end of its input.
func (p *torchProcess) close() error { return p.stdin.Close() }

func (p *torchProcess) reply() (torchReply, error) {
	var r torchReply
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return r, fmt.Errorf("PyTorch's answer: %w", err)
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return r, fmt.Errorf("PyTorch's answer: %w", err)
	}
	if r.Error != "" {
		return r, errors.New(r.Error)
	}
	return r, nil
}

// call sends one request, and the numbers it announces, and reads the answer.
func (p *torchProcess) call(request map[string]any, data ...*tensor.Tensor) (torchReply, error) {
	line, err := json.Marshal(request)
	if err != nil {
		return torchReply{}, err
	}
	p.in.Write(append(line, '\n')) // Flush has the error
	for _, t := range data {
		if err := binary.Write(p.in, binary.LittleEndian, tensor.Data[float32](t)); err != nil {
			return torchReply{}, err
		}
	}
	if err := p.in.Flush(); err != nil {
		return torchReply{}, err
	}
	return p.reply()
}

// enter sets up a case of torch.py on copies of the tensors, all float32.
func (p *torchProcess) enter(name string, args map[string]any, data []*tensor.Tensor) (contender, error) {
	shapes := make([]tensor.Shape, len(data))
	for i, t := range data {
		shapes[i] = t.Shape()
	}
	if _, err := p.call(map[string]any{"do": "setup", "case": name, "args": args, "shapes": shapes}, data...); err != nil {
		return contender{}, err
	}
	return contender{run: p.run, output: p.output}, nil
}

func (p *torchProcess) run(reps int) (time.Duration, error) {
	r, err := p.call(map[string]any{"do": "run", "reps": reps})
	return time.Duration(r.Seconds * 1e9), err
}

func (p *torchProcess) output() ([]float32, error) {
	r, err := p.call(map[string]any{"do": "output"})
	if err != nil {
		return nil, err
	}
	out := make([]float32, r.Count)
	return out, binary.Read(p.out, binary.LittleEndian, out)
}
