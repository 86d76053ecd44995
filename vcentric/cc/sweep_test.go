package cc

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// fill puts libraries and what builds leave into a directory: file i of each kind is
// so many days old.
func fill(t *testing.T, dir string, days map[string]int) time.Time {
	t.Helper()
	now := time.Now()
	for name, n := range days {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		then := now.Add(-time.Duration(n) * 24 * time.Hour)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	return now
}

func filesOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]bool)
	for _, e := range entries {
		out[e.Name()] = true
	}
	return out
}

func TestSweepRemovesWhatIsOld(t *testing.T) {
	dir := t.TempDir()
	now := fill(t, dir, map[string]int{
		"young.so": 89, "young.sum": 89, "old.so": 91, "old.sum": 91, "kept.so": 400, "kept.sum": 400,
		"used.so": 1, "used.sum": 400, "alone.sum": 2, "fresh.sum": 0,
		"build-1": 0, "build-2": 2, "try-1": 0, "try-2": 2, "foreign": 400,
	})
	sweep(dir, "kept", now)
	left := filesOf(t, dir)
	for name, want := range map[string]bool{
		"young.so": true, "young.sum": true, "old.so": false, "old.sum": false, "kept.so": true, "kept.sum": true,
		"used.so": true, "used.sum": true, "alone.sum": false, "fresh.sum": true,
		"build-1": true, "build-2": false, "try-1": true, "try-2": false, "foreign": true,
	} {
		if left[name] != want {
			t.Errorf("%s: there is %t, want %t", name, left[name], want)
		}
	}
}

func TestSweepKeepsTheLibrariesUsedLast(t *testing.T) {
	dir := t.TempDir()
	days := make(map[string]int)
	for i := range 60 {
		for _, end := range []string{suffix, checksum} {
			days[fmt.Sprintf("a%d%s", i, end)], days[fmt.Sprintf("b%d%s", i, end)] = i, i
		}
	}
	now := fill(t, dir, days)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { sweep(dir, "a59", now) })
	}
	wg.Wait()
	left := filesOf(t, dir)
	if len(left) != 2*maxLibraries {
		t.Errorf("%d files are left", len(left))
	}
	for _, name := range []string{"a0", "b0", "a48", "b48", "a59"} {
		if !left[name+suffix] || !left[name+checksum] {
			t.Errorf("%s is gone", name)
		}
	}
}

func TestAUsedLibraryStaysAndANewOneCleansUp(t *testing.T) {
	c, runs := counted(t)
	mustCompile(t, c)
	libraries, err := filepath.Glob(filepath.Join(c.Cache, "*"+suffix))
	if err != nil || len(libraries) != 1 {
		t.Fatalf("the cache has %v", libraries)
	}
	long := time.Now().Add(-2 * maxAge)
	if err := os.Chtimes(libraries[0], long, long); err != nil {
		t.Fatal(err)
	}
	mustCompile(t, c)
	fill(t, c.Cache, map[string]int{"old.so": 100, "old.sum": 100})
	if _, err := c.build(`__attribute__((visibility("default"))) int f(void) { return 0; }`, []string{"f"}); err != nil {
		t.Fatal(err)
	}
	if left := filesOf(t, c.Cache); !left[filepath.Base(libraries[0])] || left["old.so"] || len(left) != 4 || runs() != 2 {
		t.Errorf("after %d builds the cache has %v", runs(), left)
	}
}
