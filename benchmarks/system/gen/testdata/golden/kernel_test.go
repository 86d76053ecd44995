//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package spmm

// The kernel against the reference, and its gradients against central differences.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// graphs are what kernels go wrong on.
var graphs = []struct {
	name     string
	vertices int
	src, dst []int32
}{
	{"asymmetric", 7, []int32{5, 0, 3, 3, 6, 0, 1, 3, 2}, []int32{1, 1, 0, 1, 4, 4, 1, 0, 2}}, // loops, an edge twice, degrees 0
	{"hub", 12, []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 0}, []int32{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 3}},
	{"no edges", 3, nil, nil},
	{"no vertices", 0, nil, nil},
}

// cases calls f for all graphs, lengths and arguments, as tests of their own.
func cases(t *testing.T, f func(t *testing.T, g *Graph, sizes map[string]int, args arguments)) {
	l, err := library()
	if err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_TOOLS") != "1" && exec.Command("cc", "--version").Run() != nil && os.Getenv("CC") == "" {
			t.Skip("no C compiler: ", err)
		}
		t.Fatal(err)
	}
	for _, c := range graphs {
		for _, lengths := range [][]int{{1, 1}, {3, 5}, {2, 8}} {
			for _, args := range allArguments() {
				t.Run(fmt.Sprintf("%s/%v/%+v", c.name, lengths, args), func(t *testing.T) {
					g, err := l.NewGraph(c.vertices, c.src, c.dst)
					if err != nil {
						t.Fatal(err)
					}
					defer g.Close()
					sizes := map[string]int{"N": c.vertices, "E": len(c.src)}
					for i, letter := range []string{"H", "F"} {
						sizes[letter] = lengths[i]
					}
					f(t, g, sizes, args)
				})
			}
		}
	}
}

// library builds and opens the library, once.
var library = sync.OnceValues(func() (*Library, error) {
	dir, err := os.MkdirTemp("", "spmm_scaled-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // a library that is loaded needs its file no more
	// What go test sees being read, it runs the tests again for when it changes.
	sources, err := filepath.Glob("kernel/*.[ch]*")
	for _, name := range sources {
		if _, err = os.ReadFile(name); err != nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	command := strings.Fields(os.Getenv("CC"))
	if len(command) == 0 {
		command = []string{"cc"}
	}
	path := filepath.Join(dir, "spmm_scaled.so")
	command = append(command, "-std=c11", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-o", path, filepath.Join("kernel", "spmm_scaled.c"), "-lm")
	if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
	}
	return Open(path)
})

// drawn returns tensors for operands.
func drawn(list []operand, sizes map[string]int) []*tensor.Tensor {
	r := rand.New(rand.NewPCG(1, 2))
	tensors := make([]*tensor.Tensor, len(list))
	for i, o := range list {
		tensors[i] = tensor.Empty(tensor.Float32, o.shape(sizes)...)
		data := tensor.Data[float32](tensors[i])
		for k := range data {
			data[k] = draw(r)
		}
	}
	return tensors
}

// run runs the kernel. What it leaves unwritten is NaN.
func run(g *Graph, sizes map[string]int, ins []*tensor.Tensor, args arguments) ([]*tensor.Tensor, error) {
	outs := make([]*tensor.Tensor, len(outputs))
	for i, o := range outputs {
		outs[i] = tensor.Full(tensor.Float32, math.NaN(), o.shape(sizes)...)
	}
	err := g.Run(ins[0], ins[1], outs[0], args.op, args.scale, args.transpose)
	return outs, err
}

func TestKernelMatchesReference(t *testing.T) {
	cases(t, func(t *testing.T, g *Graph, sizes map[string]int, args arguments) {
		ins := drawn(inputs, sizes)
		outs, err := run(g, sizes, ins, args)
		if err != nil {
			t.Fatal(err)
		}
		want := make([][]float64, len(outs))
		want[0], err = reference(sizes["N"], sizes["E"], sizes["H"], sizes["F"], g.Src, g.Dst, ins[0].Float64s(), ins[1].Float64s(), args)
		if err != nil {
			t.Fatal("reference: ", err)
		}
		for i, out := range outs {
			compare(t, outputs[i].name, out.Float64s(), want[i], 1e-5)
		}
	})
}

func TestGradientsMatchCentralDifferences(t *testing.T) {
	const step = 1.0 / 128
	cases(t, func(t *testing.T, g *Graph, sizes map[string]int, args arguments) {
		ins, cotangents := drawn(inputs, sizes), drawn(outputs, sizes)
		vars := make([]*autograd.Var, len(ins))
		for i, in := range ins {
			vars[i] = autograd.Variable(in.Clone())
		}
		err := autograd.Try(func() {
			list := make([]*autograd.Var, len(outputs))
			list[0] = SpmmScaled(g, vars[0], vars[1], args.op, args.scale, args.transpose)
			loss := autograd.Constant(tensor.Zeros(tensor.Float32))
			for i, out := range list {
				loss = loss.Add(out.Mul(autograd.Constant(cotangents[i])).Sum())
			}
			loss.Backward()
		})
		if err != nil {
			t.Fatal(err)
		}
		// at returns the products of outputs and cotangents, summed.
		at := func() float64 {
			outs, err := run(g, sizes, ins, args)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for i, out := range outs {
				c := cotangents[i].Float64s()
				for k, y := range out.Float64s() {
					sum += y * c[k]
				}
			}
			return sum
		}
		for i, in := range ins {
			data := tensor.Data[float32](in)
			want, got := make([]float64, len(data)), make([]float64, len(data))
			for k, x := range data {
				data[k] = x + step
				above, hi := at(), data[k]
				data[k] = x - step
				want[k] = (above - at()) / float64(hi-data[k])
				data[k] = x
			}
			if gradient := vars[i].Gradient(); gradient != nil {
				got = gradient.Float64s()
			}
			compare(t, "the gradient of "+inputs[i].name, got, want, 2e-3)
		}
	})
}

// compare reports the first number that is farther off than tolerance, relative to the
// largest magnitude and at least to 1.
func compare(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s has %d numbers, want %d", what, len(got), len(want))
		return
	}
	scale := 1.0
	for _, x := range want {
		scale = max(scale, math.Abs(x))
	}
	for k, x := range want {
		if !(math.Abs(got[k]-x) <= tolerance*scale) {
			t.Errorf("%s: element %d is %v, want %v", what, k, got[k], x)
			return
		}
	}
}
