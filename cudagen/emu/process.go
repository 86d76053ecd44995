package emu

// The emulator's process, from this side: requests and answers as the structs of
// host/runtime.cc.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	requestMap = 1 + iota
	requestProtect
	requestLoad
	requestUnload
	requestLaunch
)

const (
	answerOK = iota
	answerFault
	answerRefused
)

type requestHead struct {
	Kind, Bytes uint32
	A, B, C     uint64
}

type answerHead struct {
	Status, Bytes           uint32
	Kind, Write             uint32
	Block, Thread           [3]uint32
	OtherBlock, OtherThread [3]uint32
	Line                    int32
	Place, OtherPlace       uint32
	_                       uint32
	Address                 uint64
}

type launchHead struct {
	Module, Seed         uint64
	Kernel, Milliseconds uint32
	Grid, Block          [3]uint32
}

// process is a running emulator.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	told   bytes.Buffer // requests that wait for the next one
	stderr bytes.Buffer
}

// startProcess runs an emulator that has the arena mapped, and looks for races if
// asked.
func startProcess(runner string, a *arena, races bool) (*process, error) {
	p := &process{cmd: exec.Command(runner)}
	p.cmd.Env = []string{} // nothing there may change what it does
	p.cmd.ExtraFiles = []*os.File{a.file}
	p.cmd.Stderr = &p.stderr
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("emu: %w", err)
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, fmt.Errorf("emu: %w", err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("emu: %w", err)
	}
	r := requestHead{Kind: requestMap, A: uint64(a.base), B: a.size}
	if races {
		r.C = 1
	}
	if err := p.must(r); err != nil {
		p.stop()
		return nil, err
	}
	return p, nil
}

// answer is what came back.
type answer struct {
	answerHead
	text string
}

// mostTold is how many bytes of requests wait.
const mostTold = 1 << 16

// tell notes a request that has no answer; it is sent with the next one that has, for
// a launch has several. If the process cannot grant it, it ends.
func (p *process) tell(r requestHead) error {
	p.write(r)
	if p.told.Len() < mostTold {
		return nil
	}
	return p.send()
}

func (p *process) write(r requestHead) {
	if err := binary.Write(&p.told, binary.NativeEndian, r); err != nil {
		panic("BUG: emu: " + err.Error())
	}
}

// send sends what was noted.
func (p *process) send() error {
	_, err := p.in.Write(p.told.Bytes())
	p.told.Reset()
	if err != nil {
		return p.died(err)
	}
	return nil
}

// ask sends a request and waits for the answer. An error means that the process
// is gone.
func (p *process) ask(r requestHead, data []byte) (answer, error) {
	r.Bytes = uint32(len(data))
	var a answer
	p.write(r)
	p.told.Write(data)
	if err := p.send(); err != nil {
		return a, err
	}
	if err := binary.Read(p.out, binary.NativeEndian, &a.answerHead); err != nil {
		return a, p.died(err)
	}
	text := make([]byte, a.Bytes)
	if _, err := io.ReadFull(p.out, text); err != nil {
		return a, p.died(err)
	}
	a.text = string(text)
	return a, nil
}

// must is ask for requests that cannot be wrong.
func (p *process) must(r requestHead) error {
	a, err := p.ask(r, nil)
	if err == nil && a.Status != answerOK {
		err = fmt.Errorf("emu: request %d: %s", r.Kind, a.text)
	}
	return err
}

// limited is ask, but kills the process if no answer comes in time.
func (p *process) limited(r requestHead, data []byte, limit time.Duration) (answer, error) {
	watch := time.AfterFunc(limit, func() { _ = p.cmd.Process.Kill() })
	defer watch.Stop()
	return p.ask(r, data)
}

// died says how the process ended.
func (p *process) died(err error) error {
	waitErr := p.stop()
	text := strings.TrimSpace(p.stderr.String())
	if text != "" {
		text = ": " + text
	}
	return fmt.Errorf("emu: the emulator ended: %w, %v%s", err, waitErr, text)
}

// stop ends the process.
func (p *process) stop() error {
	p.in.Close()
	_ = p.cmd.Process.Kill()
	return p.cmd.Wait()
}
