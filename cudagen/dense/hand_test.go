package dense_test

import (
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/tensor"
)

func TestTimeCountsWhatIsHandedOver(t *testing.T) {
	d := densetest.Device(t)
	b := d.Backend().(*dense.Backend)
	x := tensor.FullOn(d, tensor.Float32, 1, 1000)
	tensor.Exp(x).Free() // compiles
	nothing, err := b.Time(func() {})
	if err != nil {
		t.Fatal(err)
	}
	something, err := b.Time(func() {
		for range 50 {
			tensor.Exp(x).Free()
		}
	})
	if err != nil || something <= nothing {
		t.Errorf("50 kernels take %v, nothing takes %v; error %v", something, nothing, err)
	}
	var within error
	g, err := dense.Capture(d, func() { _, within = b.Time(func() {}) })
	if err != nil || within == nil {
		t.Fatalf("Capture: %v; Time within: %v", err, within)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}
