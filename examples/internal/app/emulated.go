//go:build emulated

package app

import (
	"context"
	"os"

	"github.com/asterias-ml/asterias/cudagen"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/cudagen/emu/device"
	"github.com/asterias-ml/asterias/tensor"
)

// cuda returns an emulated GPU: it shows whether an example runs on a device where
// there is none, very slowly. The device ends with the process.
func cuda(index int) (*tensor.Device, error) {
	m, err := device.New(context.Background(), device.Options{})
	if err != nil {
		return nil, err
	}
	const nowhere = os.DevNull // is no folder: compiled kernels are kept in no files
	b, err := cudagen.Open(m.System(), index, driver.DeviceOptions{}, nowhere)
	if err != nil {
		return nil, err
	}
	return tensor.NewDevice("cuda", index, b), nil
}
