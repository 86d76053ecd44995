// Readers: what runs them, and what of it is left.

package tensor

import (
	"slices"
	"sync"
	"testing"
	"time"
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
				noted := x.Narrow(0, 0, 2).WillRead(r)
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
		if x.WillRead(new(counted)) {
			t.Errorf("%s: noted", name)
		}
	}
}

func TestReadersThatNeedNotRunAreForgotten(t *testing.T) {
	x := Zeros(Float32, 8)
	first := new(counted)
	x.WillRead(first)
	for range 10000 {
		r := new(counted)
		x.WillRead(r)
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
			x.WillRead(r)
		}
		var wg sync.WaitGroup
		for _, r := range readers {
			wg.Go(r.Run)
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

// A computation that takes long holds up those alone that change what it reads.
func TestChangesOfATensorDoNotWaitForReadersOfAnother(t *testing.T) {
	x, y := Ones(Float32, 4), Ones(Float32, 4)
	begun, done := make(chan bool), make(chan bool)
	slow := &counted{then: func() {
		close(begun)
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Error("a change of another tensor waits")
		}
	}}
	x.WillRead(slow)
	var wg sync.WaitGroup
	wg.Go(func() { x.Fill(2) })
	<-begun
	r := new(counted)
	if y.WillRead(r); r.runs != 0 {
		t.Error("run when it was noted")
	}
	if y.Fill(2); r.runs != 1 {
		t.Errorf("run %d times", r.runs)
	}
	Data[float32](y)[0] = 3
	close(done)
	wg.Wait()
}

func TestChangesWaitForUses(t *testing.T) {
	for name, change := range map[string]func(x *Tensor){
		"Fill": func(x *Tensor) { x.Fill(2) },
		"Data": func(x *Tensor) { Data[float32](x)[1] = 2 },
		"Free": func(x *Tensor) { x.Free() },
	} {
		x := Ones(Float32, 4)
		x.WillRead(new(counted))
		uses := []Use{x.Use(), x.Narrow(0, 0, 2).Use()}
		changed := make(chan bool)
		go func() {
			change(x)
			close(changed)
		}()
		for _, u := range uses {
			select {
			case <-changed:
				t.Errorf("%s does not wait", name)
			case <-time.After(5 * time.Millisecond):
			}
			u.End()
		}
		<-changed
	}
	FromSlice(make([]float32, 3), 3).Use().End()
	Ones(Float32, 3).Use().End()
}

// Goroutines that read a tensor one after another hold nobody up who changes other elements of it, or
// wants its slice to read, too.
func TestChangesDoNotWaitForUsesAndReadersThatBeginLater(t *testing.T) {
	for name, change := range map[string]func(x *Tensor){
		"Fill":   func(x *Tensor) { x.Narrow(0, 0, 2).Fill(2) },
		"Borrow": func(x *Tensor) { Borrow[float32](x) },
		"Data":   func(x *Tensor) { Data[float32](x) },
	} {
		x := Ones(Float32, 4)
		var next func()
		next = func() { x.WillRead(&counted{then: next}) } // whenever one is run, there is another one
		next()
		use := x.Use()
		changed := make(chan bool)
		go func() {
			change(x)
			close(changed)
		}()
		deadline := time.After(5 * time.Second)
		for going := true; going; {
			later := x.Use()
			use.End()
			use = later
			select {
			case <-changed:
				going = false
			case <-deadline:
				t.Fatalf("%s waits for ever", name)
			default:
				time.Sleep(time.Millisecond)
			}
		}
		use.End()
		x.Fill(1) // waits for none that has ended
	}
}

func TestReadersThatAPanicLeavesAreRunByTheNextChange(t *testing.T) {
	x := Ones(Float32, 4)
	rs := []*counted{{}, {then: func() { panic("no memory") }}, {}}
	for _, r := range rs {
		x.WillRead(r)
	}
	func() {
		defer func() { recover() }()
		x.Fill(2)
	}()
	if x.At(0) != 1 {
		t.Error("written to before all have read")
	}
	rs[1].then = nil
	x.Fill(2)
	for i, r := range rs {
		if want := []int{1, 2, 1}[i]; r.runs != want {
			t.Errorf("reader %d was run %d times, want %d", i, r.runs, want)
		}
	}
}

// Whatever was noted has read when the memory is given out, and nothing is noted from then on.
func TestReadersAreNotedOrTheMemoryIsGivenOut(t *testing.T) {
	for range 300 {
		x := Zeros(Float64, 1)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for range 5 {
					if r := (&locked{x: x}); x.WillRead(r) {
						r.Run()
						if !slices.Equal(r.seen, []float64{0}) {
							t.Errorf("read %v", r.seen)
						}
					}
				}
			})
		}
		for range 2 {
			wg.Go(func() {
				Data[float64](x)
				if x.WillRead(new(counted)) {
					t.Error("noted after the memory was given out")
				}
			})
		}
		wg.Wait()
		if d := Data[float64](x); d[0] != 0 {
			t.Error("written to")
		}
	}
}
