// Hostile files, and the fuzz target that looks for more of them.

package nn_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// pair is a module with the tensors a, F32 [2], and b, I32 [].
func newPair() *struct{ A, B *autograd.Var } {
	return &struct{ A, B *autograd.Var }{
		autograd.Parameter(tensor.FromSlice([]float32{1, 2}, 2)), autograd.Constant(tensor.FromSlice([]int32{3})),
	}
}

// entry is the header of one tensor.
func entry(name, dtype, shape string, begin, end any) string {
	return fmt.Sprintf(`"%s":{"dtype":"%s","shape":%s,"data_offsets":[%v,%v]}`, name, dtype, shape, begin, end)
}

func TestLoadRejectsHostileFiles(t *testing.T) {
	a, b := entry("a", "F32", "[2]", 0, 8), entry("b", "I32", "[]", 8, 12)
	with := func(entries ...string) []byte { return file("{"+strings.Join(entries, ",")+"}", make([]byte, 12)) }
	if err := nn.Load(bytes.NewReader(with(a, b)), newPair()); err != nil {
		t.Fatalf("the file the others are bent from: %v", err)
	}
	length := func(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
	for _, c := range []struct {
		want string
		file []byte
	}{
		{"length of the header: unexpected EOF", nil},
		{"length of the header: unexpected EOF", make([]byte, 7)},
		{"header: it does not begin with {", length(0)},
		{"header: 2 bytes of 3: unexpected EOF", append(length(3), "{}"...)},
		{"header: 0 bytes of 100000000: unexpected EOF", length(100_000_000)},
		{"a header of 100000001 bytes; the limit is 100000000", length(100_000_001)},
		{"a header of 18446744073709551615 bytes", length(1<<64 - 1)},
		{"it does not begin with {", file(" {}")},
		{"it does not begin with {", file("[]")},
		{"it is not UTF-8", file("{\"\xff\":1}")},
		{"unexpected EOF", file("{")},
		{"unexpected EOF", file(`{"a`)},
		{"something follows its closing }", file("{}{}")},
		{"something follows its closing }", file("{}\x00")},
		{"invalid character", with(a, b, "")},
		{"invalid character", file(`{"a" 1}`)},
		{`tensor "a": no { where one belongs`, file(`{"a":1}`)},
		{`tensor "__metadata__": no { where one belongs`, file(`{"__metadata__":"x"}`)},
		{`tensor "__metadata__": 1 where a string belongs`, file(`{"__metadata__":{"x":1}}`)},
		{`"__metadata__" comes twice`, file(`{"__metadata__":{},"__metadata__":{}}`)},
		{`"x" comes twice`, file(`{"__metadata__":{"x":"","x":""}}`)},
		{`"a" comes twice`, with(a, a, b)},
		{`"a" comes twice`, with(a, strings.Replace(a, `"a"`, `"\u0061"`, 1), b)},
		{`tensor "a": "dtype" comes twice`, with(strings.Replace(a, "{", `{"dtype":"F32",`, 1), b)},
		{`tensor "a": unknown key "DType"`, with(strings.Replace(a, "dtype", "DType", 1), b)},
		{`tensor "a": unknown key "strides"`, with(strings.Replace(a, "{", `{"strides":[1],`, 1), b)},
		{`tensor "a": dtype, shape or data_offsets is missing`, with(`"a":{}`, b)},
		{`tensor "a": dtype, shape or data_offsets is missing`, with(strings.Replace(a, `"shape":[2],`, "", 1), b)},
		{`tensor "a": dtype "F8_E5M2" is not supported`, with(entry("a", "F8_E5M2", "[8]", 0, 8), b)},
		{`tensor "a": dtype "f32" is not supported`, with(entry("a", "f32", "[2]", 0, 8), b)},
		{`tensor "a": [ where a string belongs`, with(strings.Replace(a, `"F32"`, "[]", 1), b)},
		{`tensor "a": no [ where one belongs`, with(entry("a", "F32", "null", 0, 8), b)},
		{`tensor "a": "-2" is no number`, with(entry("a", "F32", "[-2]", 0, 8), b)},
		{`tensor "a": "2.0" is no number`, with(entry("a", "F32", "[2.0]", 0, 8), b)},
		{`tensor "a": "2e0" is no number`, with(entry("a", "F32", "[2e0]", 0, 8), b)},
		{`tensor "a": "9223372036854775808" is no number`, with(entry("a", "F32", "[9223372036854775808]", 0, 8), b)},
		{`tensor "a": 2 where a number belongs`, with(entry("a", "F32", `["2"]`, 0, 8), b)},
		{`tensor "a": [ where a number belongs`, with(entry("a", "F32", "[[2]]", 0, 8), b)},
		{`tensor "a": more than 64 numbers`, with(entry("a", "F32", "[1"+strings.Repeat(",1", 64)+"]", 0, 8), b)},
		{`tensor "a": two data_offsets are needed`, with(strings.Replace(a, "[0,8]", "[0]", 1), b)},
		{`tensor "a": more than 2 numbers`, with(strings.Replace(a, "[0,8]", "[0,8,8]", 1), b)},
		{`tensor "a": "-1" is no number`, with(entry("a", "F32", "[2]", -1, 8), b)},
		{`tensor "a": data_offsets 8 and 0 are not in order`, with(entry("a", "F32", "[2]", 8, 0), entry("b", "I32", "[2]", 0, 8))},
		{`tensor "b": its data at [4, 8) overlap`, with(a, entry("b", "I32", "[]", 4, 8))},
		{`tensor "b": its data at [0, 8) overlap`, with(a, entry("b", "I32", "[]", 0, 8))},
		{`tensor "a": its data begin at 4; bytes from 0 on`, with(entry("a", "F32", "[2]", 4, 12), entry("b", "I32", "[]", 12, 16))},
		{`tensor "b": its data begin at 9223372036854775803; bytes from 8 on`, with(a, entry("b", "I32", "[]", uint64(1<<63-5), uint64(1<<63-1)))},
		{`tensor "a": 8 bytes of data; F32 [3] has 12`, with(entry("a", "F32", "[3]", 0, 8), b)},
		{`tensor "a": 0 bytes of data; F32 [2] has 8`, with(entry("a", "F32", "[2]", 0, 0), b)},
		{`tensor "b": 4 bytes of data; I32 [0] has 0`, with(a, entry("b", "I32", "[0]", 8, 12))},
		{`tensor "a": a tensor of shape [4611686018427387904 2] is too large`, with(entry("a", "F32", "[4611686018427387904,2]", 0, 8), b)},
		{`tensor "a": a tensor of shape [9223372036854775807 9223372036854775807 0] is too large`,
			with(entry("a", "F32", "[9223372036854775807,9223372036854775807,0]", 0, 0))},
		{`tensor "a": shape [1152921504606846976], want [2]`, with(entry("a", "F32", "[1152921504606846976]", 0, uint64(1<<62)))},
		{`tensor "b": unexpected EOF`, with(a, b)[:len(with(a, b))-2]},
		{`tensor "b": unexpected EOF`, with(a, b)[:len(with(a, b))-4]},
		{`tensor "` + strings.Repeat("x", 200) + `"...: no {`, file(`{"` + strings.Repeat("x", 10_000) + `":1}`)},
		{`tensor "a": no { where one belongs`, file(`{"a":` + strings.Repeat("[", 1000))},
	} {
		m := newPair()
		err := nn.Load(bytes.NewReader(c.file), m)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.300q:\nerror %v\nwant  %s", c.file, err, c.want)
		}
		if stateBits(m) != stateBits(newPair()) {
			t.Errorf("%.300q changed the module", c.file)
		}
	}
}

