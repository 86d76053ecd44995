// Recurrent units over packed sequences: package nn compares them with its cells.

package tensor

import (
	"math"
	"slices"
	"testing"
)

func TestStepsWalkInTheirOrder(t *testing.T) {
	for _, c := range []struct {
		steps Steps
		want  []int // lo and hi of each
	}{
		{Steps{Rows: []int{3, 2, 2, 0}}, []int{0, 3, 3, 5, 5, 7, 7, 7}},
		{Steps{Rows: []int{3, 2, 2, 0}, Reverse: true}, []int{7, 7, 5, 7, 3, 5, 0, 3}},
		{Steps{}, nil},
	} {
		for range 2 {
			var got []int
			c.steps.Walk(func(lo, hi int) { got = append(got, lo, hi) })
			if !slices.Equal(got, c.want) {
				t.Errorf("%+v: %v, want %v", c.steps, got, c.want)
			}
		}
	}
}

// With weights and biases of 0 the gates are what is given, and the results known numbers.
func TestRecurrentUnitsOfGivenGates(t *testing.T) {
	const big = 40 // opens a gate, -big shuts it
	zeros := func(shape ...int) *Tensor { return Zeros(Float64, shape...) }
	steps := Steps{Rows: []int{2, 1}} // of two sequences, the second has one step

	gates := FromSlice([]float64{big, -big, 0, big, -big, big, big, big, big, big, big, -big}, 3, 4) // i f g o
	run := LSTM(gates, zeros(4, 1), FromSlice([]float64{7, 8}, 2, 1), FromSlice([]float64{0.5, 0.25}, 2, 1), steps)
	open := math.Tanh(0.25)
	wantClose(t, "LSTM c", run.C, Shape{2, 1}, []float64{1, 0.25}, 1e-15) // 0·0.5 + 1·0, then + 1·1; 1·0.25 + 0·1
	wantClose(t, "LSTM out", run.Out, Shape{3, 1}, []float64{0, open, 0}, 1e-15)
	wantClose(t, "LSTM h", run.H, Shape{2, 1}, []float64{0, open}, 1e-15)

	gates = FromSlice([]float64{0, -big, big, 0, big, big, 0, -big, 0}, 3, 3) // r z n
	unit := GRU(gates, zeros(3, 1), nil, FromSlice([]float64{0.5, 0.25}, 2, 1), steps)
	wantClose(t, "GRU out", unit.Out, Shape{3, 1}, []float64{1, 0.25, 0}, 1e-15)
	wantClose(t, "GRU h", unit.H, Shape{2, 1}, []float64{0, 0.25}, 1e-15)
}

func TestRecurrentUnitsRejectMisuse(t *testing.T) {
	zeros := func(shape ...int) *Tensor { return Zeros(Float32, shape...) }
	lstm := func(gates, weight, h, c *Tensor, rows ...int) func() {
		return func() { LSTM(gates, weight, h, c, Steps{Rows: rows}) }
	}
	gru := func(gates, weight, bias, h *Tensor, rows ...int) func() {
		return func() { GRU(gates, weight, bias, h, Steps{Rows: rows}) }
	}
	for want, f := range map[string]func(){
		"tensor: LSTM: states are no matrices of one shape: [2 3] x [2 2]":            lstm(zeros(2, 12), zeros(12, 3), zeros(2, 3), zeros(2, 2), 2),
		"tensor: LSTM: states are no matrices of one shape: [2] x [2]":                lstm(zeros(2, 12), zeros(12, 3), zeros(2), zeros(2), 2),
		"tensor: LSTM: 4 gates, weight and state do not fit: [2 9] x [12 3] x [2 3]":  lstm(zeros(2, 9), zeros(12, 3), zeros(2, 3), zeros(2, 3), 2),
		"tensor: LSTM: 4 gates, weight and state do not fit: [2 12] x [3 12] x [2 3]": lstm(zeros(2, 12), zeros(3, 12), zeros(2, 3), zeros(2, 3), 2),
		"tensor: GRU: 3 gates, weight and state do not fit: [9] x [9 3] x [2 3]":      gru(zeros(9), zeros(9, 3), nil, zeros(2, 3), 2),
		"tensor: GRU: not as long as a row: [2 9] x [3]":                              gru(zeros(2, 9), zeros(9, 3), zeros(3), zeros(2, 3), 2),
		"tensor: GRU: steps of 3 rows together: [2 9]":                                gru(zeros(2, 9), zeros(9, 3), nil, zeros(2, 3), 2, 1),
		"tensor: GRU: step 0 has 3 sequences after 2: [3 9]":                          gru(zeros(3, 9), zeros(9, 3), nil, zeros(2, 3), 3),
		"tensor: GRU: step 1 has 2 sequences after 1: [3 9]":                          gru(zeros(3, 9), zeros(9, 3), nil, zeros(2, 3), 1, 2),
		"tensor: GRU: step 0 has -1 sequences after 2: [0 9]":                         gru(zeros(0, 9), zeros(9, 3), nil, zeros(2, 3), -1),
		"tensor: LSTM: writes to a strided view of the gates: [2 12]":                 lstm(zeros(12, 2).Transpose(), zeros(12, 3), zeros(2, 3), zeros(2, 3), 2),
		"tensor: GRUGrad: a gradient of another shape than the result: [2 2] x [2 3]": func() {
			GRU(zeros(2, 9), zeros(9, 3), nil, zeros(2, 3), Steps{Rows: []int{2}}).Grad(zeros(9, 3), zeros(2, 2), nil)
		},
		"tensor: LSTMGrad: a gradient of another shape than the result: [1 3] x [2 3]": func() {
			LSTM(zeros(2, 12), zeros(12, 3), zeros(2, 3), zeros(2, 3), Steps{Rows: []int{2}}).Grad(zeros(12, 3), nil, nil, zeros(1, 3))
		},
		"tensor: LSTMGrad: a gradient of another shape than the result: [2 3 1] x [2 3]": func() {
			LSTM(zeros(2, 12), zeros(12, 3), zeros(2, 3), zeros(2, 3), Steps{Rows: []int{2}}).Grad(zeros(12, 3), nil, zeros(2, 3, 1), nil)
		},
		"tensor: LSTMGrad: the weight has another shape than that of the run: [3 12] x [12 3]": func() {
			LSTM(zeros(2, 12), zeros(12, 3), zeros(2, 3), zeros(2, 3), Steps{Rows: []int{2}}).Grad(zeros(3, 12), nil, nil, nil)
		},
	} {
		wantPanic[*ShapeError](t, want, f)
	}
	wantPanic[*DTypeError](t, "tensor: LSTM: ", lstm(zeros(2, 12), zeros(12, 3), zeros(2, 3), zeros(2, 3).To(Float64), 2))
	wantPanic[*DTypeError](t, "tensor: GRU: ", gru(zeros(2, 9), zeros(9, 3), zeros(9).To(Float64), zeros(2, 3), 2))
}
