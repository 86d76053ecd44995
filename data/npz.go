// The .npz graphs of Shchur et al. (2018), "Pitfalls of graph neural network
// evaluation": a zip of NumPy arrays that hold two CSR matrices and labels.

package data

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sbinet/npyio/npy"
)

// npzMembers are the arrays that are read; any others, such as names, which
// may be pickled, are left alone.
var npzMembers = []string{
	"adj_indptr", "adj_indices", "adj_data", "adj_shape",
	"attr_indptr", "attr_indices", "attr_data", "attr_shape", "attr_matrix",
	"labels", "num_classes",
}

// LoadNPZ reads a graph from a .npz file, or from one compressed with gzip, with arrays
// adj_{data,indices,indptr,shape}, labels and, for features, either
// attr_{data,indices,indptr,shape} or the dense attr_matrix. The graph is made symmetric
// and has no duplicates; edge weights are left out, self-loops of the file stay, which
// PyTorch Geometric drops (see graph.Graph.RemoveSelfLoops). Features are float32, sparse
// or dense as in the file; they are the identity only if it has none of these arrays. A
// label of -1 is NoLabel; there are as many classes as the labels say or, if it is there,
// the array num_classes, one integer. Elements are integers of any width, float32, float64
// or bool, of either byte order, in rows: float16, strings, pickled objects and column-major
// (Fortran) matrices are errors. The split is drawn with the seed: 20 vertices of each class
// for training, 30 for validation, the rest for testing. It is an error if the arrays, with
// 8 bytes an integer, take more than 256 MiB and 64 times the file together: a small file
// cannot fill the memory.
func LoadNPZ(path string, seed uint64) (*Dataset, error) {
	name := filepath.Base(path)
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".npz")
	return readNPZ(name, path, seed)
}

func readNPZ(name, path string, seed uint64) (*Dataset, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", name, err)
	}
	file, err := readFile(path, textLimit(info.Size()))
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", name, err)
	}
	d, err := parseNPZ(file, seed)
	if err == nil {
		err = d.validate()
	}
	if err != nil {
		return nil, fmt.Errorf("data: %s: %w", name, &FileError{File: path, Err: err})
	}
	d.Name = name
	return d, nil
}

// parseNPZ makes a dataset of the bytes of a file.
func parseNPZ(file []byte, seed uint64) (*Dataset, error) {
	arrays, err := npzArrays(file, textLimit(int64(len(file))))
	if err != nil {
		return nil, err
	}
	if arrays["adj_shape"] == nil {
		return nil, errors.New("no adjacency matrix: adj_shape is missing")
	}
	adj, err := npzCSR(arrays, "adj_")
	if err != nil {
		return nil, err
	}
	g, err := adj.undirected()
	if err != nil {
		return nil, err
	}
	d := &Dataset{Graph: g}
	if d.Features, err = npzFeatures(arrays, g.NumVertices()); err != nil {
		return nil, err
	}

	if arrays["labels"] == nil {
		return nil, errors.New("labels are missing")
	}
	if d.Labels, err = arrays["labels"].int32s(); err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	for v, c := range d.Labels {
		if c != NoLabel && (c < 0 || int(c) >= mostClasses(len(d.Labels))) {
			return nil, fmt.Errorf("labels: vertex %d has class %d", v, c)
		}
		d.NumClasses = max(d.NumClasses, int(c)+1)
	}
	if a := arrays["num_classes"]; a != nil {
		if d.NumClasses, err = a.classes(d.NumClasses); err != nil {
			return nil, fmt.Errorf("num_classes: %w", err)
		}
	}
	d.Train, d.Val, d.Test = RandomSplit(d.Labels, d.NumClasses, trainPerClass, valPerClass, seed)
	return d, nil
}

// classes returns the number of classes that an array of one number says, which may be
// more than the labels use.
func (a *array) classes(used int) (int, error) {
	if len(a.ints) != 1 {
		return 0, fmt.Errorf("want one integer (shape %v)", a.shape)
	}
	switch n := a.ints[0]; {
	case n < int64(used):
		return 0, fmt.Errorf("%d classes, of which label %d is none", n, used-1)
	case n > maxColumns:
		return 0, fmt.Errorf("%d classes", n)
	}
	return int(a.ints[0]), nil
}

