// Tests of the .npz reader on a set of three vertices and its faults.

package data

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func gzipBytes(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestNPZIsReadPlainAndGzipped(t *testing.T) {
	plain := zipBytes(t, tinyNPZ(t))
	for name, file := range map[string][]byte{"tiny.npz": plain, "tiny.npz.gz": gzipBytes(t, plain)} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := LoadNPZ(path, 1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d.Name != "tiny" || d.NumClasses != 2 || !slices.Equal(d.Labels, []int32{0, 1, 0}) || !slices.Equal(d.Train, []int32{0, 1, 2}) {
			t.Errorf("%s: %+v", name, d)
		}
		if got := d.Features.Dense().Float64s(); !slices.Equal(got, []float64{0, 1, 0, 0, 3, 2}) {
			t.Errorf("%s: features %v", name, got)
		}
		if got := fmt.Sprint(d.Graph.Src(), d.Graph.Dst()); got != "[0 0 2 1] [2 1 0 0]" {
			t.Errorf("%s: arcs %s", name, got)
		}
	}
}

func TestNPZReadsEveryElementType(t *testing.T) {
	for _, tt := range []struct {
		descr, raw string
		ints       []int64
		floats     []float32
	}{
		{descr: "|i1", raw: "\x01\xff", ints: []int64{1, -1}},
		{descr: "|u1", raw: "\x01\xff", ints: []int64{1, 255}},
		{descr: "|b1", raw: "\x00\x01", ints: []int64{0, 1}},
		{descr: "<i2", raw: "\x01\x00\xfe\xff", ints: []int64{1, -2}},
		{descr: "<u2", raw: "\x01\x00\xfe\xff", ints: []int64{1, 65534}},
		{descr: ">u2", raw: "\x00\x01\xff\xfe", ints: []int64{1, 65534}},
		{descr: "<u4", raw: "\x01\x00\x00\x00" + strings.Repeat("\xff", 4), ints: []int64{1, math.MaxUint32}},
		{descr: "<u8", raw: "\x01\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("\xff", 7) + "\x7f", ints: []int64{1, math.MaxInt64}},
		{descr: "<i4", raw: rawInts(7, -3), ints: []int64{7, -3}},
		{descr: ">i4", raw: "\x00\x00\x01\x02\xff\xff\xff\xff", ints: []int64{258, -1}},
		{descr: "<i8", raw: "\x00\x00\x00\x00\x01\x00\x00\x00" + strings.Repeat("\xff", 8), ints: []int64{1 << 32, -1}},
		{descr: "<f4", raw: rawFloats(t, 1.5, -2), floats: []float32{1.5, -2}},
		{descr: "<f8", raw: "\x00\x00\x00\x00\x00\x00\xf8\x3f\x00\x00\x00\x00\x00\x00\x00\xc0", floats: []float32{1.5, -2}},
	} {
		a, err := parseNPY(npyBytes(tt.descr, "(2,)", tt.raw), textLimit(0))
		if err != nil {
			t.Errorf("%s: %v", tt.descr, err)
			continue
		}
		if !slices.Equal(a.ints, tt.ints) || !slices.Equal(a.floats, tt.floats) {
			t.Errorf("%s: %v %v, want %v %v", tt.descr, a.ints, a.floats, tt.ints, tt.floats)
		}
	}
}

func TestNPZWithoutAttributesHasIdentityFeatures(t *testing.T) {
	d, err := parseNPZ(zipBytes(t, withoutAttributes(t)), 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Features.Dense().Float64s(); !slices.Equal(got, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}) {
		t.Errorf("features %v", got)
	}
}

// withoutAttributes is tinyNPZ without features.
func withoutAttributes(t testing.TB) map[string][]byte {
	t.Helper()
	members := tinyNPZ(t)
	for _, part := range []string{"attr_shape", "attr_indptr", "attr_indices", "attr_data"} {
		delete(members, part)
	}
	return members
}

func TestNPZHasTheClassesThatItSays(t *testing.T) {
	for name, tt := range map[string]struct {
		member []byte
		want   int
	}{
		"the labels'": {nil, 2}, "a list of one": {npyInts(5), 5}, "a scalar": {npyBytes("<i4", "()", rawInts(7)), 7},
	} {
		members := tinyNPZ(t)
		if tt.member != nil {
			members["num_classes"] = tt.member
		}
		d, err := parseNPZ(zipBytes(t, members), 1)
		if err != nil || d.NumClasses != tt.want {
			t.Errorf("%s: %+v, error %v; want %d classes", name, d, err, tt.want)
		}
	}
}

func TestNPZReadsDenseAttributes(t *testing.T) {
	for _, tt := range []struct {
		name   string
		matrix []byte
		want   []float64
	}{
		{"float32", npyBytes("<f4", "(3, 2)", rawFloats(t, 0, 1.5, 2, -3, 0, 4)), []float64{0, 1.5, 2, -3, 0, 4}},
		{"float64", npyBytes("<f8", "(3, 1)", strings.Repeat("\x00\x00\x00\x00\x00\x00\xf8\x3f", 3)), []float64{1.5, 1.5, 1.5}},
		{"int32", npyBytes("<i4", "(3, 2)", rawInts(0, 1, 2, -3, 0, 4)), []float64{0, 1, 2, -3, 0, 4}},
		{"bytes", npyBytes("|u1", "(3, 1)", "\x00\x01\xff"), []float64{0, 1, 255}},
		{"no columns", npyBytes("<f8", "(3, 0)", ""), []float64{}},
	} {
		members := withoutAttributes(t)
		members["attr_matrix"] = tt.matrix
		d, err := parseNPZ(zipBytes(t, members), 1)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if rows, cols := d.Features.Dims(); rows != 3 || cols != len(tt.want)/3 {
			t.Errorf("%s: features of %d rows and %d columns", tt.name, rows, cols)
		}
		if x := d.Features.Dense(); d.Features.Sparse() != nil || x.DType() != tensor.Float32 || !slices.Equal(x.Float64s(), tt.want) {
			t.Errorf("%s: features %v, want %v, float32 and dense", tt.name, x, tt.want)
		}
	}
}

func TestNPZWithoutAMatrixOfAttributesIsRefused(t *testing.T) {
	for want, matrix := range map[string][]byte{
		"attr_matrix: not a matrix (shape [3])":                                                     npyFloats(t, 1, 2, 3),
		"attr_matrix: not a matrix (shape [3 1 1])":                                                 npyBytes("<f4", "(3, 1, 1)", rawFloats(t, 1, 2, 3)),
		"attr_matrix: a matrix of 0 rows and 1073741824 columns":                                    npyBytes("<f4", "(0, 1073741824)", ""),
		`attr_matrix: elements of type "<f2" are not read: want integers, bool, float32 or float64`: npyBytes("<f2", "(3, 1)", "\x00\x00\x00\x00\x00\x00"),
		"2 rows of features for 3 vertices":                                                         npyBytes("<f4", "(2, 1)", rawFloats(t, 1, 2)),
	} {
		members := withoutAttributes(t)
		members["attr_matrix"] = matrix
		d, err := parseNPZ(zipBytes(t, members), 1)
		if err == nil {
			err = d.validate()
		}
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

func TestNPZWithOnlySomeMembersOfAttributesIsRefused(t *testing.T) {
	for _, missing := range []string{"attr_shape", "attr_indptr", "attr_indices", "attr_data"} {
		members := tinyNPZ(t)
		delete(members, missing)
		if _, err := parseNPZ(zipBytes(t, members), 1); err == nil || err.Error() != missing+" is missing" {
			t.Errorf("without %s the error is %v", missing, err)
		}
	}
}

func TestAShapeFitsItsBytes(t *testing.T) {
	for _, tt := range []struct {
		shape []int
		bytes int
		ok    bool
	}{
		{nil, 4, true},
		{[]int{2, 3}, 24, true},
		{[]int{2, 3}, 28, false},
		{[]int{2, 3}, 20, false},
		{[]int{3, 0}, 0, true},
		{[]int{0, 3}, 0, true},
		{[]int{0, 0}, 0, true},
		{[]int{0, math.MaxInt32}, 0, true},
		{[]int{1 << 62, 0}, 0, false},
		{[]int{0, 1 << 31}, 0, false},
		{[]int{0, -1}, 0, false},
		{[]int{3, 0}, 4, false},
		{[]int{0, 3}, 4, false},
	} {
		if err := checkShape(tt.shape, 4, tt.bytes); (err == nil) != tt.ok {
			t.Errorf("shape %v of 4-byte elements, %d bytes: error %v", tt.shape, tt.bytes, err)
		}
	}
}

// hostileMembers are members that make a file be refused with the given words.
func hostileMembers(t testing.TB) []struct {
	name, member string
	content      []byte
	want         string
} {
	version2 := []byte("\x93NUMPY\x02\x00")
	version2 = binary.LittleEndian.AppendUint32(version2, 1<<31)
	return []struct {
		name, member string
		content      []byte
		want         string
	}{
		{"no adjacency", "adj_shape", nil, "no adjacency matrix"},
		{"no indices", "adj_indices", nil, "adj_indices is missing"},
		{"no attributes' indptr", "attr_indptr", nil, "attr_indptr is missing"},
		{"no labels", "labels", nil, "labels are missing"},
		{"empty member", "labels", []byte{}, "labels: no NumPy header"},
		{"text", "labels", []byte("this is not an array"), "labels: no NumPy header"},
		{"magic only", "labels", []byte("\x93NUMPY\x01\x00"), "no NumPy header"},
		{"other magic", "labels", append([]byte("\x92"), npyInts(0, 1, 0)[1:]...), "labels: "},
		{"header of 2 GB", "labels", version2, "labels: no NumPy header"},
		{"header beyond the member", "labels", []byte("\x93NUMPY\x01\x00\xff\xff{}"), "labels: no NumPy header"},
		{"version 9", "labels", []byte("\x93NUMPY\x09\x00\x01\x00\n"), "labels: no NumPy header"},
		{"header without a line", "labels", []byte("\x93NUMPY\x01\x00\x02\x00{}"), "ill-formed NumPy header"},
		{"header without keys", "labels", []byte("\x93NUMPY\x01\x00\x03\x00{}\n"), "labels: "},
		{"shape beyond the member", "labels", npyBytes("<i4", "(1000000000000,)", rawInts(0, 1, 0)), "does not fit 12 bytes"},
		{"shape that overflows", "labels", npyBytes("<i4", "(4611686018427387904, 4)", rawInts(0, 1, 0)), "does not fit 12 bytes"},
		{"negative shape", "labels", npyBytes("<i4", "(-3,)", rawInts(0, 1, 0)), "does not fit 12 bytes"},
		{"shape below the member", "labels", npyBytes("<i4", "(2,)", rawInts(0, 1, 0)), "needs 8 bytes, there are 12"},
		{"shape of many dimensions", "labels", npyBytes("|u1", "("+strings.Repeat("1,", 100)+")", "1"), "labels: a shape of 100 dimensions"},
		{"shape of words", "labels", npyBytes("<i4", "(three,)", rawInts(0, 1, 0)), "labels: "},
		{"objects", "labels", npyBytes("|O", "(2,)", "\x80\x02cos\nsystem\n."), `elements of type "|O" are not read`},
		{"strings", "labels", npyBytes("<U4", "(2,)", strings.Repeat("x", 32)), `elements of type "<U4" are not read`},
		{"floats", "labels", npyFloats(t, 0, 1, 0), "labels: not a vector of integers"},
		{"matrix of labels", "labels", npyBytes("<i4", "(3, 1)", rawInts(0, 1, 0)), "labels: not a vector of integers (shape [3 1])"},
		{"beyond 63 bits", "labels", npyBytes("<u8", "(2,)", strings.Repeat("\x00", 8)+strings.Repeat("\xff", 8)), "labels: element 1: 18446744073709551615 does not fit 63 bits"},
		{"classes of words", "num_classes", npyFloats(t, 2), "num_classes: want one integer"},
		{"classes by parts", "num_classes", npyInts(1, 1), "num_classes: want one integer"},
		{"few classes", "num_classes", npyInts(1), "num_classes: 1 classes, of which label 1 is none"},
		{"classes below none", "num_classes", npyInts(-1), "num_classes: -1 classes, of which label 1 is none"},
		{"huge classes", "num_classes", npyInts(1 << 30), "num_classes: 1073741824 classes"},
		{"negative class", "labels", npyInts(0, -2, 0), "labels: vertex 1 has class -2"},
		{"class of another set", "labels", npyInts(0, 1<<30, 0), "labels: vertex 1 has class 1073741824"},
		{"few labels", "labels", npyInts(0, 1), "2 labels for 3 vertices"},
		{"64-bit index", "adj_indices", npyBytes("<i8", "(3,)", strings.Repeat("\x00\x00\x00\x00\x01\x00\x00\x00", 3)), "adj_matrix: indices: element 0: 4294967296 does not fit 32 bits"},
		{"indptr falls", "adj_indptr", npyInts(0, 4, 2, 3), "adj_matrix: indptr falls from 4 to 2 at row 1"},
		{"indptr ends early", "adj_indptr", npyInts(0, 1, 2, 2), "adj_matrix: indptr runs from 0 to 2, there are 3 indices"},
		{"indices out of range", "adj_indices", npyInts(2, 3, 0), "adj_matrix: entry 1: column 3 out of range [0, 3)"},
		{"attribute out of range", "attr_indices", npyInts(1, 1, -1), "attr_matrix: entry 2: column -1 out of range [0, 2)"},
		{"few values", "attr_data", npyFloats(t, 1), "attr_matrix: 1 values for 3 indices"},
		{"not square", "adj_shape", npyInts(3, 4), "an adjacency matrix of 3 rows and 4 columns"},
		{"huge", "adj_shape", npyInts(1<<30, 1<<30), "adj_matrix: a matrix of 1073741824 rows"},
		{"rows of attributes", "attr_shape", npyInts(4, 2), "attr_matrix: indptr has 4 entries for 4 rows"},
		{"columns of attributes", "attr_shape", npyInts(3, 1<<30), "attr_matrix: a matrix of 3 rows and 1073741824 columns"},
		{"negative shape of attributes", "attr_shape", npyInts(-3, 2), "attr_shape: [-3 2] is not the shape of a matrix"},
		{"shape of three", "attr_shape", npyInts(3, 2, 1), "attr_shape: [3 2 1] is not the shape of a matrix"},
		{"attributes twice", "attr_matrix", npyBytes("<f4", "(3, 1)", rawFloats(t, 1, 2, 3)), "features are there twice: as attr_matrix and as attr_shape"},
		{"pickled attributes", "attr_matrix", npyBytes("|O", "()", "\x80\x02cos\nsystem\n."), `attr_matrix: elements of type "|O" are not read`},
	}
}

func TestHostileNPZIsRefusedWithAClearErrorAndLittleMemory(t *testing.T) {
	for _, tt := range hostileMembers(t) {
		t.Run(tt.name, func(t *testing.T) {
			members := tinyNPZ(t)
			if tt.content == nil {
				delete(members, tt.member)
			} else {
				members[tt.member] = tt.content
			}
			path := filepath.Join(t.TempDir(), "tiny.npz")
			if err := os.WriteFile(path, zipBytes(t, members), 0o600); err != nil {
				t.Fatal(err)
			}
			var err error
			if n := allocated(func() { _, err = LoadNPZ(path, 1) }); n > hostileLimit {
				t.Errorf("%d bytes were allocated", n)
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "data: tiny: ") {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestNPZThatIsNoZipIsRefused(t *testing.T) {
	file := zipBytes(t, tinyNPZ(t))
	zipped := gzipBytes(t, file)
	wrongSize := bytes.Clone(file) // the directory says that a member has 4 GB
	at := bytes.LastIndex(wrongSize, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(wrongSize[at+24:], 0xfffffffe)
	wrongSum := bytes.Clone(file)
	binary.LittleEndian.PutUint32(wrongSum[at+16:], 12345)
	for name, b := range map[string][]byte{
		"empty": nil, "text": []byte("not found"), "truncated": file[:len(file)-30], "gzip of nothing": gzipBytes(t, nil),
		"gzip header": zipped[:5], "truncated gzip": zipped[:len(zipped)/2], "gzip of gzip": gzipBytes(t, zipped),
		"member of 4 GB": wrongSize, "wrong checksum": wrongSum,
	} {
		var err error
		if n := allocated(func() { _, err = parseNPZ(b, 1) }); err == nil || n > hostileLimit {
			t.Errorf("%s: error %v, %d bytes allocated", name, err, n)
		}
	}
	if _, err := LoadNPZ(filepath.Join(t.TempDir(), "missing.npz"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: error %v", err)
	}
}

func TestElementsThatAreWiderThanInTheFileAreBounded(t *testing.T) {
	zeros := func(descr string, size, n int) []byte {
		return npyBytes(descr, fmt.Sprintf("(%d,)", n), strings.Repeat("\x00", size*n))
	}
	for _, tt := range []struct {
		name    string
		members map[string][]byte
		ok      bool
	}{
		{"bytes", map[string][]byte{"labels": zeros("|u1", 1, 1000)}, true},
		{"too many bytes", map[string][]byte{"labels": zeros("|u1", 1, 1300)}, false},
		{"signed bytes", map[string][]byte{"labels": zeros("|i1", 1, 1300)}, false},
		{"two bytes each", map[string][]byte{"labels": zeros("<i2", 2, 1300)}, false},
		{"floats", map[string][]byte{"adj_data": zeros("<f4", 4, 2400)}, true},
		{"doubles, which shrink", map[string][]byte{"adj_data": zeros("<f8", 8, 1200)}, true},
		{"several members", map[string][]byte{"labels": zeros("|u1", 1, 1000), "adj_data": zeros("<f4", 4, 450)}, true},
		{"several members together", map[string][]byte{"labels": zeros("|u1", 1, 700), "adj_indices": zeros("|u1", 1, 700)}, false},
	} {
		arrays, err := npzArrays(zipBytes(t, tt.members), 10_000)
		if tt.ok && (err != nil || len(arrays) != len(tt.members)) || !tt.ok && (err == nil || !strings.Contains(err.Error(), "the elements take more than ")) {
			t.Errorf("%s: error %v", tt.name, err)
		}
	}
	// They are refused before they are made.
	member := zeros("|u1", 1, 1<<20)
	var err error
	if n := allocated(func() { _, err = parseNPY(member, 1<<22) }); err == nil || n > 1<<20 {
		t.Errorf("error %v, %d bytes allocated", err, n)
	}
}

// TestNPZMayHoldMoreTheLargerItIs reads 36 MiB of bytes, which are kept as 288: stored they
// get past that, to be refused for what is looked at next.
func TestNPZMayHoldMoreTheLargerItIs(t *testing.T) {
	labels := npyBytes("|u1", "(4718592, 8)", strings.Repeat("\x00", 36<<20))
	labels = bytes.Replace(labels, []byte("False"), []byte("True"), 1) // column-major
	labels[8]--                                                        // the header's length
	for method, want := range map[uint16]string{
		zip.Store: "labels: column-major arrays are not read: write numpy.ascontiguousarray of it", zip.Deflate: "labels: the elements take more than ",
	} {
		var file bytes.Buffer
		z := zip.NewWriter(&file)
		w, err := z.CreateHeader(&zip.FileHeader{Name: "labels.npy", Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(labels); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := parseNPZ(file.Bytes(), 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("method %d, a file of %d bytes: error %v, want %q", method, file.Len(), err, want)
		}
	}
}

func TestReadAllStopsAtItsLimit(t *testing.T) {
	for n, ok := range map[int]bool{0: true, 9: true, 10: true, 11: false, 5000: false} {
		b, err := readAll(strings.NewReader(strings.Repeat("x", n)), 10)
		if (err == nil) != ok || ok && len(b) != n {
			t.Errorf("%d bytes with a limit of 10: read %d, error %v", n, len(b), err)
		}
	}
}

func FuzzParseNPZ(f *testing.F) {
	f.Add(zipBytes(f, tinyNPZ(f)))
	f.Add(gzipBytes(f, zipBytes(f, tinyNPZ(f))))
	for _, tt := range hostileMembers(f) {
		members := tinyNPZ(f)
		members[tt.member] = tt.content
		f.Add(zipBytes(f, members))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := parseNPZ(file, 1)
		if err != nil {
			return
		}
		if sym, _ := d.Graph.Symmetrize(); sym.NumEdges() != d.Graph.NumEdges() {
			t.Error("the graph is not symmetric")
		}
	})
}

// FuzzParseNPY goes past the checksums of the zip.
func FuzzParseNPY(f *testing.F) {
	for _, b := range tinyNPZ(f) {
		f.Add(b)
	}
	for _, tt := range hostileMembers(f) {
		f.Add(tt.content)
	}
	f.Fuzz(func(t *testing.T, member []byte) {
		a, err := parseNPY(member, textLimit(0))
		if err != nil {
			return
		}
		n := 1
		for _, d := range a.shape {
			n *= d
		}
		if n != len(a.ints)+len(a.floats) {
			t.Errorf("shape %v has %d elements", a.shape, len(a.ints)+len(a.floats))
		}
	})
}
