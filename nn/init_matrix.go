// Initial values of whole matrices: the identity, orthogonal and sparse ones.

package nn

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/rng"
)

// Eye sets a matrix to 1 on its diagonal and 0 elsewhere, so that a [Linear]
// passes on as many of its inputs as it can. It panics with *[Error] for anything
// but a matrix.
func Eye(w *autograd.Var, _ *RNG) {
	_, cols := matrixOf("Eye", w)
	set(w, func(i uint64) float64 {
		if i/uint64(cols) == i%uint64(cols) {
			return 1
		}
		return 0
	})
}

// Orthogonal draws a (semi-)orthogonal matrix, uniformly among them, as
// torch.nn.init.orthogonal_ does (Saxe et al. 2014; Mezzadri 2007): the columns
// of w, or if those are more than the rows its rows, are of length 1 and
// orthogonal to each other. Axes before the last count as rows. It panics with
// *[Error] for fewer than two axes.
func Orthogonal(w *autograd.Var, r *RNG) {
	s := w.Shape()
	if len(s) < 2 {
		misuse("Orthogonal", fmt.Sprintf("takes a matrix, got %v", s))
	}
	cols := s[len(s)-1]
	rows := s.Size() / max(cols, 1)
	// long vectors as the rows of q, of a matrix or of its transpose
	n, length := min(rows, cols), max(rows, cols)
	q := make([][]float64, n)
	seed := r.Seed()
	for k := range q {
		q[k] = make([]float64, length)
		for i := range q[k] {
			q[k][i] = rng.Normal(seed, uint64(k*length+i))
		}
		orthonormalize(q[k], q[:k])
	}
	set(w, func(i uint64) float64 {
		row, col := int(i)/cols, int(i)%cols
		if rows >= cols {
			row, col = col, row
		}
		return q[row][col]
	})
}

// orthonormalize makes v orthogonal to the vectors of q, which are orthonormal,
// and of length 1 (Gram and Schmidt, modified: of normal vectors its rounding
// errors are harmless). What is left of a normal vector has a uniform direction,
// so the matrix is uniform too.
func orthonormalize(v []float64, q [][]float64) {
	for _, u := range q {
		var dot float64
		for i, x := range u {
			dot += x * v[i]
		}
		for i, x := range u {
			v[i] -= dot * x
		}
	}
	var squares float64
	for _, x := range v {
		squares += x * x
	}
	for i := range v {
		v[i] /= math.Sqrt(squares)
	}
}

// Sparse returns the initialiser that draws a matrix from N(0, std^2) and sets the
// share sparsity, rounded up, of the weights that leave each input to 0 (Martens
// 2010), as torch.nn.init.sparse_ does: of a weight [in out] each row has that many
// zeros. It panics with *[Error] unless 0 <= sparsity <= 1, and for anything but a
// matrix.
func Sparse(sparsity, std float64) Initializer {
	const op = "Sparse"
	if !(sparsity >= 0 && sparsity <= 1) {
		misuse(op, fmt.Sprintf("sparsity %v is outside [0, 1]", sparsity))
	}
	return func(w *autograd.Var, r *RNG) {
		rows, cols := matrixOf(op, w)
		normal(w, r, std)
		zeros := int(math.Ceil(sparsity * float64(cols)))
		shuffle := rand.New(r.Stream())
		zero := make([]bool, rows*cols)
		for i := range rows {
			for _, j := range shuffle.Perm(cols)[:zeros] {
				zero[i*cols+j] = true
			}
		}
		update(w, func(i uint64, x float64) float64 {
			if zero[i] {
				return 0
			}
			return x
		})
	}
}

func matrixOf(op string, w *autograd.Var) (rows, cols int) {
	s := w.Shape()
	if len(s) != 2 {
		misuse(op, fmt.Sprintf("takes a matrix, got %v", s))
	}
	return s[0], s[1]
}
