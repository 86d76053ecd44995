package harness

import (
	"os"
	"testing"
)

func TestResidentMemoryGrowsWithWhatIsTouched(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("needs /proc")
	}
	before := Resident("VmRSS")
	block := make([]byte, 64<<20)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	if grown := Resident("VmRSS") - before; grown < 48<<20 {
		t.Errorf("%d bytes, and %d more after touching %d", before, grown, len(block))
	}
	if Resident("VmHWM") < Resident("VmRSS")-1<<20 {
		t.Error("the peak is below the present")
	}
	if got := Resident("NoSuchField"); got != -1 {
		t.Errorf("a field that is not there: %d", got)
	}
	_ = block[len(block)-1]
}
