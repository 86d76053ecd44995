package system_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/benchmarks/system"
)

// everything is all flags there are, and some that there are not.
func everything() []system.Flags {
	var flags []system.Flags
	for op := range system.OpCopy + 2 {
		for reduce := range system.Min + 2 {
			for norm := range system.NormBoth + 2 {
				for _, transpose := range []bool{false, true} {
					flags = append(flags, system.Flags{Op: op, Reduce: reduce, Norm: norm, Transpose: transpose})
				}
			}
		}
	}
	return flags
}

// has says in words of its own which flags a call has.
func has(k system.Kind, f system.Flags) bool {
	if f.Op > system.OpCopy || f.Reduce > system.Min || f.Norm > system.NormBoth {
		return false
	}
	arithmetic := f.Op <= system.OpDiv
	normless, summed := f.Norm == system.NormNone, f.Reduce == system.Sum
	switch k {
	case system.SpMMv:
		return f.Op == 0 && (normless || summed)
	case system.SpMMve:
		scales := f.Op == system.OpMul || f.Op == system.OpDiv
		return arithmetic && (normless || summed && scales)
	case system.SpMMe:
		return f.Op == 0 && normless
	case system.SDDMMvv:
		return (arithmetic || f.Op == system.OpDot) && summed && normless
	}
	return (arithmetic || f.Op == system.OpCopy) && summed && normless
}

func TestFlagsAreAllThatACallHas(t *testing.T) {
	for k := range system.NumKinds {
		flags := k.Flags()
		for _, f := range everything() {
			n := 0
			for _, g := range flags {
				if f == g {
					n++
				}
			}
			if want := has(k, f); (n == 1) != want || n > 1 {
				t.Errorf("%v(%v) is listed %d times, and it is %t that the call has it", k, f, n, want)
			}
			if want := has(k, f); (fittingFlags(k, f).Check(vertices, edges) == nil) != want {
				t.Errorf("%v(%v): Check: %v", k, f, fittingFlags(k, f).Check(vertices, edges))
			}
		}
	}
}

// fittingFlags is a call whose operands fit, whatever its flags.
func fittingFlags(k system.Kind, f system.Flags) system.Call {
	c := fitting(k, system.Flags{})
	switch f.Op {
	case system.OpCopy:
		c.W = nil
	case system.OpDot:
		c.Out = zeros(c.Out.Dim(0), 2, 1)
	}
	c.Flags = f
	return c
}

func TestFlagsAreTheSameAtEveryCall(t *testing.T) {
	for k := range system.NumKinds {
		first := k.Flags()
		for i := range first {
			first[i].Transpose = !first[i].Transpose // the list is the caller's
		}
		if slices.Equal(first, k.Flags()) || len(first) != len(k.Flags()) {
			t.Errorf("%v: changing a list of flags changed the flags", k)
		}
	}
}

func TestStrings(t *testing.T) {
	for want, f := range map[string]system.Flags{
		"mul, sum":                   {},
		"mul, sum, both, transposed": {Norm: system.NormBoth, Transpose: true},
		"div, sum, mean":             {Op: system.OpDiv, Norm: system.NormMean},
		"mul, sum, left":             {Norm: system.NormLeft},
		"add, max":                   {Op: system.OpAdd, Reduce: system.Max},
		"sub, min, transposed":       {Op: system.OpSub, Reduce: system.Min, Transpose: true},
		"dot, sum":                   {Op: system.OpDot},
		"copy, sum":                  {Op: system.OpCopy},
		"invalid, invalid, invalid":  {Op: 99, Reduce: 99, Norm: 99},
	} {
		if got := f.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	var kinds []string
	for k := range system.NumKinds {
		kinds = append(kinds, k.String())
	}
	if got := strings.Join(kinds, " "); got != "SpMMv SpMMve SpMMe SDDMMvv SDDMMve" || system.NumKinds.String() != "invalid" {
		t.Errorf("%q, %v", got, system.NumKinds)
	}
	seen := make(map[string]system.Flags)
	for _, f := range everything() {
		if s := f.String(); !strings.Contains(s, "invalid") {
			if g, twice := seen[s]; twice {
				t.Errorf("%q is %#v and %#v", s, f, g)
			}
			seen[s] = f
		}
	}
}
