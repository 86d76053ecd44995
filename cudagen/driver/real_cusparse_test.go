//go:build linux && !android && (amd64 || arm64)

// Tests of the bindings of cuSPARSE against the C library that notes its arguments, and
// of the library's symbols where it is installed.

package driver

import (
	"errors"
	"strings"
	"testing"
)

func TestSparseCallsPassEveryArgument(t *testing.T) {
	lib := stubLibrary(t)
	s, err := bindSparse(lib.handle, lib.path)
	if err != nil {
		t.Fatal(err)
	}
	lib.reset(0)
	h, err := s.Create()
	if err != nil || h != 0xaa01 {
		t.Fatalf("Create: %#x, %v", h, err)
	}
	if v, err := s.Version(h); v != 12508 || err != nil {
		t.Errorf("Version: %d, %v", v, err)
	}
	lib.reset(0)
	if err := s.SetStream(h, 0x7fff00005001); err != nil || lib.log() != "0xaa01 0x7fff00005001" {
		t.Errorf("SetStream: %v, %q", err, lib.log())
	}
	m := SpMM{Rows: 5_000_000_001, Cols: 2, NNZ: 3, N: 64, Offsets: 0x7fff12345601, Columns: 0x7fff12345602, Values: 0x7fff12345603,
		B: 0x7fff12345605, C: 0x7fff12345606, Algorithm: SpMMCSR3}
	lib.reset(0)
	p, err := s.NewSpMM(h, m)
	if err != nil {
		t.Fatal(err)
	}
	if p.Workspace != 5_000_000_000 {
		t.Errorf("workspace of %d bytes", p.Workspace)
	}
	const call = "0xaa01 0 0 1 0xaa02 0xaa05 0 0xaa06 0 12 "
	want := "csr 5000000001 2 3 0x7fff12345601 0x7fff12345602 0x7fff12345603 2 2 0 0\n" +
		"dense 2 64 64 0x7fff12345605 0 2\ndense 5000000001 64 64 0x7fff12345606 0 2\n" + call + "0\n"
	if got := lib.log(); got != want {
		t.Errorf("NewSpMM: the library got\n%swant\n%s", got, want)
	}
	for name, f := range map[string]func(SparseHandle, *SpMMPlan, Ptr) error{"PrepareSpMM": s.PrepareSpMM, "RunSpMM": s.RunSpMM} {
		lib.reset(0)
		if err := f(h, p, 0x7fff12345700); err != nil || lib.log() != call+"0x7fff12345700\n" {
			t.Errorf("%s: %v, %q", name, err, lib.log())
		}
	}
	lib.reset(0)
	if err := s.DestroySpMM(p); err != nil || lib.log() != "destroy 0xaa02\ndestroy 0xaa05\ndestroy 0xaa06\n" {
		t.Errorf("DestroySpMM: %v, %q", err, lib.log())
	}
	lib.reset(0)
	if err := s.DestroySpMM(p); err != nil || lib.log() != "" {
		t.Errorf("a second DestroySpMM: %v, %q", err, lib.log())
	}
	lib.reset(0)
	if err := s.Destroy(h); err != nil || lib.log() != "0xaa01" {
		t.Errorf("Destroy: %v, %q", err, lib.log())
	}
	lib.reset(3)
	var failed *Error
	if _, err := s.NewSpMM(h, m); !errors.As(err, &failed) || failed.Name != "STUB_SPARSE" || failed.Library != LibraryCUSPARSE {
		t.Errorf("a failure became %v", err)
	}
}

// The library of Python's packages has the symbols. Nothing of it is called: that
// needs a GPU.
func TestInstalledCuSPARSEHasTheSymbols(t *testing.T) {
	f := newFinder()
	found := false
	err := f.find(sparseLibrary, func(handle uintptr, path string) error {
		_, err := bindSparse(handle, path)
		found = err == nil
		return err
	})
	var none *NotFoundError
	if errors.As(err, &none) && !strings.Contains(err.Error(), "symbol") {
		t.Skip(err)
	}
	if !found {
		t.Error(err)
	}
}
