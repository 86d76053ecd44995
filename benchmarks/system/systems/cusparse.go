package systems

// cuSPARSE: NVIDIA's sparse product, where it is one of ours.

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/asterias-ml/asterias/benchmarks/system"
	"github.com/asterias-ml/asterias/cudagen"
	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// CuSPARSE opens the first GPU for a system whose sums of SpMMv, and of SpMMve with one
// head and one weight for each edge, are cuSPARSE's. It has no other of the calls: they
// are our compiled programs on the same device. Each product describes its matrix and
// lets cuSPARSE choose the algorithm.
func CuSPARSE() (system.System, error) {
	s, err := libraries()
	if err != nil {
		return nil, fmt.Errorf("systems: no GPU for cuSPARSE: %w", err)
	}
	library, err := s.LoadSparse()
	if err != nil {
		return nil, fmt.Errorf("systems: no cuSPARSE: %w", err)
	}
	b, err := cudagen.Open(s, 0, driver.DeviceOptions{Pools: true}, "")
	if err != nil {
		return nil, fmt.Errorf("systems: no GPU for cuSPARSE: %w", err)
	}
	return newCuSPARSE(b, library)
}

// libraries searches for the driver and its libraries once.
var libraries = sync.OnceValues(driver.Load)

// newCuSPARSE is the system on a device that it then owns.
func newCuSPARSE(b *cudagen.Backend, library driver.Sparse) (*cuSPARSE, error) {
	s := &cuSPARSE{compiled: newCompiled("cusparse", tensor.NewDevice("cuda", 0, b)), backend: b, library: library}
	err := b.Wait("cuSPARSE", func(c *driver.Ctx) (err error) {
		if s.handle, err = library.Create(); err != nil {
			return err
		}
		return library.SetStream(s.handle, c.Stream())
	})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

type cuSPARSE struct {
	*compiled
	backend *cudagen.Backend
	library driver.Sparse
	handle  driver.SparseHandle
	closed  bool
}

func (s *cuSPARSE) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	var err error
	if s.handle != 0 {
		err = s.backend.Wait("cuSPARSE", func(*driver.Ctx) error { return s.library.Destroy(s.handle) })
	}
	return errors.Join(err, s.device.Close())
}

func (s *cuSPARSE) NewGraph(vertices int, src, dst []int32) (system.Graph, error) {
	rows, err := newRowsGraph(vertices, src, dst)
	if err != nil {
		return nil, err
	}
	g := &cuSPARSEGraph{compiledGraph: newCompiledGraph(s.compiled, rows.g), s: s, rows: rows}
	for i, c := range []*graph.CSR{rows.g.In(), rows.g.Out()} {
		g.sides[i] = side{
			offsets: tensor.FromSlice(c.Offsets, len(c.Offsets)).ToDevice(s.device),
			columns: tensor.FromSlice(c.Neighbors, len(c.Neighbors)).ToDevice(s.device),
			edges:   tensor.Indices(s.device, c.EdgeIDs, len(c.EdgeIDs)),
			values:  make(map[system.Norm]*tensor.Tensor),
		}
	}
	return g, nil
}

// cuSPARSEGraph is a graph by destination and by source on the device, beside the one
// of compiled programs.
type cuSPARSEGraph struct {
	*compiledGraph
	s     *cuSPARSE
	rows  *rowsGraph
	sides [2]side // of calls as they are, and transposed

	workspace atomic.Int64 // the most that a product has taken; the device writes it
}

// side is the graph as a matrix in compressed sparse rows, on the device.
type side struct {
	offsets, columns *tensor.Tensor // [N+1], [E]
	edges            *tensor.Tensor // [E], the edge of each entry
	values           map[system.Norm]*tensor.Tensor
}

