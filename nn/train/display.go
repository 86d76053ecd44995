// Progress for the eyes: a bar on a terminal, lines elsewhere.

package train

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// display shows how far a run is. What cannot be shown is no error of the run.
type display interface {
	resumed(epochs, steps int)
	step(epoch, step, of int, loss float64) // of is 0 if not known
	epoch(epoch int, m Metrics)
	end(r *Result, monitor string) // r is nil after an error
}

// newDisplay returns the display for a writer, nil being standard error, of a run
// that has made some of its epochs.
func newDisplay(w io.Writer, epochs, every, made int, now func() time.Time) display {
	if w == nil {
		w = os.Stderr
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return newBar(w, epochs, made, now)
	}
	return &lines{w: w, epochs: epochs, every: every, made: made, start: now(), now: now}
}

// lines prints a line now and then.
type lines struct {
	w             io.Writer
	epochs, every int
	made          int // epochs before this process
	start         time.Time
	now           func() time.Time

	last  int // epoch measured last
	shown int // epoch shown last
	m     Metrics
}

func (l *lines) resumed(epochs, steps int) { fmt.Fprintln(l.w, resumedText(epochs, steps)) }

func (l *lines) step(int, int, int, float64) {}

func (l *lines) epoch(epoch int, m Metrics) {
	l.last, l.m = epoch, m
	if epoch%l.every == 0 || epoch == l.epochs {
		l.print()
	}
}

func (l *lines) print() {
	l.shown = l.last
	eta := time.Duration(0)
	if n := l.last - l.made; n > 0 {
		eta = l.now().Sub(l.start) / time.Duration(n) * time.Duration(l.epochs-l.last)
	}
	fmt.Fprintf(l.w, "epoch %*d/%d  %s  eta %v\n", len(fmt.Sprint(l.epochs)), l.last, l.epochs, metricsText(l.m), eta.Round(time.Second))
}

func (l *lines) end(r *Result, monitor string) {
	if l.last != l.shown {
		l.print()
	}
	if text := endText(r, monitor); text != "" {
		fmt.Fprintln(l.w, text)
	}
}

// bar is a progress bar over the epochs that are left; a step of an epoch moves it
// by a part of one.
type bar struct {
	w            io.Writer
	bar          *progressbar.ProgressBar
	epochs, made int
	now          func() time.Time

	text  string // to be shown
	at    int
	drawn time.Time
}

// parts is how many units of the bar an epoch has.
const parts = 1000

func newBar(w io.Writer, epochs, made int, now func() time.Time) *bar {
	return &bar{w: w, epochs: epochs, made: made, now: now, bar: progressbar.NewOptions64(int64(max(epochs-made, 1))*parts,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(16),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionSetPredictTime(true),
	)}
}

func (b *bar) resumed(epochs, steps int) { fmt.Fprintln(b.w, resumedText(epochs, steps)) }

func (b *bar) step(epoch, step, of int, loss float64) {
	text, part := fmt.Sprint(step), 0
	if of > 0 {
		text, part = fmt.Sprintf("%d/%d", step, of), parts*step/of
	}
	b.text = fmt.Sprintf("epoch %d/%d  step %s  loss %.4g", epoch, b.epochs, text, loss)
	b.at = parts*(epoch-1-b.made) + part
	b.drawIfDue()
}

func (b *bar) epoch(epoch int, m Metrics) {
	b.text = fmt.Sprintf("epoch %d/%d  %s", epoch, b.epochs, metricsText(m))
	b.at = parts * (epoch - b.made)
	b.drawIfDue()
}

// drawIfDue draws ten times a second at most. The bar's own throttle would show
// a text beside the percentage of another.
func (b *bar) drawIfDue() {
	if b.now().Sub(b.drawn) >= 100*time.Millisecond {
		b.draw()
	}
}

func (b *bar) draw() {
	b.bar.Describe(b.text)
	b.bar.Set(b.at)
	b.drawn = b.now()
}

func (b *bar) end(r *Result, monitor string) {
	if b.text != "" {
		b.draw()
	}
	b.bar.Exit()
	fmt.Fprintln(b.w)
	if text := endText(r, monitor); text != "" {
		fmt.Fprintln(b.w, text)
	}
}

func resumedText(epochs, steps int) string { return "resumed after " + position(epochs, steps) }

// position names the last complete epoch, and the last step of the next one if
// there is one.
func position(epochs, steps int) string {
	if steps > 0 {
		return fmt.Sprintf("epoch %d, step %d of the next", epochs, steps)
	}
	return fmt.Sprintf("epoch %d", epochs)
}

// endText says what there is to say about a run that is over.
func endText(r *Result, monitor string) string {
	if r == nil {
		return ""
	}
	var parts []string
	if r.Stopped {
		parts = append(parts, fmt.Sprintf("stopped early after epoch %d", r.History.Epochs()))
	}
	if r.Best > 0 {
		parts = append(parts, fmt.Sprintf("best epoch %d: %s %.4g", r.Best, monitor, r.History.At(r.Best)[monitor]))
	}
	return strings.Join(parts, "; ")
}

// metricsText lists the loss, then the other metrics by name.
func metricsText(m Metrics) string {
	var b strings.Builder
	if x, ok := m[lossMetric]; ok {
		fmt.Fprintf(&b, "loss %.4g", x)
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if name == lossMetric {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("  ")
		}
		fmt.Fprintf(&b, "%s %.4g", name, m[name])
	}
	return b.String()
}
