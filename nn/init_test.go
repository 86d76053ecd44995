// Initialisers: moments, bounds, structure.

package nn_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// drawn returns a [rows cols] weight that was initialised.
func drawn(dt tensor.DType, rows, cols int, init nn.Initializer, seed uint64) *tensor.Tensor {
	w := autograd.Parameter(tensor.Full(dt, 7, rows, cols))
	init(w, nn.NewRNG(seed))
	return w.Tensor()
}

func TestInitialisersOfTorchHaveTheirMoments(t *testing.T) {
	const in, out, n = 300, 100, 300 * 100
	// A standard normal between -1 and 2 (Wikipedia, Truncated normal distribution).
	phi := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
	mass := (math.Erf(2/math.Sqrt2) - math.Erf(-1/math.Sqrt2)) / 2
	mean := (phi(-1) - phi(2)) / mass
	variance := 1 + (-1*phi(-1)-2*phi(2))/mass - mean*mean
	for name, c := range map[string]struct {
		init           nn.Initializer
		mean, std      float64
		least, largest float64
	}{
		"UniformIn":              {nn.UniformIn(2, 5), 3.5, 3 / math.Sqrt(12), 2, 5},
		"NormalAround":           {nn.NormalAround(-3, 0.5), -3, 0.5, -6, 0},
		"TruncNormal":            {nn.TruncNormal(10, 2, 8, 14), 10 + 2*mean, 2 * math.Sqrt(variance), 8, 14},
		"TruncNormal in a tail":  {nn.TruncNormal(0, 1, 20, 21), 20, 0, 20, 21},
		"Kaiming":                {nn.Kaiming(nn.KaimingConfig{}), 0, math.Sqrt(2.0 / in), -math.Sqrt(6.0 / in), math.Sqrt(6.0 / in)},
		"Kaiming fan-out leaky":  {nn.Kaiming(nn.KaimingConfig{FanOut: true, Gain: nn.GainLeakyReLU(0.5)}), 0, math.Sqrt(2 / 1.25 / out), -1, 1},
		"Kaiming normal SELU":    {nn.Kaiming(nn.KaimingConfig{Normal: true, Gain: nn.GainSELU}), 0, 0.75 / math.Sqrt(in), -1, 1},
		"Glorot with gain":       {nn.Scaled(nn.GainTanh, nn.GlorotUniform), 0, 5.0 / 3 * math.Sqrt(2.0/(in+out)), -5.0 / 3 * math.Sqrt(6.0/(in+out)), 5.0 / 3 * math.Sqrt(6.0/(in+out))},
		"Glorot normal and gain": {nn.Scaled(nn.GainReLU, nn.GlorotNormal), 0, math.Sqrt(4.0 / (in + out)), -1, 1},
		"Zeros":                  {nn.Zeros, 0, 0, 0, 0},
		"Ones":                   {nn.Ones, 1, 0, 1, 1},
	} {
		for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
			x := drawn(dt, in, out, c.init, 3).Float64s()
			var sum, squares float64
			for _, v := range x {
				sum += v
			}
			mean := sum / n
			for _, v := range x {
				squares += (v - mean) * (v - mean)
			}
			std, slack := math.Sqrt(squares/n), 1e-6*(1+math.Abs(c.mean))
			if math.Abs(mean-c.mean) > 4*c.std/math.Sqrt(n)+slack || math.Abs(std-c.std) > 0.02*c.std+slack ||
				slices.Min(x) < c.least-slack || slices.Max(x) > c.largest+slack {
				t.Errorf("%s %v: mean %v, std %v in [%v, %v]; want %v, %v in [%v, %v]",
					name, dt, mean, std, slices.Min(x), slices.Max(x), c.mean, c.std, c.least, c.largest)
			}
		}
	}
}

// The thirds of a uniform, a normal and a truncated normal distribution hold a
// third each: the moments alone would not tell them apart.
func TestInitialisersHaveTheirShapes(t *testing.T) {
	const n = 30_000
	third := math.Sqrt2 * math.Erfinv(-1.0/3) // a third of a standard normal is below
	half := math.Sqrt2 * math.Erfinv(-1.0/3*math.Erf(0.5/math.Sqrt2))
	for name, c := range map[string]struct {
		init nn.Initializer
		cut  float64 // from which a third is below, and a third above its negative
	}{
		"Uniform":     {nn.Uniform(3), -1},
		"Normal":      {nn.Normal(2), 2 * third},
		"TruncNormal": {nn.TruncNormal(0, 1, -0.5, 0.5), half},
	} {
		var below, above float64
		for _, x := range drawn(tensor.Float64, 1, n, c.init, 5).Float64s() {
			if x < c.cut {
				below++
			} else if x > -c.cut {
				above++
			}
		}
		tolerance := 4 * math.Sqrt(n*2.0/9)
		if math.Abs(below-n/3) > tolerance || math.Abs(above-n/3) > tolerance {
			t.Errorf("%s: %v below and %v above, want %v each", name, below, above, n/3)
		}
	}
}

