// Writing .npz files, which NumPy reads.

package data

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// WriteNPZ writes tensors, on any device, to a .npz file, each as an array of its name.
// The file appears whole or not at all; the same tensors give the same bytes. It panics
// with *[Error] for a name that is empty or has a slash, and for a tensor that is nil.
func WriteNPZ(path string, arrays map[string]*tensor.Tensor) error {
	for name, t := range arrays {
		switch {
		case name == "" || strings.ContainsAny(name, `/\`):
			misuse("WriteNPZ", "an array called %q", name)
		case t == nil:
			misuse("WriteNPZ", "array %q is nil", name)
		}
	}
	return writeFile(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, name := range slices.Sorted(maps.Keys(arrays)) {
			member, err := z.Create(name + ".npy")
			if err != nil {
				return err
			}
			if err := writeNPY(member, arrays[name]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return z.Close()
	})
}

// writeNPY writes one array in NumPy's format, version 1.0.
func writeNPY(w io.Writer, t *tensor.Tensor) error {
	t = t.ToDevice(tensor.CPU).Contiguous()
	dims := make([]string, t.Rank())
	for i := range dims {
		dims[i] = fmt.Sprintf("%d,", t.Dim(i))
	}
	var descr string
	var elements any
	switch t.DType() {
	case tensor.Float32:
		descr, elements = "<f4", tensor.Data[float32](t)
	case tensor.Float64:
		descr, elements = "<f8", tensor.Data[float64](t)
	case tensor.Int32:
		descr, elements = "<i4", tensor.Data[int32](t)
	case tensor.Int64:
		descr, elements = "<i8", tensor.Data[int64](t)
	case tensor.Bool:
		descr, elements = "|b1", tensor.Data[bool](t)
	default:
		return fmt.Errorf("elements of type %v have no NumPy type", t.DType())
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, strings.Join(dims, " "))
	const before = 10 // magic, version and length
	header += strings.Repeat(" ", 63-(before+len(header))%64) + "\n"
	prefix := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	if _, err := w.Write(append(prefix, header...)); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, elements)
}

// WriteNPZ writes the graph, the features, the labels and the number of classes in the form
// that LoadNPZ reads, and the split as arrays train, val and test, which it does not
// read. Types of edges and vertices are left out. Edges are written as they are, but
// LoadNPZ makes a directed graph symmetric and merges duplicates; it refuses files that
// expand too much, see there. It is an error if the dataset is not valid or has more than
// 2^31-1 features that are not zero.
func (d *Dataset) WriteNPZ(path string) error {
	if err := d.Validate(); err != nil {
		return err
	}
	arrays := map[string]*tensor.Tensor{
		"labels":      int32Tensor(d.Labels),
		"num_classes": tensor.FromSlice([]int64{int64(d.NumClasses)}, 1),
	}
	addCSR(arrays, "adj_", adjacency(d.Graph))
	if !d.Features.IsZero() {
		attr, err := d.Features.csr(math.MaxInt32)
		if err != nil {
			return ofSet(d.Name, err)
		}
		addCSR(arrays, "attr_", attr)
	}
	for name, part := range map[string][]int32{"train": d.Train, "val": d.Val, "test": d.Test} {
		arrays[name] = int32Tensor(part)
	}
	return WriteNPZ(path, arrays)
}

func int32Tensor(xs []int32) *tensor.Tensor { return tensor.FromSlice(xs, len(xs)) }

func addCSR(arrays map[string]*tensor.Tensor, prefix string, m *csr) {
	arrays[prefix+"shape"] = int32Tensor([]int32{int32(m.rows), int32(m.cols)})
	arrays[prefix+"indptr"] = int32Tensor(m.indptr)
	arrays[prefix+"indices"] = int32Tensor(m.indices)
	arrays[prefix+"data"] = tensor.FromSlice(m.values, len(m.values))
}

// adjacency returns the matrix with a one in row u, column v for every edge from
// u to v.
func adjacency(g *graph.Graph) *csr {
	ones := make([]float32, g.NumEdges())
	for i := range ones {
		ones[i] = 1
	}
	out := g.Out()
	return &csr{rows: g.NumVertices(), cols: g.NumVertices(), indptr: out.Offsets, indices: out.Neighbors, values: ones}
}

// csr returns the features that are not zero, as float32. It is an error if there are
// more of them than most.
func (f Features) csr(most int) (*csr, error) {
	rows, cols := f.Dims()
	b := newRowBuilder(cols)
	b.most = most
	read := f.To(tensor.Float32).rowReader()
	for r := range rows {
		read(r, b.add)
		if err := b.end(); err != nil {
			return nil, err
		}
	}
	return &csr{rows: rows, cols: cols, indptr: b.indptr, indices: b.indices, values: b.values}, nil
}
