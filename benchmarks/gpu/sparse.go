// The weighted sum through cuSPARSE.

package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/tensor"
)

// sparse is cuSPARSE on a device.
type sparse struct {
	library driver.Sparse
	handle  driver.SparseHandle
	version string
}

var sparseAlgorithms = []struct {
	name      string
	algorithm driver.SpMMAlgorithm
}{
	{"cusparse", driver.SpMMDefault},
	{"cusparse csr2", driver.SpMMCSR2},
	{"cusparse csr3", driver.SpMMCSR3},
}

// openSparse loads cuSPARSE, which no emulated device has.
func openSparse(c *card, g *gpu) (*sparse, error) {
	if c.emulated {
		return nil, errors.New("none for an emulated device")
	}
	library, err := c.system.LoadSparse()
	if err != nil {
		return nil, err
	}
	s := &sparse{library: library}
	err = g.backend.Wait("cuSPARSE", func(c *driver.Ctx) (err error) {
		if s.handle, err = library.Create(); err != nil {
			return err
		}
		v, err := library.Version(s.handle)
		s.version = fmt.Sprintf("%d.%d.%d", v/1000, v/100%10, v%100)
		return errors.Join(err, library.SetStream(s.handle, c.Stream()))
	})
	if err != nil {
		return nil, errors.Join(err, s.close(g))
	}
	return s, nil
}

func (s *sparse) close(g *gpu) error {
	if s.handle == 0 {
		return nil
	}
	h := s.handle
	s.handle = 0
	return g.backend.Wait("cuSPARSE", func(*driver.Ctx) error { return s.library.Destroy(h) })
}

// product is a weighted sum in the device's memory.
type product struct {
	s       *sparse
	plan    *driver.SpMMPlan
	buffers []*driver.Buffer // offsets, columns, values, features, result, workspace
	rows    int
}

// work sets the sum of a task up. Its weights are in the order of the matrix, since
// edges are in order of their destinations.
func (s *sparse) work(t *task, g *gpu, a driver.SpMMAlgorithm) (*work, error) {
	inputs := t.program.inputs(t.g)
	p := &product{s: s, rows: t.g.NumVertices()}
	err := g.backend.Wait("cuSPARSE", func(c *driver.Ctx) error { return p.open(c, t, inputs[0].t, inputs[1].t, a) })
	if err != nil {
		return nil, errors.Join(err, p.close(g))
	}
	return &work{
		step:   func() error { return g.backend.Hand(p.run) },
		close:  func() error { return p.close(g) },
		output: func() ([]float32, error) { return p.output(g) },
	}, nil
}

func (p *product) open(c *driver.Ctx, t *task, h, weights *tensor.Tensor, a driver.SpMMAlgorithm) error {
	in := t.g.In()
	n := p.rows * width
	for _, host := range [][]byte{
		driver.AsBytes(in.Offsets), driver.AsBytes(in.Neighbors),
		driver.AsBytes(tensor.Data[float32](weights)), driver.AsBytes(tensor.Data[float32](h)), driver.AsBytes(make([]float32, n)),
	} {
		b, err := c.Alloc(max(4, len(host)), "cuSPARSE")
		if err != nil {
			return err
		}
		p.buffers = append(p.buffers, b)
		if err := c.Upload(b, 0, host); err != nil {
			return err
		}
	}
	var err error
	p.plan, err = p.s.library.NewSpMM(p.s.handle, driver.SpMM{
		Rows: p.rows, Cols: p.rows, NNZ: t.g.NumEdges(), N: width,
		Offsets: p.buffers[0].Ptr(), Columns: p.buffers[1].Ptr(), Values: p.buffers[2].Ptr(),
		B: p.buffers[3].Ptr(), C: p.buffers[4].Ptr(), Algorithm: a,
	})
	if err != nil {
		return err
	}
	space, err := c.Alloc(max(4, int(p.plan.Workspace)), "cuSPARSE workspace")
	if err != nil {
		return err
	}
	p.buffers = append(p.buffers, space)
	return p.s.library.PrepareSpMM(p.s.handle, p.plan, space.Ptr())
}

func (p *product) run(*driver.Ctx) error {
	return p.s.library.RunSpMM(p.s.handle, p.plan, p.buffers[5].Ptr())
}

// output runs the product and copies the result.
func (p *product) output(g *gpu) ([]float32, error) {
	out := make([]float32, p.rows*width)
	err := g.backend.Wait("cuSPARSE", func(c *driver.Ctx) error {
		if err := p.run(c); err != nil {
			return err
		}
		return c.Download(driver.AsBytes(out), p.buffers[4], 0)
	})
	return out, err
}

func (p *product) close(g *gpu) error {
	return g.backend.Wait("cuSPARSE", func(c *driver.Ctx) (err error) {
		if p.plan != nil {
			err = errors.Join(c.Synchronize(), p.s.library.DestroySpMM(p.plan))
		}
		for _, b := range slices.Backward(p.buffers) {
			c.Free(b)
		}
		p.plan, p.buffers = nil, nil
		return err
	})
}
