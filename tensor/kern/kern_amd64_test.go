//go:build amd64 && !noasm

package kern

import "testing"

// The kernels of AVX-512 begin as those of AVX2, and replace them; what is told of a kernel must
// go with it. The processor that runs the tests may have no AVX-512: nothing is called.
func TestKernelsOfAVX512DoNotTellWhatHoldsForThoseOfAVX2(t *testing.T) {
	s := avx512()
	for _, c := range []struct {
		heads int
		want  Attends
	}{{1, Attends{AtOnce: true, From: 4, Apart: true}}, {4, Attends{AtOnce: true, From: 4}}, {3, Attends{}}} {
		if got := s.Attends(c.heads, 64*c.heads, false); got != c.want {
			t.Errorf("attention of %d heads with AVX-512: %+v, want %+v", c.heads, got, c.want)
		}
	}
}
