// Making tensors on a device, and the memory of those that are on one.

package tensor

// EmptyOn is [Empty] on a device. It panics with a *DeviceFailure if the device has
// no room.
func EmptyOn(d *Device, dt DType, shape ...int) *Tensor {
	Shape(shape).check("EmptyOn")
	return emptyOn(d, "EmptyOn", dt, shape)
}

// ZerosOn is [Zeros] on a device. It panics with a *DeviceFailure if the device has
// no room.
func ZerosOn(d *Device, dt DType, shape ...int) *Tensor {
	if d == nil {
		return Zeros(dt, shape...)
	}
	t := EmptyOn(d, dt, shape...)
	t.Fill(0)
	return t
}

// OnDevice returns the elements of a tensor that is on a device other than the CPU,
// for the device's own operations. Who writes to them has to own the tensor.
func (t *Tensor) OnDevice() (v View, ok bool) {
	wantTensor("OnDevice", t)
	if t.far == nil {
		return View{}, false
	}
	return t.faraway(), true
}
