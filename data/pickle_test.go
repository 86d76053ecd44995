// Tests of the pickle reader against ill-formed and hostile files.

package data

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestUnpickleReadsEveryElementType(t *testing.T) {
	for _, tt := range []struct {
		code, raw string
		ints      []int64
		floats    []float32
	}{
		{code: "i1", raw: "\x01\xff", ints: []int64{1, -1}},
		{code: "u1", raw: "\x01\xff", ints: []int64{1, 255}},
		{code: "b1", raw: "\x00\x01", ints: []int64{0, 1}},
		{code: "u2", raw: "\x01\x00\xfe\xff", ints: []int64{1, 65534}},
		{code: "i2", raw: "\x01\x00\xfe\xff", ints: []int64{1, -2}},
		{code: "i4", raw: rawInts(7, -3), ints: []int64{7, -3}},
		{code: "i8", raw: "\x00\x00\x00\x00\x01\x00\x00\x00" + strings.Repeat("\xff", 8), ints: []int64{1 << 32, -1}},
		{code: "f4", raw: rawFloats(t, 1.5, -2), floats: []float32{1.5, -2}},
		{code: "f8", raw: "\x00\x00\x00\x00\x00\x00\xf8\x3f\x00\x00\x00\x00\x00\x00\x00\xc0", floats: []float32{1.5, -2}},
	} {
		a, err := unpickleArray(newPickle().array(tt.code, []int{2}, tt.raw).end())
		if err != nil {
			t.Errorf("%s: %v", tt.code, err)
			continue
		}
		if !slices.Equal(a.ints, tt.ints) || !slices.Equal(a.floats, tt.floats) {
			t.Errorf("%s: %v %v, want %v %v", tt.code, a.ints, a.floats, tt.ints, tt.floats)
		}
	}
}

func TestUnpickleHonoursByteOrder(t *testing.T) {
	file := newPickle().array("i4", []int{1}, "\x00\x00\x01\x02").end()
	file = bytes.Replace(file, []byte("\x01\x00\x00\x00<"), []byte("\x01\x00\x00\x00>"), 1)
	a, err := unpickleArray(file)
	if err != nil || !slices.Equal(a.ints, []int64{258}) {
		t.Errorf("%v, error %v; want 258", a, err)
	}
}

