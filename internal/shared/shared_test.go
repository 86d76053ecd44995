package shared

import "testing"

func TestGoldenReadsTheGraphEveryFileCarries(t *testing.T) {
	g := Golden(t, "gcn")
	if n := len(g["src"].Int32s()); n != 200 {
		t.Errorf("src has %d arcs, want 200", n)
	}
	if s := g["out_f64"].Shape; len(s) != 2 || s[0] != 37 {
		t.Errorf("out_f64 has shape %v, want 37 rows", s)
	}
}
