// Reductions over axes, one run of neighbouring axes after the other, in a fixed order.

package dense

import (
	_ "embed"
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/tensor"
)

//go:embed reduce.cu
var reduceText string

// A fold is a reduction in C.
type fold struct {
	merge   string // F
	first   string // of an element v
	nothing string // the result of no elements
	rest    string // the fold of the results of parts
}

// folds are the reductions of tensor.Backend but for those that look for a place. $l and
// $h are the least and the largest number of the type.
var folds = map[string]fold{
	"Sum":        {"Add", "v", "0", "Sum"},
	"Prod":       {"Multiply", "v", "1", "Prod"},
	"Max":        {"Larger", "v", "LEAST", "Max"},
	"Min":        {"Smaller", "v", "LARGEST", "Min"},
	"SumSquares": {"Add", "v * v", "0", "Sum"},
	"SumAbs":     {"Add", "v < 0 ? -v : v", "0", "Sum"},
	"Any":        {"Either", "v", "0", "Any"},
	"All":        {"Both", "v", "1", "All"},
}

// limits are LEAST and LARGEST by type.
var limits = map[tensor.DType][2]string{
	tensor.Float32: {"-" + infinite[tensor.Float32], infinite[tensor.Float32]},
	tensor.Float64: {"-" + infinite[tensor.Float64], infinite[tensor.Float64]},
	tensor.Int32:   {"(-2147483647 - 1)", "2147483647"},
	tensor.Int64:   {"(-9223372036854775807ll - 1)", "9223372036854775807ll"},
	tensor.Bool:    {"0", "1"},
}

const (
	// pieceLength is how many elements of a long row a group folds, columnLength how many
	// rows of a tall matrix a thread does.
	pieceLength  = 1 << 13
	columnLength = 128
	// manyColumns are enough to keep a device busy without cutting them.
	manyColumns = 1 << 16
)

// groupFor returns how many threads work on a row of n elements.
func groupFor(n int) int {
	switch {
	case n <= 16:
		return 8
	case n <= 1024:
		return 32
	}
	return 256
}

// groupsBlocks returns the blocks for n groups of g threads.
func groupsBlocks(n, g int) int { return max(1, min((n*g+blockThreads-1)/blockThreads, maxBlocks)) }

// Reduce folds x over axes.
func (b *Backend) Reduce(op string, dst, x tensor.View, axes []bool) error {
	if dst.Size() == 0 {
		return nil
	}
	return b.do(func(c *driver.Ctx) error {
		r := &reduction{b: b, c: c}
		defer r.free()
		from, err := r.contiguous(x)
		if err != nil {
			return err
		}
		if op == "ArgMax" || op == "ArgMin" {
			return r.where(op, dst, from, axes)
		}
		return r.reduce(op, dst, from, axes)
	})
}

// A reduction is one under way, with the memory that it needs meanwhile.
type reduction struct {
	b    *Backend
	c    *driver.Ctx
	made []*driver.Buffer
}

func (r *reduction) free() {
	for _, m := range r.made {
		r.c.Free(m)
	}
}

// scratch returns memory for n elements.
func (r *reduction) scratch(dt tensor.DType, n int) (tensor.View, error) {
	m, err := r.c.Alloc(n*dt.Size(), "scratch")
	if err != nil {
		return tensor.View{}, err
	}
	r.made = append(r.made, m)
	return tensor.View{Memory: &memory{b: r.b, buffer: m}, DType: dt, Shape: tensor.Shape{n}, Strides: []int{1}}, nil
}

// contiguous returns x, copied if it is strided.
func (r *reduction) contiguous(x tensor.View) (tensor.View, error) {
	if x.Contiguous() || x.Size() == 0 {
		return x, nil
	}
	near, err := r.scratch(x.DType, x.Size())
	if err != nil {
		return near, err
	}
	near.Shape, near.Strides = x.Shape, rowMajor(x.Shape)
	return near, r.b.run(r.c, mapWork(near, &tensor.Program{}, []tensor.View{x}))
}

