// A test that needs to know threads.

package driver_test

import (
	"runtime"
	"sync"
	"syscall"
	"testing"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/driver/mock"
)

func TestTheDevicesThreadIsAlwaysTheSameAndNobodyElses(t *testing.T) {
	d := open(t, mock.New(mock.Options{}), driver.DeviceOptions{})
	own := 0
	do(t, d, func(*driver.Ctx) error { own = syscall.Gettid(); return nil })
	var wg sync.WaitGroup
	for range 2 * runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for range 200 {
				if syscall.Gettid() == own {
					t.Error("another goroutine runs on the device's thread")
					return
				}
				if err := d.Do(func(*driver.Ctx) error {
					if id := syscall.Gettid(); id != own {
						t.Errorf("thread %d, was %d", id, own)
					}
					runtime.Gosched()
					return nil
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
