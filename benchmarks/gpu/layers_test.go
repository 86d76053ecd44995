package main

import (
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestEveryLayerGivesARowForEachVertex(t *testing.T) {
	p, err := sizeOf("tiny-layers").build()
	if err != nil {
		t.Fatal(err)
	}
	all := tasks(p)
	names := make(map[string]bool)
	for _, c := range all {
		names[c.name] = true
		if c.pass != forward {
			continue
		}
		got, err := c.on(tensor.CPU).output()
		if err != nil || len(got) != p.g.NumVertices()*c.family.hidden(p) {
			t.Errorf("%s: %d numbers, %v", c.title(), len(got), err)
		}
	}
	if len(all) != 2*len(names) || len(names) < 22 {
		t.Errorf("%d cases of %d layers", len(all), len(names))
	}
}
