// Readers: what runs them, and what of it is left.

package tensor

import (
	"slices"
	"sync"
	"testing"
)

// counted is a reader that counts how often it was run.
type counted struct {
	runs int
	over bool
	then func()
}

func (c *counted) Waits() bool { return !c.over }

func (c *counted) Run() {
	if c.runs++; c.then != nil {
		c.then()
	}
}

func willRead(t *Tensor, r Reader) (noted bool) {
	Reading(func() { noted = t.WillRead(r) })
	return noted
}

func TestReadersAreRunBeforeATensorChanges(t *testing.T) {
	const givesOut = true
	for name, c := range map[string]struct {
		change   func(x *Tensor)
		givesOut bool
	}{
		"Fill":               {change: func(x *Tensor) { x.Fill(9) }},
		"Zero":               {change: func(x *Tensor) { x.Zero() }},
		"CopyFrom":           {change: func(x *Tensor) { x.CopyFrom(Full(Float32, 9, 3, 4)) }},
		"AddInto":            {change: func(x *Tensor) { AddInto(x, Full(Float32, 9, 3, 4)) }},
		"MatMulAdd":          {change: func(x *Tensor) { MatMulAdd(x, Ones(Float32, 3, 2), Ones(Float32, 2, 4)) }},
		"ScatterAddRowsInto": {change: func(x *Tensor) { ScatterAddRowsInto(x, Ones(Float32, 1, 4), []int32{0}) }},
		"many rows":          {change: func(x *Tensor) { ScatterAddRowsInto(x, Ones(Float32, 4, 4), []int32{0, 1, 2, 0}) }},
		"Free":               {change: func(x *Tensor) { x.Free() }},
		"Borrow":             {change: func(x *Tensor) { Borrow[float32](x)[0] = 9 }},
		"a row's Fill":       {change: func(x *Tensor) { x.Narrow(0, 0, 1).Fill(9) }},
		"a column's Zero":    {change: func(x *Tensor) { x.Narrow(1, 0, 1).Zero() }},
		"a view's CopyFrom":  {change: func(x *Tensor) { x.Transpose().CopyFrom(Full(Float32, 9, 4, 3)) }},
		"Data":               {func(x *Tensor) { Data[float32](x)[0] = 9 }, givesOut},
		"a view's Data":      {func(x *Tensor) { Data[float32](x.Reshape(12))[0] = 9 }, givesOut},
		"Dense":              {func(x *Tensor) { x.Dense().Set(0, float32(9)) }, givesOut},
		"Raw": {func(x *Tensor) {
			r, err := x.Raw()
			if err != nil {
				t.Fatal(err)
			}
			*(*float32)(r.Pointer) = 9
		}, givesOut},
	} {
		t.Run(name, func(t *testing.T) {
			x := Add(Ones(Float32, 3, 4), Ones(Float32, 3, 4))
			for round := range 2 {
				r := new(counted)
				r.then = func() {
					if got := x.At(0, 0); got != 2 {
						t.Errorf("round %d: run when the element was %v", round, got)
					}
				}
				noted := willRead(x.Narrow(0, 0, 2), r)
				if want := round == 0 || !c.givesOut; noted != want {
					t.Fatalf("round %d: noted: %v, want %v", round, noted, want)
				}
				c.change(x)
				if want := map[bool]int{true: 1}[noted]; r.runs != want {
					t.Errorf("round %d: run %d times, want %d", round, r.runs, want)
				}
				if x.Freed() {
					return
				}
				x.At(0, 0)
				x.Float64s()
				x.Clone().Fill(3)
				Add(x, x)
				if r.runs > 1 {
					t.Errorf("round %d: run again", round)
				}
				c.change(x) // nobody reads any more
				if r.runs > 1 {
					t.Errorf("round %d: run by a second change", round)
				}
				if !c.givesOut {
					x.Fill(2)
				}
			}
		})
	}
}

func TestMemoryOfTheCallerIsNotNoted(t *testing.T) {
	slice := make([]float32, 6)
	dense := newDense(slice, Shape{6})
	fromDense, err := FromDense(dense)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := FromSlice(slice, 2, 3).Raw()
	if err != nil {
		t.Fatal(err)
	}
	fromRaw, _, err := FromRaw(raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]*Tensor{
		"FromSlice": FromSlice(slice, 6), "a view of it": FromSlice(slice, 2, 3).Narrow(0, 1, 2),
		"FromDense": fromDense, "FromRaw": fromRaw, "a view of that": fromRaw.Narrow(0, 0, 1),
	} {
		if willRead(x, new(counted)) {
			t.Errorf("%s: noted", name)
		}
	}
}

func TestReadersThatNeedNotRunAreForgotten(t *testing.T) {
	x := Zeros(Float32, 8)
	first := new(counted)
	willRead(x, first)
	for range 10000 {
		r := new(counted)
		willRead(x, r)
		r.over = true
	}
	if n := len(x.readers.Load().list); n > 16 {
		t.Errorf("%d readers are kept, want few", n)
	}
	if x.Zero(); first.runs != 1 {
		t.Errorf("the one that waits was run %d times", first.runs)
	}
}

// A reader that was noted reads what was there then, whoever runs it, while others change the tensor.
func TestReadersAndWritersOfATensorDoNotMeet(t *testing.T) {
	x := Zeros(Float64, 1)
	for i := range 500 {
		readers := []*locked{{x: x}, {x: x}}
		for _, r := range readers {
			willRead(x, r)
		}
		var wg sync.WaitGroup
		for _, r := range readers {
			wg.Go(func() { Reading(r.Run) })
		}
		wg.Go(func() { x.Fill(float64(i + 1)) })
		wg.Wait()
		for _, r := range readers {
			if !slices.Equal(r.seen, []float64{float64(i)}) {
				t.Fatalf("round %d: read %v", i, r.seen)
			}
		}
	}
}

// locked is a reader that reads once.
type locked struct {
	x    *Tensor
	mu   sync.Mutex
	seen []float64
}

func (l *locked) Waits() bool { return true }

func (l *locked) Run() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.seen) == 0 {
		l.seen = slices.Clone(l.x.Float64s())
	}
}
