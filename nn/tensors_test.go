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
	to = newMasked(false)
	to.View = autograd.Constant(to.View.Tensor().Reshape(3, 2).Transpose())
	before := stateBits(to)
	err := nn.Load(bytes.NewReader(saved(t, from)), to)
	if err == nil || !strings.Contains(err.Error(), `tensor "view": the module's is a strided view, which cannot be written`) {
		t.Errorf("error %v", err)
	}
	if stateBits(to) != before {
		t.Error("the module was changed")
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
