package graph

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestWhatIsKeptWithAGraphIsBuiltOnceForItsKey(t *testing.T) {
	g, err := New(3, []int32{0, 1}, []int32{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	reversed, _ := g.Reverse()
	again, _ := g.Reverse()
	back, _ := again.Reverse()
	type key[T any] struct{ name string }
	var built atomic.Int64
	build := func(n int) func() any {
		return func() any { built.Add(1); return n }
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, want := range []struct {
				graph *Graph
				key   any
				n     int
			}{{g, key[int]{"a"}, 1}, {g, key[int]{"b"}, 2}, {g, key[bool]{"a"}, 3}, {reversed, key[int]{"a"}, 4}, {again, key[int]{"a"}, 4}, {back, key[int]{"b"}, 2}} {
				if got := want.graph.Keep(want.key, build(want.n)); got != want.n {
					t.Errorf("%v: %v, want %d", want.key, got, want.n)
				}
			}
		})
	}
	wg.Wait()
	if n := built.Load(); n != 4 {
		t.Errorf("built %d times, want 4", n)
	}
}

func TestABuildThatPanicsIsRepeated(t *testing.T) {
	g, err := New(3, []int32{0, 1}, []int32{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	type key struct{}
	fails := func() any { panic("build") }
	for range 2 {
		func() {
			defer func() {
				if r := recover(); r != "build" {
					t.Errorf("recovered %v, want the panic of the build", r)
				}
			}()
			g.Keep(key{}, fails)
		}()
	}
	if got := g.Keep(key{}, func() any { return 5 }); got != 5 {
		t.Errorf("%v after builds that panicked, want 5", got)
	}
	if got := g.Keep(key{}, fails); got != 5 {
		t.Errorf("%v, want the 5 that was built", got)
	}
}
