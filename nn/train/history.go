// The metrics of all epochs.

package train

import (
	"maps"
	"slices"
)

// The metrics that the trainer adds.
const (
	lossMetric = "loss"
	lrMetric   = "lr"
)

// History has the metrics of a run, each with the epochs in which it was
// measured.
type History struct {
	epochs int
	series map[string]*series
}

type series struct {
	epochs []int // ascending, counted from 1
	values []float64
}

func newHistory() *History { return &History{series: map[string]*series{}} }

// Epochs returns the number of complete epochs.
func (h *History) Epochs() int { return h.epochs }

// longest returns the last epoch in which anything was measured: every epoch has its "lr".
func (h *History) longest() int {
	last := 0
	for _, s := range h.series {
		if n := len(s.epochs); n > 0 {
			last = max(last, s.epochs[n-1])
		}
	}
	return last
}

// Names lists the metrics: the trainer's "loss" and "lr", then the others in
// alphabetical order.
func (h *History) Names() []string {
	var names []string
	for _, own := range []string{lossMetric, lrMetric} {
		if h.series[own] != nil {
			names = append(names, own)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(h.series)) {
		if name != lossMetric && name != lrMetric {
			names = append(names, name)
		}
	}
	return names
}

// Series returns the epochs, counted from 1, in which a metric was measured, and
// its values; nothing for a name that there is not.
func (h *History) Series(name string) (epochs []int, values []float64) {
	if s := h.series[name]; s != nil {
		return slices.Clone(s.epochs), slices.Clone(s.values)
	}
	return nil, nil
}

// At returns the metrics of an epoch, counted from 1; none of one that was not.
func (h *History) At(epoch int) Metrics {
	m := Metrics{}
	for name, s := range h.series {
		if i, ok := slices.BinarySearch(s.epochs, epoch); ok {
			m[name] = s.values[i]
		}
	}
	return m
}

// add appends the metrics of the next epoch.
func (h *History) add(m Metrics) {
	h.epochs++
	for name, x := range m {
		s := h.series[name]
		if s == nil {
			s = &series{}
			h.series[name] = s
		}
		s.epochs = append(s.epochs, h.epochs)
		s.values = append(s.values, x)
	}
}
