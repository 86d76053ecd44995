package app

// The progress line: rewritten in place on a terminal, a line now and then
// elsewhere.

import (
	"fmt"
	"io"
	"os"
	"time"
)

type progress struct {
	w        io.Writer
	what     string
	epochs   int
	terminal bool
	last     time.Time
}

func newProgress(w io.Writer, what string, epochs int) *progress {
	p := &progress{w: w, what: what, epochs: epochs}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// due tells whether an epoch should be shown: ten times a second on a
// terminal, every fiftieth elsewhere, and always the last.
func (p *progress) due(epoch int) bool {
	if epoch == p.epochs {
		return true
	}
	if p.terminal {
		return time.Since(p.last) > 100*time.Millisecond
	}
	return epoch%50 == 0
}

func (p *progress) print(epoch int, loss float64, e result) {
	p.last = time.Now()
	text := fmt.Sprintf("%s: epoch %d/%d, loss %.4f, accuracy %.4f train", p.what, epoch, p.epochs, loss, e.trainAcc)
	if e.valLoss > 0 {
		text += fmt.Sprintf(", %.4f validation", e.valAcc)
	}
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", text)
	} else {
		fmt.Fprintln(p.w, text)
	}
}

func (p *progress) done() {
	if p.terminal {
		fmt.Fprintln(p.w)
	}
}
