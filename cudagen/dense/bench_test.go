package dense

import (
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

// BenchmarkPlanning is what an element-wise operation costs the program besides the
// driver's calls.
func BenchmarkPlanning(b *testing.B) {
	x := view(tensor.Float32, tensor.Shape{64, 32})
	row := view(tensor.Float32, tensor.Shape{64, 32}, 0, 1)
	p := &tensor.Program{Steps: []tensor.ProgramStep{{Op: "Add", Type: tensor.Float32, Args: [3]int{^0, ^1}}}}
	for _, c := range []struct {
		name string
		y    tensor.View
	}{{"even", x}, {"row", row}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mapWork(x, p, []tensor.View{x, c.y})
			}
		})
	}
}
