// Tests of encodings of vertices against PyTorch Geometric and their definitions.

package data

import (
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// encodingCase is what testdata/encodings.txt says of a graph.
type encodingCase struct {
	name string
	of   map[string][]float64
}

func encodingCases(t *testing.T, path string) (cases []encodingCase) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if fields[1] == "vertices" {
			cases = append(cases, encodingCase{fields[0], map[string][]float64{}})
		}
		numbers := []float64{}
		for _, field := range fields[3:] {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, x)
		}
		cases[len(cases)-1].of[fields[1]] = numbers
	}
	return cases
}

func (c encodingCase) graph(t *testing.T, opts ...graph.Option) *graph.Graph {
	t.Helper()
	ends := make([]int32, len(c.of["edges"]))
	for i, x := range c.of["edges"] {
		ends[i] = int32(x)
	}
	g, err := graph.New(int(c.of["vertices"][0]), ends[:len(ends)/2], ends[len(ends)/2:], opts...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// farthest returns the largest difference, +Inf if lengths differ.
func farthest(got, want []float64) (most float64) {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	for i, x := range got {
		most = max(most, math.Abs(x-want[i]))
		if math.IsNaN(x) {
			return math.Inf(1)
		}
	}
	return most
}

const encodingsFile = "testdata/encodings.txt"

func TestRandomWalkEncodingIsThatOfPyG(t *testing.T) {
	for _, c := range encodingCases(t, encodingsFile) {
		g := c.graph(t)
		if off := farthest(randomWalks("", g, 4), c.of["walks"]); off > 1e-13 {
			t.Errorf("%s: off by %v", c.name, off)
		}
		if off := farthest(RandomWalkEncoding(g, 4).Dense().Float64s(), c.of["walks"]); off > 1e-7 {
			t.Errorf("%s: float32 off by %v", c.name, off)
		}
	}
}

// TestRandomWalksOfManyBlocksAreTheDiagonalsOfPowers: a component of more columns than one
// block has, another one, and isolated vertices.
func TestRandomWalksOfManyBlocksAreTheDiagonalsOfPowers(t *testing.T) {
	const n, steps = 600, 5
	src, dst := []int32{}, []int32{}
	for e := range 1500 {
		u, v := int32(rng.Hash(3, uint64(2*e))%500), int32(rng.Hash(3, uint64(2*e+1))%500)
		if e%10 == 0 {
			u, v = 500+u%50, 500+v%50
		}
		src, dst = append(src, u), append(dst, v)
	}
	g, err := graph.New(n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	walk := tensor.Zeros(tensor.Float64, n, n)
	for e, u := range src {
		tensor.Data[float64](walk)[int(u)*n+int(dst[e])] += 1 / float64(g.OutDegrees()[u])
	}
	want := make([]float64, n*steps)
	power := walk
	for s := range steps {
		values := power.Float64s()
		for v := range n {
			want[v*steps+s] = values[v*n+v]
		}
		power = tensor.MatMul(power, walk)
	}
	if off := farthest(randomWalks("", g, steps), want); off > 1e-13 {
		t.Errorf("off by %v", off)
	}
}

// laplacianOf is the matrix of LaplacianEncoding, dense, by its definition.
func laplacianOf(g *graph.Graph) [][]float64 {
	n := g.NumVertices()
	l, degree := make([][]float64, n), make([]float64, n)
	for v := range l {
		l[v] = make([]float64, n)
		l[v][v] = 1
	}
	for e, u := range g.Src() {
		if u != g.Dst()[e] {
			degree[u]++
		}
	}
	for e, u := range g.Src() {
		if v := g.Dst()[e]; u != v {
			l[u][v] -= 1 / math.Sqrt(degree[u]*degree[v])
		}
	}
	return l
}

// eigenvaluesOf returns the eigenvalue of each of k columns, which it checks to be orthonormal
// eigenvectors of the Laplacian.
func eigenvaluesOf(t *testing.T, name string, g *graph.Graph, rows []float64, k int, tolerance float64) (values []float64) {
	t.Helper()
	l := laplacianOf(g)
	for c := range k {
		image := make([]float64, len(l))
		var value float64
		for u := range l {
			for v, x := range l[u] {
				image[u] += x * rows[v*k+c]
			}
			value += image[u] * rows[u*k+c]
		}
		for v, x := range image {
			if off := math.Abs(x - value*rows[v*k+c]); off > tolerance {
				t.Errorf("%s: column %d is no eigenvector of %v, vertex %d is off by %v", name, c, value, v, off)
			}
		}
		for b := range c + 1 {
			var dot float64
			for v := range l {
				dot += rows[v*k+b] * rows[v*k+c]
			}
			if b == c {
				dot--
			}
			if math.Abs(dot) > tolerance {
				t.Errorf("%s: the product of columns %d and %d is off by %v", name, b, c, dot)
			}
		}
		values = append(values, value)
	}
	return values
}

func TestLaplacianEncodingIsThatOfPyG(t *testing.T) {
	checkLaplacians(t, encodingsFile)
}

func checkLaplacians(t *testing.T, path string) {
	const k = 3
	compared := 0
	for _, c := range encodingCases(t, path) {
		want, all := c.of["laplacian"], c.of["eigenvalues"]
		if want == nil {
			continue
		}
		g := c.graph(t)
		got, err := laplacianVectors("", g, k)
		if err != nil {
			t.Fatal(err)
		}
		values := eigenvaluesOf(t, c.name, g, got, k, 1e-13)
		if off := farthest(values, all[1:k+1]); off > 1e-13 {
			t.Errorf("%s: eigenvalues %v, want %v", c.name, values, all[1:k+1])
		}
		for j := range k {
			next := math.Inf(1)
			if j+2 < len(all) {
				next = all[j+2]
			}
			if all[j+1]-all[j] < 1e-6 || next-all[j+1] < 1e-6 {
				continue
			}
			compared++
			var dot float64
			for v := j; v < len(got); v += k {
				dot += got[v] * want[v]
			}
			for v := j; v < len(got); v += k {
				if math.Abs(got[v]-math.Copysign(want[v], want[v]*dot)) > 1e-8 {
					t.Errorf("%s: column %d, vertex %d: %v, want ±%v", c.name, j, v/k, got[v], want[v])
				}
			}
		}
	}
	if compared < 5 {
		t.Errorf("only %d columns were compared", compared)
	}
}

// pathOf returns the undirected path, or cycle, of n vertices.
func pathOf(t *testing.T, n int, closed bool) *graph.Graph {
	t.Helper()
	src, dst := iotaIDs(n-1), appendRange(nil, 1, int32(n))
	if closed {
		src, dst = append(src, int32(n-1)), append(dst, 0)
	}
	g, err := graph.New(n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	return AddInverse(g)
}

// squareOf returns the undirected grid of n by n vertices, whose eigenvalues occur twice.
func squareOf(t *testing.T, n int) *graph.Graph {
	t.Helper()
	var src, dst []int32
	for v := range int32(n * n) {
		if int(v)%n+1 < n {
			src, dst = append(src, v), append(dst, v+1)
		}
		if int(v)+n < n*n {
			src, dst = append(src, v), append(dst, v+int32(n))
		}
	}
	g, err := graph.New(n*n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	return AddInverse(g)
}

// starOf returns the undirected star of n vertices, all but two of whose eigenvalues are 1.
func starOf(t *testing.T, n int) *graph.Graph {
	t.Helper()
	g, err := graph.New(n, make([]int32, n-1), appendRange(nil, 1, int32(n)))
	if err != nil {
		t.Fatal(err)
	}
	return AddInverse(g)
}

func hypercubeOf(t *testing.T, dims int) *graph.Graph {
	t.Helper()
	var src, dst []int32
	for u := range int32(1) << dims {
		for d := range dims {
			src, dst = append(src, u), append(dst, u^1<<d)
		}
	}
	g, err := graph.New(1<<dims, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// starOfCliques joins a vertex of each clique with a hub.
func starOfCliques(t *testing.T, cliques, size int32) *graph.Graph {
	t.Helper()
	var src, dst []int32
	for first := int32(1); first < cliques*size; first += size {
		src, dst = append(src, 0), append(dst, first)
		for u := first; u < first+size; u++ {
			for v := first; v < u; v++ {
				src, dst = append(src, u), append(dst, v)
			}
		}
	}
	g, err := graph.New(int(cliques*size)+1, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	return AddInverse(g)
}

func TestIterationFindsTheSmallestEigenvaluesAsOftenAsTheyOccur(t *testing.T) {
	several, _, err := graph.Batch(pathOf(t, 260, true), pathOf(t, 3, false), squareOf(t, 17))
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*graph.Graph{
		"random": AddInverse(randomGraph(t, 300, 1200, 1)), "square": squareOf(t, 17), "cycle": pathOf(t, 301, true), "star": starOf(t, 257), "path": pathOf(t, 300, false), "several": several,
		"hypercube": hypercubeOf(t, 9), "star of cliques": starOfCliques(t, 80, 8),
	} {
		const k = 10
		n := g.NumVertices()
		got, err := laplacianVectors("", g, k)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		dense := mat.NewSymDense(n, slices.Concat(laplacianOf(g)...))
		want, _ := symmetricEigen(dense)
		values := eigenvaluesOf(t, name, g, got, k, 1e-11)
		if off := farthest(values, want[1:k+1]); off > 1e-12 {
			t.Errorf("%s: %v, want %v", name, values, want[1:k+1])
		}
	}
}

func TestEigenvectorsThatDoNotConvergeAreAnError(t *testing.T) {
	g := pathOf(t, 3000, false)
	components, local := componentsOf(g)
	m := matrixOf(g, components[0], local, func(u, v int32) float64 {
		return 1 / math.Sqrt(float64(g.OutDegrees()[u])*float64(g.OutDegrees()[v]))
	})
	_, _, err := filteredEigenvectors(m, kernelOf(components[0], g.OutDegrees()), 4, 50)
	var failed *ConvergenceError
	if !errors.As(err, &failed) || failed.Vertices != 3000 || failed.Wanted != 4 || failed.Found != 0 || !(failed.Residual > 1e-12) {
		t.Errorf("error %#v", err)
	}
	if err != nil && !strings.HasPrefix(err.Error(), "0 of 4 eigenvectors of a component of 3000 vertices have converged, the largest residual is ") {
		t.Errorf("error %v", err)
	}
}

func TestLaplacianEncodingHasColumnsOfZerosBeyondTheVertices(t *testing.T) {
	for n, want := range map[int][]float64{0: {}, 1: {0, 0, 0}, 2: {math.Sqrt2 / 2, 0, 0, -math.Sqrt2 / 2, 0, 0}} {
		var src, dst []int32
		if n == 2 {
			src, dst = []int32{0, 1}, []int32{1, 0}
		}
		g, err := graph.New(n, src, dst)
		if err != nil {
			t.Fatal(err)
		}
		f, err := LaplacianEncoding(g, 3)
		if err != nil {
			t.Fatal(err)
		}
		if off := farthest(f.Dense().Float64s(), want); off > 1e-7 || f.Cols() != 3 {
			t.Errorf("%d vertices: %v", n, f.Dense())
		}
	}
}

func TestSignsOfEigenvectorsAreChosenAndFlipped(t *testing.T) {
	g := pathOf(t, 40, false)
	f, err := LaplacianEncoding(g, 12)
	if err != nil {
		t.Fatal(err)
	}
	rows := f.Dense().Float64s()
	for c := range 12 {
		var largest float64
		for i := c; i < len(rows); i += 12 {
			largest = max(largest, math.Abs(rows[i]))
		}
		for i := c; i < len(rows); i += 12 {
			if math.Abs(rows[i]) > largest*(1-1e-5) {
				if rows[i] < 0 {
					t.Errorf("column %d: the first of the largest entries is %v", c, rows[i])
				}
				break
			}
		}
	}
	sparse := sparseOf(t, f)
	seen := map[float64]bool{}
	for seed := range uint64(5) {
		flipped := f.FlipSigns(seed).Dense().Float64s()
		for c := range 12 {
			sign := flipped[c] / rows[c]
			seen[sign] = true
			for i := c; i < len(rows); i += 12 {
				if flipped[i] != sign*rows[i] {
					t.Fatalf("seed %d: column %d is not the old one or its negative", seed, c)
				}
			}
		}
		if again := sparse.FlipSigns(seed).Dense().Float64s(); !slices.Equal(again, flipped) {
			t.Errorf("seed %d: sparse features get other signs", seed)
		}
	}
	if !seen[1] || !seen[-1] || len(seen) != 2 {
		t.Errorf("columns are multiplied by %v", seen)
	}
	if !(Features{}).FlipSigns(1).IsZero() {
		t.Error("no features have signs")
	}
}

// sparseOf returns the same features, stored sparse.
func sparseOf(t *testing.T, f Features) Features {
	t.Helper()
	rows, cols := f.Dims()
	indptr := iotaIDs(rows + 1)
	for i := range indptr {
		indptr[i] *= int32(cols)
	}
	s, err := tensor.NewSparse(rows, cols, indptr, slices.Repeat(iotaIDs(cols), rows), f.Dense().Reshape(rows*cols))
	if err != nil {
		t.Fatal(err)
	}
	return SparseFeatures(s)
}
