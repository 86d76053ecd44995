// Modules on devices, and of other element types.

package nn

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

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

// ToDType converts the parameters and buffers of a module that are Float32 or Float64 to
// the one given, with the gradients there are, in place, as model.to(torch.float64) does:
// layers are made of Float32 unless said otherwise, and autograd.Gradcheck of a model takes
// Float64. What the module computes with is to be converted, too. The state of an optimiser
// is not: make it afterwards.
//
// It panics with *[Error] if m is no module or dt another type.
func ToDType(m any, dt tensor.DType) {
	if dt != tensor.Float32 && dt != tensor.Float64 {
		misuse("ToDType", fmt.Sprintf("element type %v; want f32 or f64", dt))
	}
	for _, s := range stateOf("ToDType", m) {
		if from := s.Var.DType(); from == tensor.Float32 || from == tensor.Float64 {
			s.Var.ConvertTo(dt)
		}
	}
}
