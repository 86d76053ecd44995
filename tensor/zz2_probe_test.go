package tensor
import ("testing";"fmt")
func BenchmarkTr(b *testing.B) {
	SetThreads(1); defer SetThreads(0)
	for _, s := range [][2]int{{1024,1024},{1000,1000},{2708,1433},{20000,64}} {
		big := Randn(Float32, 1, s[0], s[1])
		b.Run(fmt.Sprint(s), func(b *testing.B) { for b.Loop() { big.Transpose().Contiguous().Free() }; b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s[0]*s[1]), "ns/elem") })
		b.Run(fmt.Sprint("clone", s), func(b *testing.B) { for b.Loop() { big.Clone().Free() }; b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s[0]*s[1]), "ns/elem") })
	}
}
