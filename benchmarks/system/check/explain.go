package check

// From failed calls to findings: the fewest mistakes that explain them.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

// is tells whether a pitfall is what the failure was found to be, alone.
func (t *trial) is(p Pitfall) bool {
	return len(t.explanations) == 1 && len(t.explanations[0]) == 1 && t.explanations[0][0] == p
}

// blame is the pitfalls of each call.
type blame map[call][]Pitfall

func (b blame) add(c call, p Pitfall) {
	if !slices.Contains(b[c], p) {
		b[c] = append(b[c], p)
	}
}

// explain reports the failures of all calls, those that are not supported and those
// that vary, and returns who is to blame for what.
func (r *runner) explain() blame {
	guilty := make(blame)
	var varying []string
	for kind := range system.NumKinds {
		var failed []*trial
		total := 0
		for _, f := range kind.Flags() {
			c := call{kind, f}
			ts := r.trials[c]
			lacking := count(ts, func(t *trial) bool { return t.unsupported })
			if lacking > 0 && lacking == len(ts) {
				r.report.Unsupported = append(r.report.Unsupported, c.String())
				continue
			}
			for i := range ts {
				if ts[i].unsupported {
					ts[i].failed = true
					ts[i].explanations = []explanation{{PartSupported}}
					ts[i].detail = fmt.Sprintf("%s: %v", ts[i].name(), system.ErrUnsupported)
				}
			}
			if count(ts, func(t *trial) bool { return t.varies }) > 0 {
				varying = append(varying, c.String())
			}
			byGroup(ts)
			total += len(ts)
			for i := range ts {
				if ts[i].failed {
					failed = append(failed, &ts[i])
				}
			}
		}
		r.kind(kind, failed, total, guilty)
	}
	if len(varying) > 0 {
		r.note("right, but not bit for bit the same at every run: %s", strings.Join(varying, "; "))
	}
	return guilty
}

func count(ts []trial, f func(*trial) bool) int {
	n := 0
	for i := range ts {
		if f(&ts[i]) {
			n++
		}
	}
	return n
}

// byGroup explains failures of a call by what they have in common, as single ones do
// not show it: special values, odd widths, several heads.
func byGroup(ts []trial) {
	ordinary := count(ts, func(t *trial) bool { return t.failed && !t.special })
	for i := range ts {
		if t := &ts[i]; t.failed && t.special {
			if ordinary > 0 {
				t.failed = false // explained by the others
			} else {
				t.explanations = []explanation{{NonFinite}}
			}
		}
	}
	for _, g := range []struct {
		name Pitfall
		in   func(*trial) bool
	}{
		{OddWidth, func(t *trial) bool { return t.sizes.width%2 == 1 }},
		{HeadsIgnored, func(t *trial) bool { return t.sizes.heads > 1 }},
	} {
		outside := count(ts, func(t *trial) bool { return t.failed && !t.special && !g.in(t) })
		together := exactly(ts, g.in)
		for i := range ts {
			t := &ts[i]
			switch {
			case !t.failed || t.special:
			case outside > 0 && len(t.explanations) > 1: // it is something else
				t.explanations = slices.DeleteFunc(t.explanations, func(e explanation) bool { return e[0] == g.name })
			case together && t.vague():
				t.explanations = []explanation{{g.name}}
			}
		}
	}
}

// vague tells whether a failure says only that something is wrong.
func (t *trial) vague() bool {
	return len(t.explanations) == 0 || t.is(WrongValues) || t.is(CallFails) || t.is(CallPanics) ||
		t.is(PartSupported) || t.is(Unwritten)
}

// exactly tells whether the failures of a call are those of a group: only trials of the
// group fail, and on a graph where one does so do all, widths of 1 aside, while those
// outside the group are right.
func exactly(ts []trial, in func(*trial) bool) bool {
	failing := make(map[*graph]bool)
	for i := range ts {
		if t := &ts[i]; t.failed && !t.special {
			if !in(t) {
				return false
			}
			failing[t.graph] = true
		}
	}
	right := false
	for i := range ts {
		t := &ts[i]
		if t.special || t.failed || !failing[t.graph] {
			continue
		}
		if in(t) && t.sizes.width > 1 {
			return false
		}
		right = right || !in(t)
	}
	return len(failing) > 0 && right
}

// kind reports the failures of a kind: the explanation that covers the most first, then
// the one that covers the most of the rest.
func (r *runner) kind(kind system.Kind, failed []*trial, total int, guilty blame) {
	rest := make([]*trial, 0, len(failed))
	later := make(map[call][]*trial) // not diagnosed: as those of their call that were
	for _, t := range failed {
		if len(t.explanations) > 0 {
			rest = append(rest, t)
		} else {
			later[call{t.kind, t.flags}] = append(later[call{t.kind, t.flags}], t)
		}
	}
	for len(rest) > 0 {
		best := commonest(rest)
		var covered, others []*trial
		for _, t := range rest {
			if t.explainedBy(best) {
				covered = append(covered, t)
			} else {
				others = append(others, t)
			}
		}
		for _, t := range covered {
			c := call{t.kind, t.flags}
			covered = append(covered, later[c]...)
			delete(later, c)
			for _, p := range best {
				guilty.add(c, p)
			}
		}
		for _, p := range best {
			r.found(Finding{p, kind.String(), len(covered), total, summary(covered)})
		}
		rest = others
	}
}

func (t *trial) explainedBy(e explanation) bool {
	return slices.ContainsFunc(t.explanations, func(o explanation) bool { return slices.Equal(o, e) })
}

// commonest returns the explanation of the most trials; of equals the one of fewer
// mistakes, then the one named first.
func commonest(ts []*trial) explanation {
	var best explanation
	most := 0
	counted := make(map[string]bool)
	for _, t := range ts {
		for _, e := range t.explanations {
			key := fmt.Sprint(e)
			if counted[key] {
				continue
			}
			counted[key] = true
			n := 0
			for _, other := range ts {
				if other.explainedBy(e) {
					n++
				}
			}
			if n > most || n == most && len(e) < len(best) {
				best, most = e, n
			}
		}
	}
	return best
}

// name is the trial without its numbers.
func (t *trial) name() string {
	p := problem{g: t.graph, kind: t.kind, flags: t.flags, sizes: t.sizes}
	return p.String()
}

// summary tells where trials fail, and of the smallest how.
func summary(ts []*trial) string {
	smallest := slices.MinFunc(ts, func(a, b *trial) int { return cmp.Compare(a.size, b.size) })
	var flags []string
	for _, t := range ts {
		if f := t.flags.String(); !slices.Contains(flags, f) {
			flags = append(flags, f)
		}
	}
	s := smallest.detail
	if len(flags) > 1 {
		s += fmt.Sprintf("; with %d flags in all", len(flags))
	}
	return s
}
