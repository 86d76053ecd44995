package gnn

// Dense layers inside vertex functions.

import (
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// linear is x W + b inside a vertex function, by the weights that linearParams
// binds under the name. Only whether there is a bias is read from l.
func linear(x vc.Value, name string, l *nn.Linear) vc.Value {
	x = x.MatMul(vc.Param(name + ".weight"))
	if l.Bias == nil {
		return x
	}
	return x.Add(vc.Param(name + ".bias"))
}

// linearParams binds the weights of a part of a layer, unless it is nil.
func linearParams(layer, name string, l *nn.Linear) []vc.Binding {
	if l == nil {
		return nil
	}
	bias := shaped(layer, "the bias of "+name, name+".bias", l.Bias, width(l.Weight))
	return append(param(name+".weight", l.Weight), bias...)
}
