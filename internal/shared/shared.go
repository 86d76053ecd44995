// Package shared gives tests the shared datasets and golden vectors that lie
// beside the repository. They are used in place, never copied into it.
package shared

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sbinet/npyio/npz"
)

// Dir returns the folder `shared` beside the repository. Where it is absent
// the test is skipped, or fails if ASTERIAS_REQUIRE_SHARED=1.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("shared: no go.mod above the working directory")
		}
		dir = parent
	}
	shared := filepath.Join(filepath.Dir(dir), "shared")
	if _, err := os.Stat(shared); err != nil {
		if os.Getenv("ASTERIAS_REQUIRE_SHARED") == "1" {
			t.Fatalf("shared: the shared data are required: %v", err)
		}
		t.Skip("the shared datasets and golden vectors are not beside the repository")
	}
	return shared
}

// Array is one member of a golden file: its shape and the slice of its type;
// the other slices are nil.
type Array struct {
	Shape []int
	F64   []float64
	F32   []float32
	I64   []int64
}

// Golden reads golden/<name>.npz: every member by its key.
func Golden(t testing.TB, name string) map[string]Array {
	t.Helper()
	r, err := npz.Open(filepath.Join(Dir(t), "golden", name+".npz"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out := make(map[string]Array)
	for _, key := range r.Keys() {
		h := r.Header(key)
		a := Array{Shape: append([]int{}, h.Descr.Shape...)}
		switch h.Descr.Type {
		case "<f8":
			err = r.Read(key, &a.F64)
		case "<f4":
			err = r.Read(key, &a.F32)
		case "<i8":
			err = r.Read(key, &a.I64)
		default:
			t.Fatalf("shared: %s: %s has type %s", name, key, h.Descr.Type)
		}
		if err != nil {
			t.Fatalf("shared: %s: %s: %v", name, key, err)
		}
		out[strings.TrimSuffix(key, ".npy")] = a
	}
	return out
}

// Int32s returns the array's 64-bit integers as 32-bit ones.
func (a Array) Int32s() []int32 {
	out := make([]int32, len(a.I64))
	for i, x := range a.I64 {
		out[i] = int32(x)
	}
	return out
}
