package main

// What a signature says, and how names of C are spelled in Go.

import "strings"

// A Signature is a kernel.
type Signature struct {
	Text   string // as it was given, on one line
	Name   string
	Graph  string
	Params []Param
}

// A Param is an array or a scalar.
type Param struct {
	Name   string
	Dims   []string // of an array: letters or numbers
	Output bool
	Scalar *Scalar // nil for an array
}

// A Scalar is a type of number that kernels take.
type Scalar struct {
	Name   string // in signatures
	Go, C  string
	Values string // what tests try, as Go values
}

var scalars = []*Scalar{
	{"bool", "bool", "bool", "false, true"},
	{"int", "int32", "int32_t", "1, 2"},
	{"float", "float32", "float", "0.75"},
	{"double", "float64", "double", "0.75"},
	{"op_t", "system.Op", "int32_t", "system.OpMul, system.OpAdd, system.OpSub, system.OpDiv"},
	{"reduce_t", "system.Reduce", "int32_t", "system.Sum, system.Max, system.Min"},
	{"norm_t", "system.Norm", "int32_t", "system.NormNone, system.NormMean, system.NormLeft, system.NormBoth"},
}

// Coded tells whether the scalar is a code of package system.
func (s *Scalar) Coded() bool { return strings.HasPrefix(s.Go, "system.") }

// Inputs, Outputs and Scalars are the parameters of a kind, in order.
func (s Signature) Inputs() []Param {
	return s.pick(func(p Param) bool { return p.Scalar == nil && !p.Output })
}

// Outputs are the arrays that the kernel writes.
func (s Signature) Outputs() []Param {
	return s.pick(func(p Param) bool { return p.Scalar == nil && p.Output })
}

// Scalars are what is no array.
func (s Signature) Scalars() []Param {
	return s.pick(func(p Param) bool { return p.Scalar != nil })
}

func (s Signature) pick(want func(Param) bool) []Param {
	var list []Param
	for _, p := range s.Params {
		if want(p) {
			list = append(list, p)
		}
	}
	return list
}

// Lengths are the letters of the dimensions, N and E first, then in order.
func (s Signature) Lengths() []string {
	list := []string{"N", "E"}
	seen := map[string]bool{"N": true, "E": true}
	for _, p := range s.Params {
		for _, d := range p.Dims {
			if isLetter(d) && !seen[d] {
				seen[d] = true
				list = append(list, d)
			}
		}
	}
	return list
}

// isLetter tells whether a dimension is a length that has a name.
func isLetter(dim string) bool { return dim[0] >= 'A' && dim[0] <= 'Z' }

// Exported spells a name as Go exports it: "SpmmScaled".
func Exported(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// Local spells a name as a Go variable: "edgeScale".
func Local(name string) string {
	s := Exported(name)
	return strings.ToLower(s[:1]) + s[1:]
}

// Go is the parameter's name in Go.
func (p Param) Go() string { return Local(p.Name) }

// Gradient is the name of the parameter's gradient in Go.
func (p Param) Gradient() string { return "grad" + Exported(p.Name) }

// Data is the name of the array's elements in C.
func (p Param) Data() string { return p.Name + "_data" }
