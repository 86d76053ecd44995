package dense_test

import (
	"errors"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	"github.com/asterias-ml/asterias/tensor"
)

func TestMemoryStatsLeaveAFailureToWhoCanReturnIt(t *testing.T) {
	d, m := densetest.Open(t, device.Options{}, driver.DeviceOptions{})
	x := tensor.FullOn(d, tensor.Float32, 3, 8)
	if err := d.Synchronize(); err != nil {
		t.Fatal(err)
	}
	m.Driver().FailIf(func(_ int, call string) int {
		if call == "cuLaunchKernel" {
			return int(driver.LaunchFailed)
		}
		return 0
	})
	x.Fill(5)
	if s := d.MemoryStats(); s.Live != 32 {
		t.Errorf("%d bytes are live", s.Live)
	}
	m.Driver().FailIf(nil)
	if err := d.Synchronize(); !errors.Is(err, driver.LaunchFailed) {
		t.Errorf("Synchronize: %v", err)
	}
	if err := d.Synchronize(); err != nil {
		t.Errorf("the failure is reported twice: %v", err)
	}
}
