package pass_test

// What is computed where nobody reads it counts for nothing, in results and gradients of any
// order.

import (
	"fmt"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

// sameGradients compares the gradients of two programs, and what each half of the optimised
// second one gives.
func sameGradients(c *irtest.Case, p, q *ir.Program) error {
	joint := pass.Grad(p, wantAll)
	want, err := eval(c, joint, c.Inputs(joint))
	if err != nil {
		return err
	}
	joint = pass.Grad(q, wantAll)
	got, err := eval(c, joint, c.Inputs(joint))
	if err != nil {
		return err
	}
	if d := irtest.Diff(got, want, tolerance); d != "" {
		return fmt.Errorf("%s\n%v", d, joint)
	}
	forward, backward, _ := pass.Training(q, pass.Options{Want: wantAll})
	return chained(c, forward, backward, want)
}

func TestWhatNobodyReadsMayBeInfiniteInRandomPrograms(t *testing.T) {
	first, second := 0, 0
	for seed := range uint64(900) {
		c := irtest.New(160_000 + seed)
		q := pass.Poisoned(c.Program)
		if q == nil {
			continue
		}
		first++
		if err := try(func() error { return sameGradients(c, c.Program, q) }); err != nil {
			t.Errorf("%v\n%v\n%v", err, c, q)
			continue
		}
		o := pass.Options{Want: wantAll}
		d, e := pass.Derive(c.Program, o), pass.Derive(q, o)
		if seed%3 != 0 || len(d.Of) == 0 || len(e.Program.Values) > 1000 {
			continue
		}
		second++
		if err := try(func() error { return sameGradients(c, d.Program, e.Program) }); err != nil {
			t.Errorf("second: %v\n%v\n%v", err, c, q)
		}
	}
	if first < 300 || second < 50 {
		t.Errorf("only %d programs had rows that nobody reads, and %d had second derivatives", first, second)
	}
}
