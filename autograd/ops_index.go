// Rows and elements picked and added by index.

package autograd

import (
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/tensor"
)

// IndexSelect returns the matrix (or higher-rank tensor) whose row i is row
// rows[i] of v; rows may repeat. Of a table of embeddings it is the look-up. The
// slice must not change before the backward pass.
func (v *Var) IndexSelect(rows []int32) *Var {
	return record(opIndexSelect, tensor.IndexSelect(v.dense("IndexSelect"), rows), attrs{rows: rows}, v)
}

func gradIndexSelect(c *context, g *Var, _ int) *Var {
	return g.ScatterAddRows(c.in[0].Shape()[0], c.rows)
}

// Embedding returns the rows of weight that ids, a constant of Int32 or Int64, names, as
// torch.nn.functional.embedding: weight [n ...], ids [batch ...] -> [batch ... ...]. They may
// repeat. The row padding, if it is not nil, is looked up like others but gets no gradient from
// here. An id outside [0, n) panics with *[tensor.IndexError], one of another type with
// *[tensor.DTypeError]. Ids on the table's device stay there, and are looked at as by
// [Var.Gather], once, unless tensor.Indices made them; elsewhere they are read, and waited for.
// Ids on that device, and contiguous Int32 ids on the CPU, are not copied and must not change
// before the backward pass.
func Embedding(weight, ids *Var, padding *int) *Var {
	const op = "Embedding"
	table, index := weight.dense(op), ids.dense(op)
	if table.Rank() == 0 {
		misuse(op, "a scalar has no rows", table.Shape())
	}
	n := table.Shape()[0]
	if padding != nil {
		if *padding < 0 || *padding >= n {
			misuse(op, fmt.Sprintf("padding row %d is outside [0, %d)", *padding, n), table.Shape())
		}
		padding = new(*padding) // the caller's may change
	}
	if d := index.Device(); d != nil && d == table.Device() {
		wantNumbers(op, index)
		return record(opEmbedding, tensor.TakeRows(table, index), attrs{onDevice: true, padding: padding}, weight, ids)
	}
	rows := rowNumbers(op, index, n)
	y := record(opEmbedding, tensor.IndexSelect(table, rows), attrs{rows: rows, padding: padding}, weight, ids)
	if index.Rank() == 1 {
		return y
	}
	return y.Reshape(append(index.Shape().Clone(), table.Shape()[1:]...)...)
}

func gradEmbedding(c *context, g *Var, _ int) *Var {
	if c.onDevice {
		return gradEmbeddingOnDevice(c, g)
	}
	g, rows := c.withoutPadding(g)
	return g.ScatterAddRows(c.in[0].Shape()[0], rows)
}

func gradEmbeddingOnDevice(c *context, g *Var) *Var {
	table, index := c.in[0].Shape(), c.in[1].read()
	if c.fused() {
		return c.constant(tensor.TakeRowsGrad(g.value, index, table[0], c.padding))
	}
	column := make([]int, len(table)) // one number a row, as many axes as the table
	for k := range column {
		column[k] = 1
	}
	column[0] = index.Size()
	rows := append(tensor.Shape{index.Size()}, table[1:]...)
	index = index.Reshape(column...)
	g = g.Reshape(rows...)
	if c.padding != nil {
		g = g.MaskedFill(Constant(tensor.EqualScalar(index, float64(*c.padding))), 0)
	}
	return c.constant(tensor.ZerosLike(c.in[0].value)).ScatterAdd(0, Constant(index.Expand(rows...)), g)
}

// withoutPadding returns the rows of a look-up's gradient that go to the table, and where.
func (a *attrs) withoutPadding(g *Var) (*Var, []int32) {
	if a.padding == nil || !slices.Contains(a.rows, int32(*a.padding)) {
		return g, a.rows
	}
	var places, rows []int32
	for i, r := range a.rows {
		if int(r) != *a.padding {
			places, rows = append(places, int32(i)), append(rows, r)
		}
	}
	return g.IndexSelect(places), rows
}