// hostilePickles are files that must be refused with the given words.
func hostilePickles(t testing.TB) map[string]struct {
	file []byte
	want string
} {
	list := strings.Repeat("K\x01", 2000)
	shared := newPickle().op("ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R(K\x00](" + list + "eq\x01")
	for u := 1; u < 2000; u++ {
		shared.int(u).op("h\x01")
	}
	names := newPickle().op("U\xff" + strings.Repeat("x", 255) + "q\x01](")
	for range 5000 {
		names.op("h\x01")
	}
	array := func(code string, shape []int, raw string) []byte { return newPickle().array(code, shape, raw).end() }
	type hostile = struct {
		file []byte
		want string
	}
	return map[string]hostile{
		"empty":                     {nil, "truncated"},
		"text":                      {[]byte("hello"), "opcode 0x6c at offset 2"},
		"html":                      {[]byte("<html>404</html>"), "opcode 0x3c at offset 0"},
		"only a header":             {[]byte("\x80\x02"), "truncated"},
		"nothing to return":         {[]byte("\x80\x02."), "stack is empty"},
		"string of 2 GB":            {[]byte("\x80\x02T\xff\xff\xff\x7f."), "a string of 2147483647 bytes at offset 2, 1 are left"},
		"unicode of 4 GB":           {[]byte("\x80\x02X\xff\xff\xff\xff."), "a string of 4294967295 bytes"},
		"integer of 200 bytes":      {[]byte("\x80\x02\x8a\xc8" + strings.Repeat("x", 200) + "."), "an integer of 200 bytes"},
		"integer of 0 bytes":        {[]byte("\x80\x02\x8a\x00."), "not a readable pickle"},
		"frame of protocol 4":       {[]byte("\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f."), "opcode 0x95"},
		"system call":               {[]byte("\x80\x02cos\nsystem\nU\x02ls\x85R."), `class "system" of module "os"`},
		"class of another module":   {[]byte("\x80\x02cnumpy\nmemmap\n."), `class "memmap" of module "numpy"`},
		"class name without end":    {[]byte("\x80\x02cnumpy"), "truncated"},
		"marks":                     {[]byte("\x80\x02" + strings.Repeat("(", 5000) + "."), "nested"},
		"tuple without mark":        {[]byte("\x80\x02t."), "no mark"},
		"containers":                {[]byte("\x80\x02" + strings.Repeat("]", maxContainers+1) + "."), "too many objects"},
		"opcodes":                   {[]byte("\x80\x02" + strings.Repeat("N", maxOpcodes+1) + "."), "too many objects"},
		"names over and over":       {names.op("eR").end(), "too many objects"},
		"long string again":         {newPickle().str(strings.Repeat("x", 300)).op("q\x01h\x01").end(), "uses a long string again"},
		"list in itself":            {[]byte("\x80\x02]q\x00h\x00a."), "holds no"},
		"call of a list":            {[]byte("\x80\x02])R."), "Callable"},
		"new object of a list":      {[]byte("\x80\x02])\x81."), "PyNewable"},
		"dictionary of odd length":  {[]byte("\x80\x02}(K\x01u."), "not a readable pickle"},
		"state of another kind":     {[]byte("\x80\x02cnumpy.core.multiarray\n_reconstruct\n)RK\x01b."), "ndarray: unknown state"},
		"array without state":       {[]byte("\x80\x02cnumpy.core.multiarray\n_reconstruct\n)R."), "holds no"},
		"matrix without shape":      {[]byte("\x80\x02cscipy.sparse.csr\ncsr_matrix\n)\x81."), "holds no"},
		"dtype without arguments":   {[]byte("\x80\x02cnumpy\ndtype\n)R."), "dtype without a type"},
		"objects":                   {array("O8", []int{1}, "12345678"), `dtype: elements of type "O8" are not read`},
		"shape beyond the bytes":    {array("i4", []int{1 << 30}, "1234"), "does not fit 4 bytes"},
		"shape that overflows":      {array("i4", []int{1 << 30, 1 << 30, 1 << 30, 1 << 30, 1 << 30}, "1234"), "does not fit 4 bytes"},
		"shape below the bytes":     {array("i4", []int{1}, "12345678"), "needs 4 bytes, there are 8"},
		"shape of many dimensions":  {array("i1", slices.Repeat([]int{1}, 100), "1"), "a shape of 100 dimensions"},
		"call of a large array":     {newPickle().array("u1", []int{1 << 16}, strings.Repeat("x", 1<<16)).op(")R").end(), "Callable"},
		"negative shape":            {array("i4", []int{-1}, ""), "does not fit"},
		"empty and huge":            {array("i4", []int{0, 1 << 30}, "1234"), "needs 0 bytes, there are 4"},
		"neighbours out of range":   {pickleGraph([]int{0, 2}, []int{}), "vertex 0: neighbour 1 is not one of 2 vertices"},
		"negative neighbour":        {pickleGraph([]int{-1}), "vertex 0: neighbour 0 is not one of 1 vertices"},
		"vertex out of range":       {newPickle().op("}(").int(7).op("]u").end(), "entry 0: the key is not one of 1 vertices"},
		"vertex twice":              {newPickle().op("}(").int(0).op("]").int(0).op("]u").end(), "entry 1: vertex 0 comes twice"},
		"vertex with a name":        {newPickle().op("}(").str("a").op("]u").end(), "entry 0: the key is not one of"},
		"vertex without a list":     {newPickle().op("}(").int(0).op("Nu").end(), "vertex 0 has no list"},
		"one list for all vertices": {shared.op("u").end(), "more neighbours than the file has room for"},
		"indptr falls":              {matrixParts{2, 2, []int32{0, 3, 2}, []int32{0, 1}, []float32{1, 1}}.pickle(t), "indptr falls from 3 to 2 at row 1"},
		"indptr starts late":        {matrixParts{1, 2, []int32{1, 2}, []int32{0, 1}, []float32{1, 1}}.pickle(t), "indptr runs from 1 to 2, there are 2 indices"},
		"indptr too short":          {matrixParts{2, 2, []int32{0, 2}, []int32{0, 1}, []float32{1, 1}}.pickle(t), "indptr has 2 entries for 2 rows"},
		"column out of range":       {matrixParts{1, 2, []int32{0, 2}, []int32{0, 2}, []float32{1, 1}}.pickle(t), "entry 1: column 2 out of range [0, 2)"},
		"negative column":           {matrixParts{1, 2, []int32{0, 2}, []int32{-1, 0}, []float32{1, 1}}.pickle(t), "entry 0: column -1 out of range [0, 2)"},
		"values missing":            {matrixParts{1, 2, []int32{0, 2}, []int32{0, 1}, []float32{1}}.pickle(t), "1 values for 2 indices"},
		"too many columns":          {matrixParts{1, 1 << 30, []int32{0, 0}, nil, nil}.pickle(t), "1073741824 columns"},
		"negative rows":             {matrixParts{-1, 2, []int32{}, nil, nil}.pickle(t), "a matrix of -1 rows"},
	}
}

