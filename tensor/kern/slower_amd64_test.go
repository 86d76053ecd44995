//go:build amd64 && !noasm

// The set that processors without AVX-512 get.

package kern

const assembly64 = true

func slower32() (*Set[float32], string) {
	if ISA() != "avx512" {
		return nil, ""
	}
	return avx2(), "avx2"
}

func slower64() (*Set[float64], string) {
	if ISA() != "avx512" {
		return nil, ""
	}
	return doubles(), "avx2"
}
