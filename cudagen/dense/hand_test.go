package dense_test

import (
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
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

// TestTimeBeginsWhenTheDeviceIsIdle is on a device that works only when something waits for
// it.
func TestTimeBeginsWhenTheDeviceIsIdle(t *testing.T) {
	d, _ := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	b := d.Backend().(*dense.Backend)
	for name, stream := range map[string]func(c *driver.Ctx) (driver.Stream, error){
		"the device's stream": func(c *driver.Ctx) (driver.Stream, error) { return c.Stream(), nil },
		"another stream":      (*driver.Ctx).NewStream,
	} {
		t.Run(name, func(t *testing.T) {
			var earlier driver.Event
			if err := b.Wait("test", func(c *driver.Ctx) error {
				s, err := stream(c)
				if err != nil {
					return err
				}
				if earlier, err = c.NewEvent(false); err != nil {
					return err
				}
				return c.Driver().EventRecord(earlier, s)
			}); err != nil {
				t.Fatal(err)
			}
			done := func() (done bool) {
				if err := b.Wait("test", func(c *driver.Ctx) (err error) {
					done, err = c.Driver().EventQuery(earlier)
					return err
				}); err != nil {
					t.Fatal(err)
				}
				return done
			}
			if done() {
				t.Fatal("it is idle before")
			}
			if _, err := b.Time(func() {
				if !done() {
					t.Error("it is still at work")
				}
			}); err != nil {
				t.Fatal(err)
			}
		})
	}
}
