package tensor
import ("testing")
func BenchmarkProbe(b *testing.B) {
	x := Randn(Float32, 1, 65536, 16)
	y := Randn(Float32, 2, 65536, 16)
	row, col := Randn(Float32, 3, 16), Randn(Float32, 3, 65536, 1)
	big := Randn(Float32, 1, 1024, 1024)
	m := GreaterScalar(x, 0)
	cases := []struct{name string; op func() *Tensor}{
		{"Add", func() *Tensor { return Add(x, y) }},
		{"AddRow", func() *Tensor { return Add(x, row) }},
		{"MulCol", func() *Tensor { return Mul(x, col) }},
		{"ReLU", func() *Tensor { return ReLU(x) }},
		{"SumAll", func() *Tensor { return Sum(x, false) }},
		{"SumRows", func() *Tensor { return Sum(x, false, 1) }},
		{"SumCols", func() *Tensor { return Sum(x, false, 0) }},
		{"MaxRows", func() *Tensor { return Max(x, false, 1) }},
		{"MaxCols", func() *Tensor { return Max(x, false, 0) }},
		{"VarRows", func() *Tensor { return Var(x, 1, false, 1) }},
		{"VarCols", func() *Tensor { return Var(x, 1, false, 0) }},
		{"Norm2", func() *Tensor { return Norm(x, 2, false) }},
		{"LSErows", func() *Tensor { return LogSumExp(x, false, 1) }},
		{"Argmax", func() *Tensor { return Argmax(x) }},
		{"Where", func() *Tensor { return Where(m, x, y) }},
		{"Greater", func() *Tensor { return Greater(x, y) }},
		{"TransposeCopy", func() *Tensor { return big.Transpose().Contiguous() }},
		{"AddTransposed", func() *Tensor { return Add(big.Transpose(), big) }},
		{"SumT", func() *Tensor { return Sum(big.Transpose(), false, 0) }},
		{"Concat1", func() *Tensor { return Concat(1, x, y) }},
		{"Stack0", func() *Tensor { return Stack(0, x, y) }},
		{"CumSum1", func() *Tensor { return CumSum(x, 1) }},
		{"CumSum0", func() *Tensor { return CumSum(x, 0) }},
		{"Pow1.5", func() *Tensor { return Pow(Abs(x), 1.5) }},
		{"MaskedFill", func() *Tensor { return MaskedFill(x, m, 0) }},
		{"TopK3", func() *Tensor { v,i := TopK(x, 3, true); i.Free(); return v }},
		{"Sort16", func() *Tensor { v,i := Sort(x, true); i.Free(); return v }},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) { for b.Loop() { c.op().Free() }; b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "us/op") })
	}
	ids := Arange(Int64, 0, 65536, 1).Unsqueeze(1)
	_ = ids
	idx := Zeros(Int64, 65536, 1)
	g := Randn(Float32, 2, 65536, 1)
	z := Zeros(Float32, 65536, 16)
	b.Run("Gather", func(b *testing.B) { for b.Loop() { Gather(x, 1, idx).Free() } })
	b.Run("ScatterAdd", func(b *testing.B) { for b.Loop() { ScatterAdd(z, 1, idx, g).Free() } })
	b.Run("OneHot", func(b *testing.B) { for b.Loop() { OneHot(idx, 16, Float32).Free() } })
}
