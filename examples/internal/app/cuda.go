//go:build !emulated

package app

import (
	_ "github.com/asterias-ml/asterias/cudagen" // registers the kind
	"github.com/asterias-ml/asterias/tensor"
)

// cuda returns a GPU.
func cuda(index int) (*tensor.Device, error) { return tensor.CUDA(index) }
