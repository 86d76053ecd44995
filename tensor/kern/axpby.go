// Two rows weighted and added, as layers with a share of an earlier one have it.

package kern

// axpby is made of two kernels of the set; they add the second product rounded or not.
func axpby[T Float](s *Set[T], dst, x, y []T, a, b T) {
	s.MulScalar(dst, x, a)
	s.Axpy(dst, y, b)
}
