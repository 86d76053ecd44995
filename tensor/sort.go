// Sorting along the last axis.

package tensor

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

// Sort returns the elements of the last axis in ascending, or descending, order and
// where they were, as Int64. Equal elements keep their order; NaN counts as the
// largest.
func Sort(x *Tensor, descending bool) (values, indices *Tensor) {
	const op = "Sort"
	wantTensors(op, x)
	n := x.shape[x.shape.axis(op, -1)]
	return sortLast(op, x, n, descending)
}

// ArgSort returns where the elements of the last axis in order are, see [Sort].
func ArgSort(x *Tensor, descending bool) *Tensor {
	const op = "ArgSort"
	wantTensors(op, x)
	values, indices := sortLast(op, x, x.shape[x.shape.axis(op, -1)], descending)
	values.Free()
	return indices
}

// TopK returns the k largest elements of the last axis, or the smallest, the best
// first, and where they were, as Int64. Of equals the first comes first; NaN counts
// as the largest.
func TopK(x *Tensor, k int, largest bool) (values, indices *Tensor) {
	const op = "TopK"
	wantTensors(op, x)
	if n := x.shape[x.shape.axis(op, -1)]; k < 0 || k > n {
		panic(&ShapeError{Op: op, Detail: fmt.Sprintf("no %d of the last axis", k), Shapes: []Shape{x.shape}})
	}
	return sortLast(op, x, k, largest)
}

// sortLast returns the first k elements of each row in order.
func sortLast(op string, x *Tensor, k int, descending bool) (values, indices *Tensor) {
	shape := x.shape.Clone()
	shape[len(shape)-1] = k
	values, indices = emptyBeside(x, op, x.dtype, shape), emptyBeside(x, op, Int64, shape)
	if values.size == 0 {
		return values, indices
	}
	if x.far != nil && x.dtype != Bool {
		near, d := x.Contiguous(), x.far.device
		d.must(op, d.backend.Sort(values.faraway(), indices.faraway(), near.faraway(), descending))
		release(near, x)
		indices.far.writtenBelow(x.shape[len(x.shape)-1])
		return values, indices
	}
	switch x.dtype {
	case Float32:
		sortRows[float32](values, indices, x, k, descending)
	case Float64:
		sortRows[float64](values, indices, x, k, descending)
	case Int32:
		sortRows[int32](values, indices, x, k, descending)
	case Int64:
		sortRows[int64](values, indices, x, k, descending)
	default:
		panic(&DTypeError{Op: op, Got: x.dtype, Want: []DType{Float32, Float64, Int32, Int64}})
	}
	return values, indices
}

// A ranked element: the smaller its key, the sooner it comes; of equals that which was
// sooner.
type ranked struct {
	key uint64
	at  int
}

// rank gives the elements of src keys whose order is theirs, or the other way down: the bits
// of numbers, but for the sign, have their order, those of negative floats the other way.
func rank[T Number](row []ranked, src []T, down bool) {
	var turn uint64
	switch src := any(src).(type) {
	case []float32:
		const sign, nan = 1 << 31, math.MaxInt32
		for i, v := range src {
			b := math.Float32bits(v + 0) // -0 is 0
			if v != v {
				b = nan
			}
			row[i] = ranked{uint64(b ^ (uint32(int32(b)>>31) | sign)), i}
		}
		turn = math.MaxUint32
	case []float64:
		const sign, nan = 1 << 63, math.MaxInt64
		for i, v := range src {
			b := math.Float64bits(v + 0)
			if v != v {
				b = nan
			}
			row[i] = ranked{b ^ (uint64(int64(b)>>63) | sign), i}
		}
		turn = math.MaxUint64
	case []int32:
		for i, v := range src {
			row[i] = ranked{uint64(uint32(v) ^ 1<<31), i}
		}
		turn = math.MaxUint32
	case []int64:
		for i, v := range src {
			row[i] = ranked{uint64(v) ^ 1<<63, i}
		}
		turn = math.MaxUint64
	}
	if down {
		for i := range row {
			row[i].key ^= turn
		}
	}
}

func sortRows[T Number](values, indices, x *Tensor, k int, down bool) {
	const few = 32 // so many are picked out one by one
	v, ids, src := elems[T](values), elems[int64](indices), elems[T](x)
	n := x.shape[len(x.shape)-1]
	cpu.ParallelFor(len(src)/n, max(1, elementGrain/16/n), func(lo, hi int) {
		row, room := make([]ranked, n), []ranked(nil)
		if n >= manyRanked {
			room = make([]ranked, n)
		}
		for r := lo; r < hi; r++ {
			elements := src[r*n : (r+1)*n]
			rank(row, elements, down)
			switch {
			case k < n && k <= few:
				pickFirst(row, k)
			case n < manyRanked:
				insert(row)
			default:
				sortByDigits(row, room, x.dtype.Size())
			}
			for i, e := range row[:k] {
				v[r*k+i], ids[r*k+i] = elements[e.at], int64(e.at)
			}
		}
	})
}

// manyRanked is from how many elements on a row is sorted by digits, not by insertion:
// measured with float32, where the times are alike. Comparing by slices.SortFunc takes twice
// as long there, and longer for more.
const manyRanked = 48

// insert sorts a short row.
func insert(row []ranked) {
	for i := 1; i < len(row); i++ {
		e, j := row[i], i
		for j > 0 && row[j-1].key > e.key {
			row[j] = row[j-1]
			j--
		}
		row[j] = e
	}
}

// sortByDigits sorts a row by the lowest of so many digits of its keys, which are bytes, then
// the next, and so on; each time in the order before. room is as long as row.
func sortByDigits(row, room []ranked, digits int) {
	var counts [8][256]int
	for _, e := range row {
		for d := range digits {
			counts[d][byte(e.key>>(8*d))]++
		}
	}
	from, to := row, room
	for d := range digits {
		count := &counts[d]
		if count[byte(row[0].key>>(8*d))] == len(row) { // all have the same
			continue
		}
		at := 0
		for i, n := range count {
			count[i] = at
			at += n
		}
		for _, e := range from {
			place := &count[byte(e.key>>(8*d))]
			to[*place] = e
			*place++
		}
		from, to = to, from
	}
	if &from[0] != &row[0] {
		copy(row, from)
	}
}

// pickFirst puts the first k elements in order at the start of row, and loses
// others: those at the start so far are kept sorted, and what comes before their
// last is put in its place among them.
func pickFirst(row []ranked, k int) {
	insert(row[:k])
	for _, e := range row[k:] {
		i := k
		for i > 0 && e.key < row[i-1].key {
			i--
		}
		if i < k {
			copy(row[i+1:k], row[i:k-1])
			row[i] = e
		}
	}
}