// rowNumbers returns indices as numbers of rows, after holding them against their limit.
func rowNumbers(op string, ids *tensor.Tensor, limit int) []int32 {
	wantNumbers(op, ids)
	if ids = ids.ToDevice(nil).Contiguous(); ids.DType() == tensor.Int32 {
		wantBelow(op, tensor.Data[int32](ids), limit)
	} else { // before what is too large wraps around
		wantBelow(op, tensor.Data[int64](ids), min(limit, math.MaxInt32))
	}
	return ids.Int32s()
}

func wantNumbers(op string, ids *tensor.Tensor) {
	if dt := ids.DType(); dt != tensor.Int32 && dt != tensor.Int64 {
		panic(&tensor.DTypeError{Op: op, Got: dt, Want: []tensor.DType{tensor.Int32, tensor.Int64}})
	}
}

func wantBelow[T int32 | int64](op string, ids []T, limit int) {
	for i, id := range ids {
		if id < 0 || int64(id) >= int64(limit) {
			panic(&tensor.IndexError{Op: op, At: i, Index: int(id), Limit: limit})
		}
	}
}

// ScatterAddRows returns n rows, row r being the sum of the rows i of v with
// rows[i] = r, added in ascending i. The slice must not change before the
// backward pass.
func (v *Var) ScatterAddRows(n int, rows []int32) *Var {
	y := tensor.ScatterAddRows(v.dense("ScatterAddRows"), rows, n)
	return record(opScatterAddRows, y, attrs{rows: rows}, v)
}

func gradScatterAddRows(c *context, g *Var, _ int) *Var { return g.IndexSelect(c.rows) }

// IndexSelectAlong is [Var.IndexSelect] of any axis.
func (v *Var) IndexSelectAlong(axis int, rows []int32) *Var {
	const op = "IndexSelectAlong"
	shape := v.dense(op).Shape()
	axis = checkAxis(op, axis, shape)
	if axis == 0 {
		return v.IndexSelect(rows)
	}
	swap := swapped(len(shape), 0, axis)
	return v.Transpose(swap...).IndexSelect(rows).Transpose(swap...)
}

// Gather returns the elements of v at indices along an axis: the result has the
// shape of index, an Int64 or Int32 constant of v's rank, and its element at
// [i j k] is, for axis 1, v[i, index[i j k], k]. Other axes of index may be shorter
// than v's.
func (v *Var) Gather(axis int, index *Var) *Var {
	const op = "Gather"
	x := v.dense(op)
	axis = checkAxis(op, axis, x.Shape())
	return record(opGather, tensor.Gather(x, axis, index.dense(op)), attrs{axis: axis}, v, index)
}

func gradGather(c *context, g *Var, _ int) *Var {
	x := c.in[0]
	if c.fused() {
		return c.constant(tensor.GatherGrad(g.value, x.Shape(), c.axis, c.in[1].read()))
	}
	return c.constant(tensor.ZerosLike(x.value)).ScatterAdd(c.axis, c.in[1], g)
}

// ScatterAdd returns v with the elements of src added at indices along an axis:
// the adjoint of [Var.Gather]. index and src have one shape. Where indices
// repeat, sums are in the order of src, for any number of threads.
func (v *Var) ScatterAdd(axis int, index, src *Var) *Var {
	const op = "ScatterAdd"
	x, s := operands(op, v, src)
	ids := index.dense(op)
	axis = checkAxis(op, axis, x.Shape())
	if !ids.Shape().Equal(s.Shape()) {
		misuse(op, "indices and source differ in shape", ids.Shape(), s.Shape())
	}
	return record(opScatterAdd, tensor.ScatterAdd(x, axis, ids, s), attrs{axis: axis}, v, index, src)
}

func gradScatterAdd(c *context, g *Var, i int) *Var {
	if i == 0 {
		return g
	}
	return g.Gather(c.axis, c.in[1])
}

// OneHot returns a row of classes elements for each of ids, Int32 or Int64: 1 at
// the id and 0 elsewhere, as a constant. [...] gives [... classes].
func OneHot(ids *Var, classes int, dt tensor.DType) *Var {
	return unrecorded(tensor.OneHot(ids.dense("OneHot"), classes, dt), ids)
}
