package dense_test

import (
	"errors"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/dense/densetest"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
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

func TestADeviceIsClosedAgainWhereItsCompilerDoesNotAnswer(t *testing.T) {
	m := mock.New(mock.Options{})
	m.FailIf(func(_ int, call string) int {
		if call == "nvrtcVersion" {
			return 11
		}
		return 0
	})
	s := &driver.System{Driver: m, Compiler: m.Compiler(), BLAS: m.BLAS()}
	var failed *driver.Error
	if _, err := dense.Open(s, 0, driver.DeviceOptions{}, t.TempDir()); !errors.As(err, &failed) || failed.Call != "nvrtcVersion" {
		t.Errorf("Open: %v", err)
	}
	for _, what := range append(m.Leaks(), m.Faults()...) {
		t.Error(what)
	}
}