func (g *cuSPARSEGraph) Memory() system.Memory {
	m := g.compiledGraph.Memory()
	for _, s := range g.sides {
		m.Graph += s.offsets.Bytes() + s.columns.Bytes() + s.edges.Bytes()
		for _, v := range s.values {
			m.Graph += v.Bytes()
		}
	}
	m.Workspace = max(m.Workspace, g.workspace.Load())
	return m
}

func (g *cuSPARSEGraph) SpMMv(x, out *tensor.Tensor, f system.Flags) error {
	if f.Reduce != system.Sum {
		return g.compiledGraph.SpMMv(x, out, f)
	}
	side := g.side(f)
	return g.product(side, g.values(side, f.Norm), x, out)
}

func (g *cuSPARSEGraph) SpMMve(x, w, out *tensor.Tensor, f system.Flags) error {
	if s := w.Shape(); f.Reduce != system.Sum || f.Op != system.OpMul || s[1] != 1 || s[2] != 1 {
		return g.compiledGraph.SpMMve(x, w, out, f)
	}
	side := g.side(f)
	values := tensor.TakeRows(w.Reshape(w.Rows()), side.edges)
	if f.Norm != system.NormNone {
		weights := values
		values = tensor.Mul(weights, g.values(side, f.Norm))
		weights.Free()
	}
	err := g.product(side, values, x, out)
	values.Free()
	return err
}

func (g *cuSPARSEGraph) side(f system.Flags) *side {
	if f.Transpose {
		return &g.sides[1]
	}
	return &g.sides[0]
}

// values are the coefficients of a side's entries, made when first needed.
func (g *cuSPARSEGraph) values(s *side, n system.Norm) *tensor.Tensor {
	if s.values[n] == nil {
		c := tensor.Ones(tensor.Float32, g.g.NumEdges())
		if of := g.rows.coefficients(n); of != nil {
			copy(tensor.Data[float32](c), of)
		}
		s.values[n] = tensor.TakeRows(c.ToDevice(g.s.device), s.edges)
	}
	return s.values[n]
}

// product hands over out = A x for the matrix of a side with these values.
func (g *cuSPARSEGraph) product(s *side, values, x, out *tensor.Tensor) error {
	if out.Size() == 0 {
		return nil
	}
	if values.Size() == 0 { // cuSPARSE takes no matrix without memory
		out.Zero()
		return nil
	}
	tensors := []*tensor.Tensor{s.offsets, s.columns, values, x, out}
	views := make([]tensor.View, len(tensors))
	for i, t := range tensors {
		v, ok := t.OnDevice()
		if !ok {
			return fmt.Errorf("systems: cusparse: a tensor is on %v", t.Device())
		}
		views[i] = v
	}
	n, nnz, width := g.g.NumVertices(), values.Size(), out.Size()/out.Rows()
	return g.s.backend.Hand(func(c *driver.Ctx) error {
		var at [5]driver.Ptr
		for i, v := range views {
			b, err := dense.BufferOf(v.Memory)
			if err != nil {
				return err
			}
			at[i] = b.Ptr() + driver.Ptr(v.Offset*v.DType.Size())
		}
		return g.s.run(c, driver.SpMM{
			Rows: n, Cols: n, NNZ: nnz, N: width,
			Offsets: at[0], Columns: at[1], Values: at[2], B: at[3], C: at[4], Algorithm: driver.SpMMDefault,
		}, &g.workspace)
	})
}

// run makes a product, on the device's goroutine, and counts its workspace.
func (s *cuSPARSE) run(c *driver.Ctx, m driver.SpMM, workspace *atomic.Int64) error {
	p, err := s.library.NewSpMM(s.handle, m)
	if err != nil {
		return err
	}
	space, err := c.Alloc(max(4, int(p.Workspace)), "cuSPARSE workspace")
	if err == nil {
		err = s.library.RunSpMM(s.handle, p, space.Ptr())
		c.Free(space)
	}
	workspace.Store(max(workspace.Load(), int64(p.Workspace)))
	return errors.Join(err, s.library.DestroySpMM(p))
}
