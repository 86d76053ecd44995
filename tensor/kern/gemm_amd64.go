//go:build amd64 && !noasm

// The assembly kernels of the matrix product: which this processor runs.

package kern

import "golang.org/x/sys/cpu"

func gemmKernels32() []*GemmKernel[float32] {
	return gemmSupported(
		&GemmKernel[float32]{Name: "avx512", Rows: 14, Cols: 32, panel: gemmPointers(gemmAVX512F32, vectorMode(), 32)},
		&GemmKernel[float32]{Name: "avx2", Rows: 6, Cols: 16, panel: gemmPointers(gemmAVX2F32, 0, 0)},
	)
}

func gemmKernels64() []*GemmKernel[float64] {
	return gemmSupported(
		&GemmKernel[float64]{Name: "avx512", Rows: 14, Cols: 16, panel: gemmPointers(gemmAVX512F64, vectorMode(), 16)},
		&GemmKernel[float64]{Name: "avx2", Rows: 6, Cols: 8, panel: gemmPointers(gemmAVX2F64, 0, 0)},
	)
}

// gemmSupported returns the kernels that this processor runs, and the Go one.
func gemmSupported[T Float](avx512, avx2 *GemmKernel[T]) []*GemmKernel[T] {
	var all []*GemmKernel[T]
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL {
		all = append(all, avx512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, avx2)
	}
	return append(all, gemmGo[T]())
}

// gemmHalves has one vector's columns computed in vectors of half the size. The sums are the
// same.
const gemmHalves GemmMode = 8

// vectorMode is gemmHalves on Zen 4, which runs instructions of 512 bits in two halves.
func vectorMode() GemmMode {
	const zen4 = 0x19 // Zen 3 as well, which has no AVX-512
	if vendor, family := processor(); vendor == "AuthenticAMD" && family == zen4 {
		return gemmHalves
	}
	return 0
}

// processor returns the vendor's name of itself and its number of the family.
func processor() (vendor string, family uint32) {
	_, b, c, d := cpuid(0)
	for _, part := range [...]uint32{b, d, c} {
		vendor += string([]byte{byte(part), byte(part >> 8), byte(part >> 16), byte(part >> 24)})
	}
	a, _, _, _ := cpuid(1)
	if family = a >> 8 & 0xF; family == 0xF {
		family += a >> 20 & 0xFF
	}
	return vendor, family
}

// Fence has what GemmPast wrote past the caches seen before what is written next.
//
//go:noescape
func Fence()

// SecondCache is the bytes of a core's second cache, 0 if the processor does not tell.
func SecondCache() int {
	const sizes = 0x80000006
	if most, _, _, _ := cpuid(0x80000000); most < sizes {
		return 0
	}
	_, _, c, _ := cpuid(sizes)
	return int(c>>16) << 10
}

// cpuid is the instruction with leaf in EAX and 0 in ECX.
func cpuid(leaf uint32) (a, b, c, d uint32)
