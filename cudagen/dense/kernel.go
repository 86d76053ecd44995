// From a text to a launch.

package dense

import (
	_ "embed"
	"fmt"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/tensor"
)

//go:embed prelude.h
var prelude string

//go:embed group.cu
var groupText string

// options are given to the compiler: arithmetic as it is written.
var options = []string{"--std=c++17", "--fmad=false"}

// cTypes are the element types in C.
var cTypes = [...]string{tensor.Float32: "float", tensor.Float64: "double", tensor.Int32: "int", tensor.Int64: "i64", tensor.Bool: "u8"}

// blockThreads is how many threads a block has.
const blockThreads = 256

// maxBlocks bounds grids whose threads take more than one turn.
const maxBlocks = 1 << 16

// A work is a kernel and what it is launched on.
type work struct {
	key    string        // of the kernel
	text   func() string // after the prelude, with one kernel called "k"
	blocks int
	rows   int // blocks in the second direction; 0: one
	args   []argument
}

// An argument is a view's first element, an int, a float or a number of 64 bits.
type argument any

// tick is the argument for the count of a captured graph's launches.
type tick struct{}

// blocksFor returns how many blocks have a thread for each of n things, up to maxBlocks.
func blocksFor(n int) int { return max(1, min((n+blockThreads-1)/blockThreads, maxBlocks)) }

// launch hands a kernel over.
func (b *Backend) launch(w work) error {
	return b.do(func(c *driver.Ctx) error { return b.run(c, w) })
}

// run compiles a kernel if it is new, and launches it.
func (b *Backend) run(c *driver.Ctx, w work) error {
	f, err := b.function(c, w)
	if err != nil {
		return err
	}
	var args driver.Args
	for _, a := range w.args {
		if err := b.add(&args, a); err != nil {
			return err
		}
	}
	grid := driver.Dim3{X: uint32(w.blocks), Y: uint32(max(1, w.rows))}
	return c.Launch(f, driver.Launch{Grid: grid, Block: driver.Dim3{X: blockThreads}}, &args)
}

func (b *Backend) add(args *driver.Args, a argument) error {
	switch a := a.(type) {
	case tensor.View:
		buffer, err := a.Memory.(*memory).get()
		if err != nil {
			return err
		}
		if a.Offset == 0 {
			args.Buffer(buffer)
			break
		}
		args.Ptr(buffer.Ptr() + driver.Ptr(a.Offset*a.DType.Size()))
	case *driver.Buffer:
		args.Buffer(a)
	case int32:
		args.Int32(a)
	case int:
		args.Int64(int64(a))
	case uint32:
		args.Uint32(a)
	case uint64:
		args.Uint64(a)
	case float32:
		args.Float32(a)
	case float64:
		args.Float64(a)
	case tick:
		if b.recorded == nil {
			args.Uint64(0)
		} else {
			args.Buffer(b.recorded.tick)
		}
	case nil:
		args.Uint64(0)
	default:
		panic(fmt.Sprintf("BUG: dense: argument %T", a))
	}
	return nil
}

func (b *Backend) function(c *driver.Ctx, w work) (driver.Function, error) {
	if f, ok := b.kernels[w.key]; ok {
		return f, nil
	}
	cubin, err := b.compile(driver.Source{Name: w.key + ".cu", Text: prelude + w.text(), Options: options, SM: c.Info().SM})
	if err != nil {
		return 0, err
	}
	m, err := c.Load(cubin)
	if err != nil {
		return 0, err
	}
	f, err := c.Function(m, "k")
	if err != nil {
		return 0, err
	}
	b.kernels[w.key] = f
	return f, nil
}
