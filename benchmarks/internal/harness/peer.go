// A peer in a process of its own, of whatever language, that trains models.

package harness

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Peer says how to start a peer that speaks the protocol of benchmarks/peers.
type Peer struct {
	Command []string // -threads N is added
	Dir     string   // the folder it runs in; "" for this process's
	Env     []string // besides this process's
	Threads int
}

// A PeerProcess is a running peer. Tasks are in slots: a slot holds one at a time.
type PeerProcess struct {
	*pipe
	Name       string
	Version    string
	Backend    string
	complaints tail
}

// Start starts a peer. What it needs and lacks is a *NotInstalled.
func (c Peer) Start() (*PeerProcess, error) {
	cmd := exec.Command(c.Command[0], append(c.Command[1:len(c.Command):len(c.Command)], "--threads", strconv.Itoa(c.Threads))...)
	cmd.Dir = c.Dir
	cmd.Env = append(append(os.Environ(), threadVariables(c.Threads)...), fmt.Sprintf("GOMAXPROCS=%d", c.Threads))
	cmd.Env = append(cmd.Env, c.Env...)
	p := &PeerProcess{}
	cmd.Stderr = &p.complaints
	lines, err := startPipe(cmd)
	if err != nil {
		return nil, err
	}
	p.pipe = lines
	var hello struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Backend string `json:"backend"`
		Threads int    `json:"threads"`
		Error   string `json:"error"`
	}
	if err := p.receive(&hello); err != nil {
		p.Close()
		return nil, &NotInstalled{p.why(err)}
	}
	switch {
	case hello.Error != "":
		p.Close()
		return nil, &NotInstalled{hello.Error}
	case hello.Threads != c.Threads:
		p.Close()
		return nil, fmt.Errorf("%s runs %d threads, asked for %d", hello.Name, hello.Threads, c.Threads)
	}
	p.Name, p.Version, p.Backend = hello.Name, hello.Version, hello.Backend
	return p, nil
}

// why is an error with the last that the process said.
func (p *PeerProcess) why(err error) string {
	if errors.Is(err, io.EOF) {
		err = errors.New("ended without an answer")
	}
	if said := p.complaints.last(); said != "" {
		return err.Error() + ": " + said
	}
	return err.Error()
}

// PeerReply is any answer of a peer.
type PeerReply struct {
	Seconds float64   `json:"seconds"`
	Losses  []float64 `json:"losses"`
	Test    float64   `json:"test"`
	Val     float64   `json:"val"`
	Loss    float64   `json:"loss"`
	Peak    int64     `json:"peak"`
	Live    int64     `json:"live"`
	Error   string    `json:"error"`
}

// Do asks for something: what to do, in which slot, with what.
func (p *PeerProcess) Do(what, slot string, with map[string]any) (PeerReply, error) {
	request := map[string]any{"do": what, "slot": slot}
	for k, v := range with {
		request[k] = v
	}
	var r PeerReply
	if err := p.send(request); err != nil {
		return r, errors.New(p.why(err))
	}
	if err := p.receive(&r); err != nil {
		return r, errors.New(p.why(err))
	}
	if r.Error != "" {
		return r, errors.New(r.Error)
	}
	return r, nil
}

// Steps is the contender that makes training steps in a slot.
func (p *PeerProcess) Steps(slot string) Contender {
	return Contender{Run: func(reps int) (time.Duration, error) {
		r, err := p.Do("run", slot, map[string]any{"steps": reps})
		return time.Duration(r.Seconds * 1e9), err
	}}
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// tailBytes is how much of it.
const tailBytes = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-tailBytes):]
	return len(b), nil
}

// last is the last line that says anything.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return strings.TrimSpace(string(lines[len(lines)-1]))
}