func TestOrthogonalMatricesHaveOrthonormalRowsOrColumns(t *testing.T) {
	for _, shape := range [][]int{{5, 5}, {8, 3}, {3, 8}, {1, 4}, {4, 1}, {100, 60}, {0, 3}, {3, 0}} {
		for dt, tol := range precisions {
			q := drawn(dt, shape[0], shape[1], nn.Orthogonal, 9).To(tensor.Float64)
			product := tensor.MatMul(q, q.Transpose())
			if shape[0] > shape[1] {
				product = tensor.MatMul(q.Transpose(), q)
			}
			for i := range product.Shape()[0] {
				for j := range product.Shape()[0] {
					want := 0.0
					if i == j {
						want = 1
					}
					if got := product.At(i, j); math.Abs(got-want) > tol*10 {
						t.Fatalf("%v %v: product of %d and %d is %v", dt, shape, i, j, got)
					}
				}
			}
		}
	}
	w := autograd.Parameter(tensor.Zeros(tensor.Float64, 2, 3, 4))
	nn.Orthogonal(w, nn.NewRNG(1))
	flat := w.Tensor().Reshape(6, 4)
	if got := tensor.MatMul(flat.Transpose(), flat).At(2, 2); math.Abs(got-1) > 1e-12 {
		t.Errorf("of three axes a column has length %v", got)
	}
}

// The diagonal of a uniformly distributed rotation has mean 0 and variance 1/n; a
// factorisation with fixed signs would have a positive mean.
func TestOrthogonalMatricesAreUniform(t *testing.T) {
	const n, draws = 3, 2000
	var sum, squares float64
	for seed := range uint64(draws) {
		x := drawn(tensor.Float64, n, n, nn.Orthogonal, seed).At(0, 0)
		sum, squares = sum+x, squares+x*x
	}
	if mean, variance := sum/draws, squares/draws; math.Abs(mean) > 4*math.Sqrt(1.0/n/draws) || math.Abs(variance-1.0/n) > 0.03 {
		t.Errorf("mean %v and variance %v, want 0 and %v", mean, variance, 1.0/n)
	}
}

func TestSparseWeightsHaveTheirShareOfZerosForEachInput(t *testing.T) {
	for sparsity, zeros := range map[float64]int{0: 0, 0.1: 1, 0.11: 2, 0.5: 5, 1: 10} {
		w := drawn(tensor.Float32, 40, 10, nn.Sparse(sparsity, 0.01), 2)
		columns := make([]int, 10)
		for i := range 40 {
			n := 0
			for j := range 10 {
				if w.At(i, j) == 0 {
					n++
					columns[j]++
				}
			}
			if n != zeros {
				t.Errorf("sparsity %v: %d zeros in row %d, want %d", sparsity, n, i, zeros)
			}
		}
		if zeros == 5 && (slices.Min(columns) < 8 || slices.Max(columns) > 32) {
			t.Errorf("zeros of the columns: %v, want about 20 each", columns)
		}
	}
}

func TestEyePassesInputsOn(t *testing.T) {
	if got := drawn(tensor.Float32, 2, 3, nn.Eye, 1).Float64s(); !slices.Equal(got, []float64{1, 0, 0, 0, 1, 0}) {
		t.Errorf("%v", got)
	}
}

func TestInitialisersRejectMisuse(t *testing.T) {
	vector := autograd.Parameter(tensor.Zeros(tensor.Float32, 3))
	r := nn.NewRNG(1)
	for want, f := range map[string]func(){
		"nn: Eye: takes a matrix, got [3]":                                    func() { nn.Eye(vector, r) },
		"nn: Orthogonal: takes a matrix, got [3]":                             func() { nn.Orthogonal(vector, r) },
		"nn: Sparse: takes a matrix, got [3]":                                 func() { nn.Sparse(0.5, 1)(vector, r) },
		"nn: Sparse: sparsity 1.5 is outside [0, 1]":                          func() { nn.Sparse(1.5, 1) },
		"nn: TruncNormal: deviation 1 between 2 and 1":                        func() { nn.TruncNormal(0, 1, 2, 1) },
		"nn: TruncNormal: deviation NaN between":                              func() { nn.TruncNormal(0, math.NaN(), 0, 1) },
		"nn: Kaiming: a weight of shape [3] has no fan-in and fan-out":        func() { nn.Kaiming(nn.KaimingConfig{})(vector, r) },
		"nn: GlorotNormal: a weight of shape [3] has no fan-in and fan-out":   func() { nn.Scaled(2, nn.GlorotNormal)(vector, r) },
		"nn: KaimingUniform: a weight of shape [3] has no fan-in and fan-out": func() { nn.KaimingUniform(vector, r) },
	} {
		if err := autograd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
