// A process that answers requests, a line of JSON each.

package harness

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// pipe is such a process: requests go to its standard input, and the raw numbers they
// announce with them.
type pipe struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	in      *bufio.Writer
	out     *bufio.Reader
	broken  bool
}

// endTime is how long a process may take to leave at the end of its input, and drainTime
// how long what it has started may keep printing then.
const (
	endTime   = 5 * time.Second
	drainTime = time.Second
)

// startPipe starts a command whose standard input and output are free.
func startPipe(cmd *exec.Cmd) (*pipe, error) {
	cmd.WaitDelay = drainTime
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, &NotInstalled{err.Error()}
	}
	return &pipe{command: cmd, stdin: stdin, in: bufio.NewWriter(stdin), out: bufio.NewReader(stdout)}, nil
}

// Close ends the process: it is asked to leave, by the end of its input, and ended if it
// does not.
func (p *pipe) Close() error { return p.end(endTime) }

func (p *pipe) end(patience time.Duration) error {
	p.stdin.Close()
	timer := time.AfterFunc(patience, func() { p.command.Process.Kill() })
	defer timer.Stop()
	return p.command.Wait()
}

// Broken tells whether the process has ended or no longer makes sense: the
// system may have ended it for its memory.
func (p *pipe) Broken() bool { return p.broken }

// send sends one request, and the numbers it announces.
func (p *pipe) send(request any, data ...any) (err error) {
	defer func() { p.broken = p.broken || err != nil }()
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	p.in.Write(append(line, '\n')) // Flush has the error
	for _, values := range data {
		if err := binary.Write(p.in, binary.LittleEndian, values); err != nil {
			return err
		}
	}
	return p.in.Flush()
}

// receive reads one answer.
func (p *pipe) receive(answer any) error {
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, answer)
	}
	p.broken = p.broken || err != nil
	return err
}

// threadVariables are the environment of a process of so many threads: a BLAS may have
// threads that a program's own setting does not reach.
func threadVariables(n int) (list []string) {
	for _, name := range []string{"OMP", "MKL", "OPENBLAS"} {
		list = append(list, fmt.Sprintf("%s_NUM_THREADS=%d", name, n))
	}
	return list
}
