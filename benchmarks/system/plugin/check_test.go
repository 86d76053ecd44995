//go:build linux && !android && (amd64 || arm64)

package plugin

// Libraries before the pitfall detector.

import (
	"strings"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/benchmarks/system/check"
)

func TestTheExampleHasNoPitfall(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thousands of calls")
	}
	report, err := check.Run(mustOpen(t, example(t), patient), check.Options{Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	if !report.OK() || len(report.Unsupported) > 0 {
		t.Error(report.Markdown())
	}
}

func TestALibraryThatWritesOutOfItsOutputIsFoundOut(t *testing.T) {
	s := mustOpen(t, evil(t, "overrun"), Options{Timeout: time.Minute, Restarts: 3})
	report, err := check.Run(s, check.Options{Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	if text := report.Markdown(); report.OK() || !strings.Contains(text, "SpMMv") || !strings.Contains(text, OutOfBounds.String()) {
		t.Errorf("the report does not tell that SpMMv writes out of bounds: %s", text)
	}
}
