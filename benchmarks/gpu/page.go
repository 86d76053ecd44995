// The results as a page of Markdown.

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
)

// writePage writes tables of everything; it returns the first failure to write.
func writePage(out io.Writer, h header, results []*result, notes []string) error {
	w := &pageWriter{out: out}
	card, _, _ := strings.Cut(h.Device, ",") // of "cuda:0 NVIDIA H200, sm_90, ..."
	if _, name, ok := strings.Cut(card, " "); ok {
		card = name
	}
	w.line("# On a GPU: %s\n", card)
	if h.Emulated {
		w.line("**Emulated: the times below say nothing about any GPU.**\n")
	}
	w.line("%s, %s; %s.  ", h.Device, h.Machine.Go, h.Machine.CPU)
	w.line("Copies within the device's memory: %s GB/s, read and written.  ", harness.Number(h.Copy/1e9))
	w.line("Peer: %s.  ", oneLine(h.Peer))
	w.line("cuSPARSE: %s.\n", oneLine(h.Sparse))
	w.line("Medians by the device's events, in brackets what half of the times lie between; × is a system's time over ours, the median of")
	w.line("rounds in turns: above 1 ours is faster. Memory is what a step of training adds to the device's at most, inputs included.")
	for i, n := range h.Notes {
		if i == 0 {
			w.line("")
		}
		w.line("- %s", oneLine(n))
	}
	for _, p := range []pass{epoch, kernel, forward, backward} {
		w.table(p, results)
	}
	if !h.Emulated {
		w.targets(results)
	}
	if len(notes) > 0 {
		w.line("\n## Left out\n")
	}
	for _, n := range notes {
		w.line("- %s", oneLine(n))
	}
	return w.err
}

type pageWriter struct {
	out io.Writer
	err error
}

func (w *pageWriter) line(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format+"\n", args...)
	}
}

// table has a row for each system in each case of a pass.
func (w *pageWriter) table(p pass, results []*result) {
	first := true
	for _, r := range results {
		if r.Pass != p {
			continue
		}
		if first {
			w.line("\n## %s\n\n| case | graph | system | time | × | memory | bytes/s | of the bound |\n|---|---|---|---|---|---|---|---|", p)
			first = false
		}
		name, on := r.Case, r.Graph
		if r.Error != "" {
			w.line("| %s | %s | %s | %s | | | | |", name, on, ours, cell(r.Error))
			continue
		}
		for i, e := range r.Entries {
			speed, share := "", ""
			if i == 0 && r.Bytes > 0 {
				speed, share = harness.Number(float64(r.Bytes)/e.Median/1e9)+" GB/s", fmt.Sprintf("%.2f", r.Share)
			}
			w.line("| %s | %s | %s | %s | %s | %s | %s | %s |", name, on, e.System, e.cell(), ratio(i, e), memory(e.Peak), speed, share)
			name, on = "", ""
		}
	}
}

// cell is the time, or why there is none.
func (e *entry) cell() string {
	if e.Status != "" {
		return cell(e.Status)
	}
	return fmt.Sprintf("%s [%s, %s]", harness.Seconds(e.Median), harness.Seconds(e.Q1), harness.Seconds(e.Q3))
}

func ratio(i int, e *entry) string {
	if i == 0 || e.Status != "" {
		return ""
	}
	return harness.Times(e.Ratio)
}

func memory(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return harness.Number(float64(bytes)/1e6) + " MB"
}

func (w *pageWriter) targets(results []*result) {
	first := true
	for _, r := range results {
		for _, v := range r.verdicts() {
			if first {
				w.line("\n## Targets\n\n| | reached | target | met |\n|---|---|---|---|")
				first = false
			}
			w.line("| %s | %.2f | %g | %s |", v.What, v.Value, v.Target, harness.YesNo(v.Met))
		}
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// cell is a text that does not end its cell, and not all of a long one.
func cell(text string) string {
	text = strings.ReplaceAll(oneLine(text), "|", "/")
	if r := []rune(text); len(r) > 160 {
		text = string(r[:160]) + "…"
	}
	return text
}