// npzFeatures returns the features of n vertices, the identity if the file has none.
func npzFeatures(arrays map[string]*array, n int) (Features, error) {
	const prefix = "attr_"
	dense := arrays[prefix+"matrix"]
	i := slices.IndexFunc(csrParts, func(part string) bool { return arrays[prefix+part] != nil })
	switch {
	case dense == nil && i < 0:
		return IdentityFeatures(n), nil
	case dense == nil:
		attr, err := npzCSR(arrays, prefix)
		if err != nil {
			return Features{}, err
		}
		return attr.features()
	case i >= 0:
		return Features{}, fmt.Errorf("features are there twice: as attr_matrix and as %s%s", prefix, csrParts[i])
	}
	x, err := dense.matrix()
	if err != nil {
		return Features{}, fmt.Errorf("attr_matrix: %w", err)
	}
	return DenseFeatures(x), nil
}

// csrParts are the arrays of a sparse matrix, each after the matrix's prefix.
var csrParts = []string{"shape", "indptr", "indices", "data"}

// npzCSR returns the matrix with the given prefix.
func npzCSR(arrays map[string]*array, prefix string) (*csr, error) {
	for _, part := range csrParts {
		if arrays[prefix+part] == nil {
			return nil, fmt.Errorf("%s%s is missing", prefix, part)
		}
	}
	rows, cols, err := arrays[prefix+"shape"].dims()
	if err != nil {
		return nil, fmt.Errorf("%sshape: %w", prefix, err)
	}
	m, err := newCSR(rows, cols, arrays[prefix+"indptr"], arrays[prefix+"indices"], arrays[prefix+"data"])
	if err != nil {
		return nil, fmt.Errorf("%smatrix: %w", prefix, err)
	}
	return m, nil
}

// npzArrays reads the known members of a zip file, gzipped or not. limit bounds the bytes
// of the zip file and those of the members that are read, as they are in the file and as
// they are kept, which is wider.
func npzArrays(file []byte, limit int64) (map[string]*array, error) {
	if bytes.HasPrefix(file, []byte{0x1f, 0x8b}) {
		r, err := gzip.NewReader(bytes.NewReader(file))
		if err != nil {
			return nil, err
		}
		if file, err = readAll(r, limit); err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
	}
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	arrays := make(map[string]*array)
	left := limit
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, ".npy")
		if !slices.Contains(npzMembers, name) {
			continue
		}
		if arrays[name] != nil {
			return nil, fmt.Errorf("%s is there twice", name)
		}
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		member, err := readAll(r, left)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		a, err := parseNPY(member, left)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		arrays[name] = a
		left -= max(int64(len(member)), intBytes*int64(len(a.ints))+floatBytes*int64(len(a.floats)))
	}
	return arrays, nil
}

// The bytes of an element of an array, however many it has in a file.
const (
	intBytes   = 8
	floatBytes = 4
)

// parseNPY reads one array, whose shape must fit the bytes that are there and whose
// elements may take as many bytes as limit says.
func parseNPY(member []byte, limit int64) (a *array, err error) {
	// The header's length is the first thing that asks for memory.
	const magic = 8 // "\x93NUMPY" and two bytes of version
	header := -1
	switch {
	case len(member) >= magic+2 && member[6] == 1:
		header = magic + 2 + int(binary.LittleEndian.Uint16(member[magic:]))
	case len(member) >= magic+4 && member[6] == 2:
		header = magic + 4 + int(binary.LittleEndian.Uint32(member[magic:]))
	}
	if header < 0 || header > len(member) {
		return nil, errors.New("no NumPy header")
	}
	defer func() {
		// The library slices headers without checks.
		if r := recover(); r != nil {
			a, err = nil, fmt.Errorf("ill-formed NumPy header: %v", r)
		}
	}()
	r, err := npy.NewReader(bytes.NewReader(member))
	if err != nil {
		return nil, err
	}
	d, raw := r.Header.Descr, member[header:]
	code := strings.TrimLeft(d.Type, "<>=|")
	size := itemSize(code)
	if size == 0 {
		return nil, fmt.Errorf("elements of type %.20q are not read: want integers, bool, float32 or float64", d.Type)
	}
	if err := checkShape(d.Shape, size, len(raw)); err != nil {
		return nil, err
	}
	kept := int64(len(raw) / size * intBytes)
	if isFloat(code) {
		kept = int64(len(raw) / size * floatBytes)
	}
	if kept > limit {
		return nil, fmt.Errorf("the elements take more than %d bytes", limit)
	}
	if d.Fortran && len(d.Shape) > 1 {
		return nil, errors.New("column-major arrays are not read: write numpy.ascontiguousarray of it")
	}
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(d.Type, ">") {
		order = binary.BigEndian
	}
	return decodeArray(d.Shape, code, order, raw)
}

// readAll reads at most limit bytes; more are an error. Memory grows with what
// is read, never with what a header says.
func readAll(r io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	return b, nil
}
