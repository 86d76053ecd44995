// Builders of the tests: pickles, Planetoid folders and .npz files, well-formed
// and not.

package data

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// pk writes pickles of protocol 2, opcode by opcode.
type pk struct{ bytes.Buffer }

func newPickle() *pk {
	p := &pk{}
	p.WriteString("\x80\x02")
	return p
}

func (p *pk) op(s string) *pk {
	p.WriteString(s)
	return p
}

func (p *pk) int(x int) *pk {
	p.WriteByte('J')
	p.Write(binary.LittleEndian.AppendUint32(nil, uint32(int32(x))))
	return p
}

func (p *pk) str(s string) *pk {
	p.WriteByte('T')
	p.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(s))))
	p.WriteString(s)
	return p
}

// array pushes an ndarray of the given element type, shape and bytes.
func (p *pk) array(code string, shape []int, raw string) *pk {
	p.op("cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n").int(0).op("\x85").str("b").op("\x87R(").int(1).op("(")
	for _, d := range shape {
		p.int(d)
	}
	p.op("tcnumpy\ndtype\n").str(code).int(0).int(1).op("\x87R(").int(3).str("<").op("NNN").int(-1).int(-1).int(0).op("tb\x89")
	return p.str(raw).op("tb")
}

// end closes the pickle.
func (p *pk) end() []byte {
	p.WriteByte('.')
	return p.Bytes()
}

func rawInts(xs ...int32) string {
	var b []byte
	for _, x := range xs {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return string(b)
}

func rawFloats(t testing.TB, xs ...float32) string {
	t.Helper()
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, xs); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// matrixParts is a CSR matrix to be written.
type matrixParts struct {
	rows, cols      int
	indptr, indices []int32
	values          []float32
}

func (m matrixParts) pickle(t testing.TB) []byte {
	t.Helper()
	p := newPickle().op("cscipy.sparse.csr\ncsr_matrix\n)\x81}(")
	p.str("_shape").int(m.rows).int(m.cols).op("\x86")
	p.str("indptr").array("i4", []int{len(m.indptr)}, rawInts(m.indptr...))
	p.str("indices").array("i4", []int{len(m.indices)}, rawInts(m.indices...))
	p.str("data").array("f4", []int{len(m.values)}, rawFloats(t, m.values...))
	p.str("format").str("csr")
	return p.op("ub").end()
}

// pickleOneHot writes one-hot rows, a row of zeros for NoLabel.
func pickleOneHot(classes int, labels ...int32) []byte {
	x := make([]int32, len(labels)*classes)
	for r, c := range labels {
		if c != NoLabel {
			x[r*classes+int(c)] = 1
		}
	}
	return newPickle().array("i4", []int{len(labels), classes}, rawInts(x...)).end()
}

func pickleGraph(neighbors ...[]int) []byte {
	p := newPickle().op("ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R(")
	for u, list := range neighbors {
		p.int(u).op("](")
		for _, v := range list {
			p.int(v)
		}
		p.op("e")
	}
	return p.op("u").end()
}

// tinyPlanetoid is a set of 6 vertices, 3 features and 2 classes: two
// vertices to train on, one for validation, two for testing (5 and 3, in that
// order), and vertex 4 with nothing.
func tinyPlanetoid(t testing.TB) map[string][]byte {
	t.Helper()
	return map[string][]byte{
		"y":          pickleOneHot(2, 0, 1),
		"ally":       pickleOneHot(2, 0, 1, 1),
		"ty":         pickleOneHot(2, 1, 0),
		"allx":       matrixParts{3, 3, []int32{0, 1, 2, 4}, []int32{0, 1, 2, 0}, []float32{1, 2, 3, 4}}.pickle(t),
		"tx":         matrixParts{2, 3, []int32{0, 1, 2}, []int32{2, 1}, []float32{5, 6}}.pickle(t),
		"graph":      pickleGraph([]int{1, 1, 3}, []int{0, 2}, []int{2}, []int{}, []int{0}, []int{}),
		"test.index": []byte("5\n3\n"),
	}
}

func writePlanetoid(t testing.TB, parts map[string][]byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for part, b := range parts {
		if err := os.WriteFile(filepath.Join(dir, "ind.tiny."+part), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// npyBytes writes an array with a header of version 1.
func npyBytes(descr, shape, raw string) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr, shape)
	b := []byte("\x93NUMPY\x01\x00")
	b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	return append(append(b, header...), raw...)
}

func npyInts(xs ...int32) []byte {
	return npyBytes("<i4", fmt.Sprintf("(%d,)", len(xs)), rawInts(xs...))
}

func npyFloats(t testing.TB, xs ...float32) []byte {
	return npyBytes("<f4", fmt.Sprintf("(%d,)", len(xs)), rawFloats(t, xs...))
}

// tinyNPZ is a directed graph of 3 vertices with 2 features and 2 classes.
func tinyNPZ(t testing.TB) map[string][]byte {
	t.Helper()
	return map[string][]byte{
		"adj_shape":    npyInts(3, 3),
		"adj_indptr":   npyInts(0, 2, 2, 3),
		"adj_indices":  npyInts(2, 1, 0),
		"adj_data":     npyFloats(t, 1, 1, 1),
		"attr_shape":   npyInts(3, 2),
		"attr_indptr":  npyInts(0, 1, 1, 3),
		"attr_indices": npyInts(1, 1, 0),
		"attr_data":    npyFloats(t, 1, 2, 3),
		"labels":       npyInts(0, 1, 0),
		"class_names":  npyBytes("|O", "(2,)", "\x80\x02cos\nsystem\n."), // pickled: never to be run
	}
}

func zipBytes(t testing.TB, members map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w, err := z.Create(name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(members[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// allocated returns the bytes that f asks for.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// hostileLimit is the memory that reading a hostile file of a few kilobytes
// may ask for.
const hostileLimit = 32 << 20

// npzMember returns the bytes of one member of a zip file.
func npzMember(t testing.TB, file []byte, name string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := readAll(r, textLimit(0))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
