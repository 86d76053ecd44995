// Modules on devices.

package nn

import "github.com/asterias-ml/asterias/tensor"

// To moves the parameters and buffers of a module, see [State], to a device, with the
// gradients there are, in place: nil or tensor.CPU is the CPU. Optimisers keep their
// parameters; the state that they have moves with the next step. Files do not tell
// devices apart: [Save] and [Load] work wherever a module is.
//
//	device, err := tensor.CUDA(0)
//	...
//	nn.To(model, device)
//
// It panics with *[Error] if m is no module.
func To(m any, d *tensor.Device) {
	for _, s := range stateOf("To", m) {
		s.Var.MoveTo(d)
	}
}
