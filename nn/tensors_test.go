// Files of tensors without a module: types, the reference writer's bytes, hostile
// input.

package nn_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestSaveTensorsWritesTheBytesOfTheReferenceWriter(t *testing.T) {
	want, err := os.ReadFile("testdata/types.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	tensors, err := nn.LoadTensors(bytes.NewReader(want))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"double": "f64 [2] [1.5 -0.25]", "int": "i32 [2 1] [7 -7]", "long": "i64 [] [-5]", "mask": "bool [3] [1 0 1]", "none": "f32 [0 4] []", "a.mask": "bool [] [0]",
	} {
		if x := tensors[name]; x == nil || fmt.Sprint(x.DType(), " ", x.Shape(), " ", x.Float64s()) != text {
			t.Errorf("%s is %v, want %s", name, x, text)
		}
	}
	for range 5 { // whatever the order of the map
		var b bytes.Buffer
		if err := nn.SaveTensors(&b, maps.Clone(tensors), nil); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Fatalf("file\n%q\nwant\n%q", b.Bytes(), want)
		}
	}
}

func TestSaveTensorsWritesViewsAsTheyLook(t *testing.T) {
	x := tensor.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	var b bytes.Buffer
	if err := nn.SaveTensors(&b, map[string]*tensor.Tensor{"t": x.Transpose(), "s": x.Narrow(1, 1, 2), "e": x.Narrow(0, 0, 1).Expand(2, 3)}, map[string]string{"by": "test"}); err != nil {
		t.Fatal(err)
	}
	got, err := nn.LoadTensors(&b)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float64{"t": {1, 4, 2, 5, 3, 6}, "s": {2, 5}, "e": {1, 2, 3, 1, 2, 3}} {
		if !slices.Equal(got[name].Float64s(), want) {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}

// Every 16-bit pattern against its value in float64.
func TestSixteenBitFloatsHaveTheirValues(t *testing.T) {
	all := make([]uint16, 1<<16)
	for i := range all {
		all[i] = uint16(i)
	}
	for dtype, value := range map[string]func(bits uint16) float64{
		"F16": func(b uint16) float64 {
			e, f := int(b>>10&31), float64(b&1023)
			x := math.Ldexp(1024+f, e-25)
			switch {
			case e == 0:
				x = math.Ldexp(f, -24)
			case e == 31 && f == 0:
				x = math.Inf(1)
			case e == 31:
				x = math.NaN()
			}
			return math.Copysign(x, 1-2*float64(b>>15))
		},
		"BF16": func(b uint16) float64 {
			e, f := int(b>>7&255), float64(b&127)
			x := math.Ldexp(128+f, e-134)
			switch {
			case e == 0:
				x = math.Ldexp(f, -133)
			case e == 255 && f == 0:
				x = math.Inf(1)
			case e == 255:
				x = math.NaN()
			}
			return math.Copysign(x, 1-2*float64(b>>15))
		},
	} {
		tensors, err := nn.LoadTensors(bytes.NewReader(file("{"+entry("x", dtype, "[65536]", 0, 1<<17)+"}", all)))
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range tensor.Data[float32](tensors["x"]) {
			want := value(uint16(i))
			if math.IsNaN(want) != math.IsNaN(float64(got)) || !math.IsNaN(want) && (float64(got) != want || math.Signbit(want) != math.Signbit(float64(got))) {
				t.Fatalf("%s %#04x is %v, want %v", dtype, i, got, want)
			}
		}
	}
}

func TestLoadTensorsRejectsHostileFiles(t *testing.T) {
	for want, b := range map[string][]byte{
		"nn: LoadTensors: the file is empty: length of the header":                            nil,
		`tensor "x": byte 0x2 where a boolean belongs`:                                        file("{"+entry("x", "BOOL", "[2]", 0, 2)+"}", []byte{1, 2}),
		`tensor "x": 5 bytes of data; F16 [2] has 4`:                                          file("{"+entry("x", "F16", "[2]", 0, 5)+"}", make([]byte, 5)),
		`tensor "x": 100 bytes of 4000000000: unexpected EOF`:                                 file("{"+entry("x", "F32", "[1000000000]", 0, 4_000_000_000)+"}", make([]byte, 100)),
		`tensor "x": dtype "U8" is not supported; F16, BF16, F32, F64, I32, I64 and BOOL are`: file("{"+entry("x", "U8", "[2]", 0, 2)+"}", make([]byte, 2)),
		"bytes after the last tensor":                                                         file("{}", []byte{0}),
		`tensor "y": its data at [0, 8) overlap`:                                              file("{"+entry("x", "F32", "[2]", 0, 8)+","+entry("y", "F32", "[2]", 0, 8)+"}", make([]byte, 8)),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := nn.LoadTensors(bytes.NewReader(b))
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d bytes allocated", want, n)
		}
	}
}

func TestSaveTensorsRefusesWhatCannotBeReadBack(t *testing.T) {
	deep := make([]int, 65)
	for k := range deep {
		deep[k] = 1
	}
	for want, f := range map[string]func(w io.Writer) error{
		`nn: SaveTensors: tensor "a": 65 axes; readers accept 64 at most`: func(w io.Writer) error {
			return nn.SaveTensors(w, map[string]*tensor.Tensor{"a": tensor.Zeros(tensor.Float32, deep...)}, nil)
		},
		`nn: SaveTensors: a file cannot hold the metadata "\xff" = "x", which is not UTF-8`: func(w io.Writer) error {
			return nn.SaveTensors(w, nil, map[string]string{"\xff": "x"})
		},
		`nn: SaveTensors: a file cannot hold the metadata "x" = "\xff", which is not UTF-8`: func(w io.Writer) error {
			return nn.SaveTensors(w, nil, map[string]string{"x": "\xff"})
		},
	} {
		var b bytes.Buffer
		if err := f(&b); err == nil || err.Error() != want || b.Len() > 0 {
			t.Errorf("%d bytes and error %v, want none and %s", b.Len(), err, want)
		}
	}
}

func TestSaveTensorsRefusesATensorThatIsNil(t *testing.T) {
	err := nn.SaveTensors(&bytes.Buffer{}, map[string]*tensor.Tensor{"a": nil}, nil)
	if want := `nn: SaveTensors: tensor "a" is nil`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestSaveTensorsRefusesNamesThatCannotBeRead(t *testing.T) {
	for name, want := range map[string]string{"__metadata__": `nn: SaveTensors: a file cannot hold a tensor named "__metadata__"`, "\xff": "cannot hold"} {
		err := nn.SaveTensors(&bytes.Buffer{}, map[string]*tensor.Tensor{name: tensor.Zeros(tensor.Bool)}, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestModulesWithMasksAndViewsAsBuffers(t *testing.T) {
	type masked struct{ Mask, View *autograd.Var }
	newMasked := func(on bool) *masked {
		x := tensor.Zeros(tensor.Float32, 2, 3)
		if on {
			x.Fill(1)
		}
		return &masked{autograd.Constant(tensor.FromSlice([]bool{on, false}, 2)), autograd.Constant(x)}
	}
	from, to := newMasked(true), newMasked(false)
	if err := nn.Load(bytes.NewReader(saved(t, from)), to); err != nil || stateBits(from) != stateBits(to) {
		t.Errorf("loaded with error %v\n%s", err, stateBits(to))
	}
}

// Buffers that are views of what belongs to others.
func TestModulesWithStridedBuffersAreLoadedAsTheyWereSaved(t *testing.T) {
	type viewed struct{ View *autograd.Var }
	numbers := func(shape ...int) *tensor.Tensor { return normal(3, shape...).Tensor() }
	for name, c := range map[string]struct {
		base *tensor.Tensor
		view func(base *tensor.Tensor) *tensor.Tensor
		kept bool // it stays a view
	}{
		"transposed":               {numbers(3, 2), func(b *tensor.Tensor) *tensor.Tensor { return b.Transpose() }, true},
		"columns":                  {numbers(4, 5), func(b *tensor.Tensor) *tensor.Tensor { return b.Narrow(1, 1, 3) }, true},
		"broadcast":                {numbers(1, 3), func(b *tensor.Tensor) *tensor.Tensor { return b.Expand(4, 3) }, false},
		"broadcast and transposed": {numbers(1, 3), func(b *tensor.Tensor) *tensor.Tensor { return b.Expand(4, 3).Transpose() }, false},
	} {
		t.Run(name, func(t *testing.T) {
			from := &viewed{autograd.Constant(c.view(c.base))}
			for how, load := range map[string]func(to *viewed) error{
				"Load": func(to *viewed) error { return nn.Load(bytes.NewReader(saved(t, from)), to) },
				"Load of what is transposed in the file": func(to *viewed) error {
					turned := nn.FileNames(func(name string) (string, bool) { return name, true })
					return nn.Load(bytes.NewReader(saved(t, from, turned)), to, turned)
				},
				"LoadTraining": func(to *viewed) error {
					path := filepath.Join(t.TempDir(), "run")
					if err := nn.SaveTraining(path, &nn.Training{Model: from}); err != nil {
						return err
					}
					return nn.LoadTraining(path, &nn.Training{Model: to})
				},
			} {
				base := tensor.Zeros(c.base.DType(), c.base.Shape()...)
				to := &viewed{autograd.Constant(c.view(base))}
				if err := load(to); err != nil || stateBits(from) != stateBits(to) {
					t.Errorf("%s: loaded with error %v\n%s", how, err, stateBits(to))
				}
				if kept := tensor.SharesMemory(to.View.Tensor(), base); kept != c.kept {
					t.Errorf("%s: a view of its base: %v, want %v", how, kept, c.kept)
				}
			}
		})
	}
}

// FuzzLoadTensors: no input panics or takes memory out of proportion; what is
// read survives being written and read again.
func FuzzLoadTensors(f *testing.F) {
	for _, name := range []string{"types", "half"} {
		b, err := os.ReadFile("testdata/" + name + ".safetensors")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(file("{"+entry("x", "BOOL", "[2]", 0, 2)+","+entry("y", "F16", "[1]", 2, 4)+"}", make([]byte, 4)))
	f.Add(file("{" + entry("x", "F64", "[100000000]", 0, 800_000_000) + "}"))
	f.Add(binary.LittleEndian.AppendUint64(nil, 99_999_999))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := nn.LoadTensors(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := nn.SaveTensors(&b, tensors, nil); err != nil {
			t.Fatalf("read, but not written: %v", err)
		}
		again, err := nn.LoadTensors(&b)
		if err != nil || len(again) != len(tensors) {
			t.Fatalf("written, but not read again: %v", err)
		}
		for name, x := range tensors {
			y := again[name]
			if y == nil || y.DType() != x.DType() || !y.Shape().Equal(x.Shape()) || fmt.Sprint(x.Float64s()) != fmt.Sprint(y.Float64s()) {
				t.Errorf("%q is %v, was %v", name, y, x)
			}
		}
	})
}
