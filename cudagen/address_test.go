package cudagen_test

// Where tensors of the device are, for code that takes addresses.

import (
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestTensorsOfTheDeviceHaveAddresses(t *testing.T) {
	d := open(t)
	x := tensor.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 3, 2).ToDevice(d)
	whole, err := x.Raw()
	if err != nil {
		t.Fatal(err)
	}
	part, err := x.Narrow(0, 1, 3).Raw()
	if err != nil {
		t.Fatal(err)
	}
	if whole.Device != d || whole.Address == 0 || whole.Pointer != nil {
		t.Errorf("the tensor is at %+v", whole)
	}
	if part.Address != whole.Address+8 {
		t.Errorf("its second row is at %#x, the first at %#x; want 8 bytes more", part.Address, whole.Address)
	}
	other := tensor.ZerosOn(d, tensor.Float32, 3, 2)
	if r, err := other.Raw(); err != nil || r.Address == whole.Address {
		t.Errorf("another tensor is at %+v, %v", r, err)
	}
}
