package check

// Tensors in guard zones, which show who reads and writes beyond them.

import (
	"math"

	"github.com/asterias-ml/asterias/tensor"
)

// guardSize is how many elements are on each side: enough for the widest vector of a
// kernel, and a multiple of it, so that tensors are as aligned as others.
const guardSize = 64

// What zones and outputs hold beforehand. The two NaNs have bits that no arithmetic
// makes of other numbers.
var (
	guardValue = math.Float32frombits(0x7fc0beef)
	poison     = math.Float32frombits(0x7fc0dead)
)

// prefill is what outputs hold at a second run.
const prefill float32 = 3.25

// A guarded tensor is a view of the middle of a larger one.
type guarded struct {
	whole, view *tensor.Tensor
	content     []float32 // of the whole, as it was made
}

// guard puts values on a device, between zones.
func guard(d *tensor.Device, shape tensor.Shape, values []float32) *guarded {
	n := len(values)
	content := make([]float32, n+2*guardSize)
	for i := range guardSize {
		content[i], content[guardSize+n+i] = guardValue, guardValue
	}
	copy(content[guardSize:], values)
	whole := tensor.FromSlice(append([]float32(nil), content...), len(content)).ToDevice(d)
	return &guarded{
		whole:   whole,
		view:    whole.Narrow(0, guardSize, guardSize+n).Reshape(shape...),
		content: content,
	}
}

// read returns the elements as they are now, without the zones, and whether the zones
// are as they were.
func (t *guarded) read() (values []float32, intact bool) {
	now := tensor.Data[float32](t.whole.ToDevice(nil))
	end := len(now) - guardSize
	intact = sameBits(now[:guardSize], t.content[:guardSize]) && sameBits(now[end:], t.content[end:])
	return now[guardSize:end], intact
}

// unchanged tells whether nothing was written to the tensor and its zones.
func (t *guarded) unchanged() bool {
	return sameBits(tensor.Data[float32](t.whole.ToDevice(nil)), t.content)
}

func sameBits(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return false
		}
	}
	return true
}

func filled(n int, v float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = v
	}
	return out
}
