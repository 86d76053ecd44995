//go:build (darwin || (linux && !android)) && (amd64 || arm64)

package dynlib

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func libm() string {
	if runtime.GOOS == "darwin" {
		return "libSystem.B.dylib"
	}
	return "libm.so.6"
}

func TestASymbolOfALoadedLibraryHasAnAddress(t *testing.T) {
	handle, err := Open(libm())
	if err != nil {
		t.Skip(err)
	}
	if address, err := Symbol(handle, "cos"); err != nil || address == 0 {
		t.Errorf("cos is at %d: %v", address, err)
	}
}

// Goroutines that yield all the time move from thread to thread, where the loader's text of
// an error is another one's or empty.
func TestErrorsNameWhatIsMissingWhateverElseRuns(t *testing.T) {
	handle, err := Open(libm())
	if err != nil {
		t.Skip(err)
	}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 200 {
				library, symbol := fmt.Sprintf("libmissing%d-%d.so", g, i), fmt.Sprintf("missing_%d_%d", g, i)
				if _, err := Open(library); err == nil || !strings.Contains(err.Error(), library) || strings.Count(err.Error(), "libmissing") > 1 {
					t.Errorf("loading %s: error %v", library, err)
				}
				runtime.Gosched()
				if _, err := Symbol(handle, symbol); err == nil || !strings.Contains(err.Error(), symbol) || strings.Count(err.Error(), "missing_") > 1 {
					t.Errorf("looking for %s: error %v", symbol, err)
				}
			}
		})
	}
	wg.Wait()
}
