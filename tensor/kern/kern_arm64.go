//go:build arm64 && !noasm

// The NEON kernels, which every arm64 processor runs: what has none keeps its reference loop.

package kern

func fastest32() (*Set[float32], string) { return neon(), "neon" }

// fastest64 has no assembly but the matrix product's.
func fastest64() *Set[float64] { return reference[float64]() }

func neon() *Set[float32] {
	s := reference[float32]() // the composed kernels are made of what the set has when they are called
	useDerived(s)
	useLoops(s)
	useReductions(s)
	useFunctions(s)
	useSoftmax(s)
	useComparisons(s)
	useOptimisers(s)
	useRows(s)
	useSegments(s)
	useDropout(s)
	return s
}
