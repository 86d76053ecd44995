//go:build amd64 && !noasm

package kern

import "testing"

// The kernels of AVX-512 begin as those of AVX2, and replace them; what is told of a kernel must
// go with it. The processor that runs the tests may have no AVX-512: nothing is called.
func TestKernelsOfAVX512DoNotTellWhatHoldsForThoseOfAVX2(t *testing.T) {
	if s := avx512(); s.Attends.Apart || s.Attends.From == avx2().Attends.From {
		t.Errorf("attention with AVX-512: by products %v, from %d edges a row; want false, 4", s.Attends.Apart, s.Attends.From)
	}
}
