package cudagen_test

import (
	"strings"
	"testing"

	"github.com/asterias-ml/asterias"
	"github.com/asterias-ml/asterias/tensor"
)

// A machine without a GPU says what was looked for and where: in one line when a
// device is asked for, in full in the report.
func TestDevicesAreReported(t *testing.T) {
	report := asterias.Devices()
	for _, word := range []string{"cpu: ", "CUDA driver: ", "NVRTC: ", "cuBLAS: "} {
		if !strings.Contains(report, word) {
			t.Errorf("the report lacks %q:\n%s", word, report)
		}
	}
	d, err := tensor.CUDA(0)
	if err == nil {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		t.Skip("there is a GPU")
	}
	if text := err.Error(); strings.Contains(text, "\n") || !strings.Contains(text, "CUDA") {
		t.Errorf("error %q", text)
	}
}