// rowMajor returns the strides of a contiguous shape.
func rowMajor(shape tensor.Shape) []int {
	strides, step := make([]int, len(shape)), 1
	for k := len(shape) - 1; k >= 0; k-- {
		strides[k], step = step, step*shape[k]
	}
	return strides
}

// reduce takes one run of neighbouring axes after the other, innermost first, seen as
// [outer, n, inner] -> [outer, inner]; the last one writes to dst.
func (r *reduction) reduce(op string, dst, x tensor.View, axes []bool) error {
	shape := x.Shape.Clone()
	for hi := len(shape); hi > 0; {
		if !axes[hi-1] {
			hi--
			continue
		}
		lo := hi - 1
		for lo > 0 && axes[lo-1] {
			lo--
		}
		outer, n, inner := shape[:lo].Size(), shape[lo:hi].Size(), shape[hi:].Size()
		to := dst
		if slices.Contains(axes[:lo], true) {
			var err error
			if to, err = r.scratch(x.DType, outer*inner); err != nil {
				return err
			}
		}
		if err := r.fold(op, to, x, outer, n, inner); err != nil {
			return err
		}
		x, op = to, folds[op].rest
		for k := lo; k < hi; k++ {
			shape[k] = 1
		}
		hi = lo
	}
	if !slices.Contains(axes, true) {
		return r.fold(op, dst, x, x.Size(), 1, 1)
	}
	return nil
}

// fold reduces the rows of outer matrices. What is cut in pieces is folded again.
func (r *reduction) fold(op string, dst, x tensor.View, outer, n, inner int) error {
	length := max(n, 1)
	switch {
	case inner == 1 && n > 2*pieceLength:
		length = pieceLength
	case inner > 1 && n > 2*columnLength && outer*inner < manyColumns:
		length = columnLength
	}
	pieces := (max(n, 1) + length - 1) / length
	to := dst
	if pieces > 1 {
		var err error
		if to, err = r.scratch(x.DType, outer*pieces*inner); err != nil {
			return err
		}
	}
	w := work{blocks: blocksFor(outer * pieces * inner), args: []argument{x, to, outer, n, inner, pieces, length}}
	kind, g := "COLUMNS", 32
	if inner == 1 {
		kind, g = "ROWS", groupFor(length)
		w.blocks, w.args = groupsBlocks(outer*pieces, g), []argument{x, to, outer, n, pieces, length}
	}
	w.key = fmt.Sprintf("reduce %s %s %v %d", kind, op, x.DType, g)
	w.text = func() string { return foldText(kind, op, x.DType, g) }
	if err := r.b.run(r.c, w); err != nil || pieces == 1 {
		return err
	}
	return r.fold(folds[op].rest, dst, to, outer, pieces, inner)
}

func foldText(kind, op string, dt tensor.DType, g int) string {
	f := folds[op]
	gathered := cTypes[dt]
	if dt == tensor.Bool {
		gathered = "int" // a shuffle moves no bytes
	}
	return fmt.Sprintf("#define %s 1\n#define G %d\ntypedef %s T;\ntypedef %s A;\n#define LEAST %s\n#define LARGEST %s\n", kind, g, cTypes[dt], gathered, limits[dt][0], limits[dt][1]) +
		groupText + fmt.Sprintf("typedef %s F;\n#define FIRST(v) (%s)\n#define NOTHING ((A)%s)\n", f.merge, f.first, f.nothing) + reduceText
}

// where finds the place of the extremum along the one axis that is marked.
func (r *reduction) where(op string, dst, x tensor.View, axes []bool) error {
	k := slices.Index(axes, true)
	outer, n, inner := x.Shape[:k].Size(), x.Shape[k], x.Shape[k+1:].Size()
	const g = 32
	return r.b.run(r.c, work{
		key: fmt.Sprintf("reduce %s %v", op, x.DType),
		text: func() string {
			better := ">"
			if op == "ArgMin" {
				better = "<"
			}
			return fmt.Sprintf("#define WHERE 1\n#define G %d\ntypedef %s T;\n#define BETTER(a, b) ((a) %s (b))\n", g, cTypes[x.DType], better) + groupText + reduceText
		},
		blocks: groupsBlocks(outer*inner, g),
		args:   []argument{x, dst, outer, n, inner},
	})
}
