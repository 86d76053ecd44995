package render

import (
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

func TestIndicesOfLanes(t *testing.T) {
	for _, c := range []struct {
		of   []int
		want string
	}{
		{[]int{0, 1, 2, 3}, "lane"},
		{[]int{3, 3, 3, 3}, "3"},
		{[]int{2, 6, 10, 14}, "lane * 4 + 2"},
		{[]int{0, 1, 2, -1}, "(lane < 3 ? lane : 2)"},
		{[]int{-1, -1, 8, 12}, "(lane < 2 ? 0 : lane - 2) * 4 + 8"},
		{[]int{-1, 5, 6, -1}, "(lane < 1 ? 0 : lane < 3 ? lane - 1 : 1) + 5"},
		{[]int{0, 0, 1, 1}, "lane / 2"},
		{[]int{0, 1, 0, 1}, "lane % 2"},
		{[]int{4, 5, 14, 15}, "lane / 2 * 10 + 4 + lane % 2"},
		{[]int{0, 3, 1, 2}, ""},
		{[]int{0, -1, 2, 3}, ""},
		{[]int{-1, -1, -1, -1}, ""},
		{[]int{7}, "7"},
	} {
		if got := (&elems{c.of}).index(); got != c.want {
			t.Errorf("%v: %q, want %q", c.of, got, c.want)
		}
	}
}

func TestConditionsOfLanes(t *testing.T) {
	block := make([]bool, 64)
	block[0], block[33] = true, true
	for _, c := range []struct {
		in   []bool
		want string
	}{
		{[]bool{true, true}, ""},
		{[]bool{true, true, false}, "lane < 2"},
		{[]bool{false, false}, "false"},
		{[]bool{true, false, true, false}, "0x5u >> lane & 1u"},
		{block, "(lane / 32 == 0 && 0x1u >> lane % 32 & 1u) || (lane / 32 == 1 && 0x2u >> lane % 32 & 1u)"},
	} {
		if got := condition(c.in); got != c.want {
			t.Errorf("%v: %q, want %q", c.in, got, c.want)
		}
	}
}

func TestRowsAreSpreadInVectors(t *testing.T) {
	for _, c := range []struct {
		width, lanes int
		typ          ir.DType
		first, last  []int // elements of the first and the last number
		numbers      int
	}{
		{8, 2, ir.F32, []int{0, 4}, []int{3, 7}, 4},
		{12, 2, ir.F32, []int{0, 4}, []int{11, -1}, 8},
		{6, 2, ir.F32, []int{0, 2}, []int{5, -1}, 4},
		{6, 4, ir.F64, []int{0, 2, 4, -1}, []int{1, 3, 5, -1}, 2},
		{5, 4, ir.F32, []int{0, 1, 2, 3}, []int{4, -1, -1, -1}, 2},
	} {
		row := newElemsTable(c.lanes, c.typ).row(c.width)
		if len(row) != c.numbers || !slices.Equal(row[0].of, c.first) || !slices.Equal(row[len(row)-1].of, c.last) {
			t.Errorf("%+v: %d numbers, from %v to %v", c, len(row), row[0].of, row[len(row)-1].of)
		}
	}
}
