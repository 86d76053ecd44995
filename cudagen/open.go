package cudagen

// Opening devices.

import (
	"fmt"
	"strings"
	"sync"
	"weak"

	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

func init() {
	tensor.RegisterBackend("cuda", func(index int) (tensor.Backend, error) {
		s, err := system()
		if err != nil {
			return nil, err
		}
		return Open(s, index, driver.DeviceOptions{Pools: true}, "")
	})
	tensor.RegisterReport("cuda", Devices)
}

// system searches for the libraries once.
var system = sync.OnceValues(driver.Load)

// Open opens a GPU of a system: the backend computes with its tensors and runs vertex
// programs. Kernels are kept in a folder on disk; the empty name is the user's cache.
// [tensor.CUDA] is the usual way; this one serves other systems, such as an emulated one:
//
//	device := tensor.NewDevice("cuda", 0, backend)
func Open(s *driver.System, index int, o driver.DeviceOptions, folder string) (*Backend, error) {
	b, err := dense.Open(s, index, o, folder)
	if err != nil {
		return nil, err
	}
	return &Backend{Backend: b, graphs: make(map[weak.Pointer[graph.Graph]]*arrays)}, nil
}

// Backend is a GPU: the dense engine and the runner of vertex programs.
type Backend struct {
	*dense.Backend

	mu     sync.Mutex
	graphs map[weak.Pointer[graph.Graph]]*arrays // which may be gone
	tuning string                                // the folder of choices, see Tune; empty: the renderer's rules
}

// Devices says in a few lines which GPUs there are, and where the driver, NVRTC and
// cuBLAS were found or looked for.
func Devices() string {
	s, err := system()
	var b strings.Builder
	if err != nil {
		fmt.Fprintf(&b, "no CUDA device: %v\n", err)
	} else if infos, err := s.Devices(); err != nil {
		fmt.Fprintf(&b, "no CUDA device: %v\n", err)
	} else {
		for _, info := range infos {
			fmt.Fprintln(&b, info)
		}
	}
	b.WriteString(s.Search.String())
	return b.String()
}
