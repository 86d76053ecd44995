// What devices there are, for people to read.

package tensor

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
)

var reports = struct {
	mu sync.Mutex
	of map[string]func() string
}{of: map[string]func() string{}}

// RegisterReport says how a kind of devices describes itself: which there are, and where
// what they need was looked for. A package that brings a kind calls it once.
func RegisterReport(kind string, report func() string) {
	reports.mu.Lock()
	defer reports.mu.Unlock()
	if reports.of[kind] != nil {
		panic(fmt.Sprintf("BUG: tensor: devices of kind %q are reported twice", kind))
	}
	reports.of[kind] = report
}

// DeviceReport describes the CPU and all kinds of devices whose packages are linked.
func DeviceReport() string {
	reports.mu.Lock()
	defer reports.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "cpu: %s, %d threads\n", runtime.GOARCH, Threads())
	for _, kind := range slices.Sorted(maps.Keys(reports.of)) {
		b.WriteString(reports.of[kind]())
	}
	if len(reports.of) == 0 {
		fmt.Fprintf(&b, "no other kind of device is linked: import _ %q\n", "github.com/asterias-ml/asterias/cudagen")
	}
	return b.String()
}
