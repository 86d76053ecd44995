package harness

import "testing"

func TestNumberKeepsThreeDigitsOrGroups(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1.23456: "1.23", 999: "999", 1000: "1 000", 1048576: "1 048 576", 12345.6: "12 346", -2000: "-2 000",
	} {
		if got := Number(x); got != want {
			t.Errorf("Number(%v) = %q, want %q", x, got, want)
		}
	}
}

func TestSecondsPicksTheUnit(t *testing.T) {
	for s, want := range map[float64]string{
		3e-9: "3 ns", 1.5e-6: "1.5 µs", 0.0123456: "12.3 ms", 0.5: "500 ms", 2.5: "2.5 s", 90: "90 s",
	} {
		if got := Seconds(s); got != want {
			t.Errorf("Seconds(%v) = %q, want %q", s, got, want)
		}
	}
}
