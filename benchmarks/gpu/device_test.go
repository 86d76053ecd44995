package main

import (
	"errors"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

// emulatedGPU opens an emulated device for a test.
func emulatedGPU(t *testing.T) *gpu {
	t.Helper()
	needsEmulator(t)
	c, err := openCard(emulated)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.end(); err != nil {
			t.Error(err)
		}
	})
	g, err := c.open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

func TestTimeReturnsWhatWorkFailsWith(t *testing.T) {
	g := emulatedGPU(t)
	broken := errors.New("broken")
	if _, err := g.time(func() error { return broken }); !errors.Is(err, broken) {
		t.Errorf("an error: %v", err)
	}
	_, err := g.time(func() error {
		tensor.MatMul(tensor.Ones(tensor.Float32, 2, 3), tensor.Ones(tensor.Float32, 2, 3))
		return nil
	})
	var misuse interface{ Misuse() }
	if !errors.As(err, &misuse) {
		t.Errorf("a panic: %v", err)
	}
	if d, err := g.time(func() error { return nil }); err != nil || d < 0 {
		t.Errorf("nothing takes %v, error %v", d, err)
	}
}
