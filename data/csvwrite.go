// Writing CSV files.

package data

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/asterias-ml/asterias/tensor"
)

// WriteEdgeList writes a graph as CSV with the columns source, target, weight
// (if edges have weights) and feature0, feature1, … (if they have features).
// LoadEdgeList reads it back with Header set and, if vertices have no names,
// Integers; isolated vertices need NumVertices, a bipartite graph NumTargets, and names
// that hold line breaks or begin or end with blanks do not come back the same, nor do
// vertices that share a name. A name that is empty and a number that is not finite are
// written, but not read; types of vertices and edges are not written. The file appears
// whole or not at all. It panics with *[Error] if there is no graph, or if names, weights
// or features do not fit it.
func WriteEdgeList(path string, g *NamedGraph) error {
	const op = "WriteEdgeList"
	if g == nil || g.Graph == nil {
		misuse(op, "the graph is nil")
	}
	edges := g.Graph.NumEdges()
	rows, cols := g.EdgeFeatures.Dims()
	switch {
	case g.Weights != nil && len(g.Weights) != edges:
		misuse(op, "%d weights for %d edges", len(g.Weights), edges)
	case g.Names != nil && (g.Graph.IsBipartite() || len(g.Names) != g.Graph.NumVertices()):
		misuse(op, "%d names for %v", len(g.Names), g.Graph)
	case !g.EdgeFeatures.IsZero() && rows != edges:
		misuse(op, "%d rows of features for %d edges", rows, edges)
	}
	header := []string{"source", "target"}
	if g.Weights != nil {
		header = append(header, "weight")
	}
	for c := range cols {
		header = append(header, "feature"+strconv.Itoa(c))
	}
	name := func(v int32) string {
		if g.Names != nil {
			return g.Names[v]
		}
		return strconv.Itoa(int(v))
	}
	read := g.EdgeFeatures.To(tensor.Float32).rowReader()
	row := make([]float32, cols)
	return writeCSV(path, header, edges, func(e int, record []string) {
		record[0], record[1] = name(g.Graph.Src()[e]), name(g.Graph.Dst()[e])
		at := 2
		if g.Weights != nil {
			record[at] = formatFloat(g.Weights[e])
			at++
		}
		clear(row)
		read(e, func(c int, x float32) { row[c] += x })
		for c, x := range row {
			record[at+c] = formatFloat(x)
		}
	})
}

// WriteMatrix writes a matrix on any device, such as embeddings or predictions, as CSV
// with the given names of columns. Numbers are written so that they read back the
// same. The file appears whole or not at all. It panics with *[Error] if x is
// not a matrix of as many columns.
func WriteMatrix(path string, columns []string, x *tensor.Tensor) error {
	if x == nil {
		misuse("WriteMatrix", "the tensor is nil")
	}
	if x.Rank() != 2 || x.Dim(1) != len(columns) {
		misuse("WriteMatrix", "%d columns are named, the tensor has shape %v", len(columns), x.Shape())
	}
	format := elementFormat(x.ToDevice(tensor.CPU).Contiguous())
	return writeCSV(path, columns, x.Dim(0), func(r int, record []string) {
		for c := range record {
			record[c] = format(r*len(record) + c)
		}
	})
}

// elementFormat writes elements of a contiguous tensor, whole numbers with all digits:
// a float64 has not room for every int64.
func elementFormat(x *tensor.Tensor) func(i int) string {
	switch x.DType() {
	case tensor.Int32:
		return func(i int) string { return strconv.FormatInt(int64(tensor.Data[int32](x)[i]), 10) }
	case tensor.Int64:
		return func(i int) string { return strconv.FormatInt(tensor.Data[int64](x)[i], 10) }
	case tensor.Float32:
		return func(i int) string { return formatFloat(tensor.Data[float32](x)[i]) }
	}
	values := x.Float64s()
	return func(i int) string { return strconv.FormatFloat(values[i], 'g', -1, 64) }
}

func formatFloat(x float32) string { return strconv.FormatFloat(float64(x), 'g', -1, 32) }

// writeCSV writes a header and n records, which fill fills.
func writeCSV(path string, header []string, n int, fill func(i int, record []string)) error {
	return writeFile(path, func(w io.Writer) error {
		out := csv.NewWriter(w)
		if err := out.Write(header); err != nil {
			return err
		}
		record := make([]string, len(header))
		for i := range n {
			fill(i, record)
			if err := out.Write(record); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	})
}
