//go:build linux && !android && (amd64 || arm64)

package plugin

// The worker's process and its messages, seen from this process.

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

// workerVariable is in the environment of a worker.
const workerVariable = "ASTERIAS_PLUGIN_WORKER"

// The files of a worker besides the standard ones, in this order.
const (
	requestsFile = iota + 3
	repliesFile
	slotsFile // the first of numSlots
)

// What a request asks for.
type order uint8

const (
	orderOpen    order = iota // load Path
	orderMap                  // map Slot anew, of Size bytes
	orderCreate               // create Graph from the first two slots
	orderCall                 // make the call Kind
	orderDestroy              // free Graph
)

// A request is a message to a worker.
type request struct {
	Order    order
	Path     string
	Slot     int
	Size     int
	Graph    uint64
	Vertices int
	Edges    int
	Kind     system.Kind
	Flags    system.Flags
	Operands []placed
}

// placed is an operand in its slot.
type placed struct {
	Slot       int
	Lo, Hi, At int
	Writable   bool
	Shape      [3]int64
}

// A reply is the answer.
type reply struct {
	Err    *Error // what the library returned
	Broken string // what went wrong in the worker itself
	Name   string
	Base   uint64 // of the slot that was mapped
	Graph  uint64 // that was created
	Time   time.Duration
	Memory system.Memory
}

// A process is a running worker.
type process struct {
	cmd      *exec.Cmd
	requests *os.File
	replies  *os.File
	out      *gob.Encoder
	in       *gob.Decoder
	printed  *tail
	ended    chan struct{}    // closed when it has ended
	base     [numSlots]uint64 // where it has mapped the slots
	size     [numSlots]int    // and how large they were
}

// endTime is how long a worker that has closed its pipes may take to end, and drainTime
// how long what it has started may keep printing then.
const (
	endTime   = 10 * time.Second
	drainTime = time.Second
)

// startTime is how long a worker may take until it waits for requests: the time of
// starting this program.
const startTime = time.Minute

// start runs a worker.
func start(slots [numSlots]*slot) (*process, error) {
	requests, toWorker, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("plugin: %w", err)
	}
	defer requests.Close()
	fromWorker, replies, err := os.Pipe()
	if err != nil {
		toWorker.Close()
		return nil, fmt.Errorf("plugin: %w", err)
	}
	defer replies.Close()
	p := &process{requests: toWorker, replies: fromWorker, printed: &tail{}, ended: make(chan struct{})}
	p.out, p.in = gob.NewEncoder(toWorker), gob.NewDecoder(fromWorker)
	p.cmd = exec.Command("/proc/self/exe")
	p.cmd.Args = os.Args[:1]
	p.cmd.Env = append(os.Environ(), workerVariable+"=1", "GOTRACEBACK=none")
	p.cmd.Stdout, p.cmd.Stderr = p.printed, p.printed
	p.cmd.ExtraFiles = []*os.File{requests, replies}
	for _, s := range slots {
		p.cmd.ExtraFiles = append(p.cmd.ExtraFiles, s.file)
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // to end what the library starts, too
	p.cmd.WaitDelay = drainTime
	if err := p.cmd.Start(); err != nil {
		p.closePipes()
		return nil, fmt.Errorf("plugin: starting a process: %w", err)
	}
	go func() {
		p.cmd.Wait() // what it says is in the state
		close(p.ended)
		p.interrupt()
	}()
	if _, err := p.receive(startTime); err != nil {
		p.end()
		return nil, fmt.Errorf("plugin: a process does not start: %w: %s", err, lastLines(p.printed.String()))
	}
	return p, nil
}

// ask sends a request and waits for the reply.
func (p *process) ask(r request, timeout time.Duration) (*reply, error) {
	if err := p.out.Encode(r); err != nil {
		return nil, err
	}
	return p.receive(timeout)
}

func (p *process) receive(timeout time.Duration) (*reply, error) {
	if err := p.replies.SetReadDeadline(time.Now().Add(timeout)); err != nil {
		return nil, err
	}
	if p.hasEnded() {
		p.interrupt()
	}
	var r reply
	if err := p.in.Decode(&r); err != nil {
		return nil, err
	}
	return &r, nil
}

// interrupt ends receive: if what the worker has started holds the pipe open, nothing else
// tells that there will be no reply.
func (p *process) interrupt() { p.replies.SetReadDeadline(time.Unix(1, 0)) }

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// kill ends the worker and what it has started, if any of them runs.
func (p *process) kill() { syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

// end kills the worker and waits until it has ended.
func (p *process) end() {
	p.kill()
	<-p.ended
	p.closePipes()
}

// await waits until a worker that cannot be talked with has ended, and says how. One that
// runs on is killed.
func (p *process) await(reason error) (state *os.ProcessState, killed bool) {
	patience := endTime
	if !errors.Is(reason, io.EOF) && !errors.Is(reason, io.ErrUnexpectedEOF) && !errors.Is(reason, syscall.EPIPE) {
		patience = 0 // its messages are damaged
	}
	select {
	case <-p.ended:
	case <-time.After(patience):
		killed = !p.hasEnded()
	}
	p.end()
	return p.cmd.ProcessState, killed
}

func (p *process) closePipes() {
	p.requests.Close()
	p.replies.Close()
}
