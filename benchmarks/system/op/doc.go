// Package op makes differentiable operations of a system's calls: models, gradients
// and memory are the same for every system, so a comparison is one of kernels.
//
//	ops := op.New(g, sys.Device(), vertices, src, dst)
//	h := ops.SpMMv(x, system.Flags{Norm: system.NormBoth})
//
// The gradient of a call is made of the calls and of element-wise operations. In
// short, for sums over edges e from s to d, the ends as the flags have them:
//
//	call                    gradients
//	SpMMv    Σ c x_s        dx = SpMMv(g) with Transpose flipped and the same Norm
//	SpMMve   Σ c (x_s ⊗ w)  dx = SpMMve(g, w) flipped;  dw = c SDDMMvv(x, g)
//	SpMMe    Σ w            dw = SDDMMve copy of g, flipped
//	SDDMMvv  x_s ⊗ y_d      dx = SpMMve(y, g) flipped;  dy = SpMMve(x, g)
//	SDDMMve  w ⊗ x_s        dx = SpMMe(g w) flipped;    dw = SDDMMve(x, g)
//
// The degrees of c divide rows of x and g where no call does it. Max and Min have no
// gradient: an operand that requires one is misuse (see [autograd.Var.Detach]).
//
//	op.go        the operations
//	gradients.go their gradients
//	degrees.go   what degrees divide, and which vertices have none
package op
