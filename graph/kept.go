package graph

// What users of a graph keep with it.

import "sync"

// lazyKept is values that were built for keys.
type lazyKept struct{ values sync.Map } // of *keptValue

type keptValue struct {
	mu    sync.Mutex // held while the value is built
	built bool       // false, too, after a build that panicked
	value any
}

// Keep returns the value that build made for the key, which it calls the first time only: what
// comes of the graph alone and is wanted in every walk over it. A build that panics is not
// counted: the next call builds again. A value is kept as long as the graph; the reversed graph
// has its own, the same whenever it is made. It is not for values that depend on features.
func (g *Graph) Keep(key any, build func() any) any {
	k, ok := g.kept.values.Load(key)
	if !ok {
		k, _ = g.kept.values.LoadOrStore(key, new(keptValue))
	}
	v := k.(*keptValue)
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.built {
		v.value = build()
		v.built = true
	}
	return v.value
}