func TestLoadOfAHostileFileAllocatesLittle(t *testing.T) {
	huge := entry("a", "F32", "[1000000000]", 0, 4_000_000_000)
	for _, b := range [][]byte{
		binary.LittleEndian.AppendUint64(nil, 100_000_000),
		binary.LittleEndian.AppendUint64(nil, 1<<62),
		file("{" + huge + "}"),
		file("{" + huge + "," + entry("b", "I32", "[]", 4_000_000_000, 4_000_000_004) + "}"),
	} {
		m := newPair()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := nn.Load(bytes.NewReader(b), m)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%.100q was loaded", b)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%.100q: %d bytes allocated", b, n)
		}
	}
}

// FuzzLoad: no input panics; one that is refused leaves the module alone; one
// that is taken survives being saved and loaded.
func FuzzLoad(f *testing.F) {
	a, b := entry("a", "F32", "[2]", 0, 8), entry("b", "I32", "[]", 8, 12)
	f.Add(file("{"+a+","+b+"}", []float32{5, 6}, int32(7)))
	f.Add(file(`{"__metadata__":{"format":"pt"},`+b+","+a+"} ", []float32{5, 6}, int32(7)))
	f.Add(file("{"+a+","+entry("b", "I32", "[]", 4, 8)+"}", []float32{5, 6}))
	f.Add(binary.LittleEndian.AppendUint64(nil, 1<<63))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := newPair()
		if err := nn.Load(bytes.NewReader(data), m); err != nil {
			if stateBits(m) != stateBits(newPair()) {
				t.Errorf("refused with %v, yet the module is changed", err)
			}
			return
		}
		// The only valid tensors end the file, 12 bytes in some order.
		tail := string(data[len(data)-12:])
		var a, b [8]byte
		an, _ := binary.Encode(a[:], binary.LittleEndian, tensor.Data[float32](m.A.Tensor()))
		bn, _ := binary.Encode(b[:], binary.LittleEndian, tensor.Data[int32](m.B.Tensor()))
		if as, bs := string(a[:an]), string(b[:bn]); tail != as+bs && tail != bs+as {
			t.Errorf("loaded %x and %x from %x", as, bs, tail)
		}
		again := newPair()
		if err := nn.Load(bytes.NewReader(saved(t, m)), again); err != nil || stateBits(again) != stateBits(m) {
			t.Errorf("saved and loaded again: %v", err)
		}
	})
}