// readPickle reads a file as whatever it may be, as the parts of Planetoid do.
func readPickle(file []byte) []error {
	_, arrayErr := unpickleArray(file)
	_, csrErr := unpickleCSR(file)
	_, _, _, graphErr := unpickleAdjacency(file)
	return []error{arrayErr, csrErr, graphErr}
}

func TestHostilePicklesAreRefusedWithAClearErrorAndLittleMemory(t *testing.T) {
	for name, tt := range hostilePickles(t) {
		t.Run(name, func(t *testing.T) {
			var errs []error
			if n := allocated(func() { errs = readPickle(tt.file) }); n > hostileLimit+100*uint64(len(tt.file)) {
				t.Errorf("%d bytes were allocated for a file of %d", n, len(tt.file))
			}
			found := false
			for _, err := range errs {
				if err == nil {
					t.Error("accepted")
				} else {
					found = found || strings.Contains(err.Error(), tt.want)
					if len(err.Error()) > maxMessage+100 {
						t.Errorf("a message of %d bytes", len(err.Error()))
					}
				}
			}
			if !found {
				t.Errorf("errors %v, want %q", errs, tt.want)
			}
		})
	}
}

func TestEveryTruncationOfAPickleIsAnError(t *testing.T) {
	for name, file := range tinyPlanetoid(t) {
		if name == "test.index" {
			continue
		}
		for n := range file {
			for _, err := range readPickle(file[:n]) {
				if err == nil {
					t.Fatalf("%s: %d of %d bytes are accepted", name, n, len(file))
				}
			}
		}
	}
}

func TestNoChangedByteOfAPicklePanics(t *testing.T) {
	for _, file := range tinyPlanetoid(t) {
		step := 1
		if testing.Short() {
			step = 7
		}
		for i := 0; i < len(file); i += step {
			for _, b := range []byte{0, 1, 0x7f, 0xff, file[i] ^ 1, file[i] ^ 0x80, '.', '(', 'R', 'b'} {
				changed := bytes.Clone(file)
				changed[i] = b
				readPickle(changed)
			}
		}
	}
}

func FuzzUnpickle(f *testing.F) {
	for _, file := range tinyPlanetoid(f) {
		f.Add(file)
	}
	for _, tt := range hostilePickles(f) {
		if len(tt.file) < 1<<14 {
			f.Add(tt.file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if m, err := unpickleCSR(file); err == nil {
			if _, err := m.features(); err != nil {
				t.Errorf("a matrix that passed the checks is refused: %v", err)
			}
		}
		if n, src, dst, err := unpickleAdjacency(file); err == nil {
			if _, err := undirected(n, src, dst); err != nil {
				t.Errorf("a graph that passed the checks is refused: %v", err)
			}
		}
		if a, err := unpickleArray(file); err == nil {
			n := 1
			for _, d := range a.shape {
				n *= d
			}
			if n != len(a.ints)+len(a.floats) {
				t.Errorf("shape %v has %d elements", a.shape, len(a.ints)+len(a.floats))
			}
		}
	})
}
