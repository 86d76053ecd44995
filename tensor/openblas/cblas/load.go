//go:build (darwin || (linux && !android) || windows) && (amd64 || arm64)

// Loading: from a file's name to functions, through purego.

package cblas

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/ebitengine/purego"
)

func open(path string) (*Library, error) {
	handle, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("cblas: %w", err)
	}
	l := &Library{path: path}
	for name, fn := range map[string]any{"cblas_sgemm": &l.sgemm, "cblas_dgemm": &l.dgemm} {
		if !bind(handle, name, fn) {
			return nil, fmt.Errorf("cblas: %s has no %s", path, name)
		}
	}
	l.version, l.setThreads = describe(handle)
	return l, nil
}

// prefixes are what builds put before the names of the functions: that of the Python
// package scipy-openblas32, which installs without root, keeps clear of other libraries.
var prefixes = []string{"", "scipy_"}

// bind makes fn, a pointer to a function, call a symbol of the library. It
// reports whether the library has it.
func bind(handle uintptr, name string, fn any) bool {
	for _, prefix := range prefixes {
		if address, err := symbol(handle, prefix+name); err == nil && address != 0 {
			purego.RegisterFunc(fn, address)
			return true
		}
	}
	return false
}

// describe asks the library, in its own dialect, what it is and how its threads
// are set.
func describe(handle uintptr) (version string, setThreads func(int)) {
	var (
		config, corename, blisVersion func() string
		setInt                        func(n int32)
		setLong                       func(n int)
		mklVersion                    func(text *byte, n int32)
	)
	switch {
	case bind(handle, "openblas_get_config", &config) && bind(handle, "openblas_get_corename", &corename) && bind(handle, "openblas_set_num_threads", &setInt):
		number := "of unknown version"
		if f := strings.Fields(config()); len(f) > 1 {
			number = f[1]
		}
		return fmt.Sprintf("openblas %s (%s)", number, corename()), func(n int) { setInt(int32(n)) }
	case bind(handle, "mkl_get_version_string", &mklVersion) && bind(handle, "MKL_Set_Num_Threads", &setInt):
		text := make([]byte, 256)
		mklVersion(&text[0], int32(len(text)))
		text, _, _ = bytes.Cut(text, []byte{0})
		return "mkl " + mklNumber(string(text)), func(n int) { setInt(int32(n)) }
	case bind(handle, "bli_info_get_version_str", &blisVersion) && bind(handle, "bli_thread_set_num_threads", &setLong):
		return "blis " + blisVersion(), func(n int) { setLong(n) }
	}
	return "unknown cblas", func(int) {}
}

var dotted = regexp.MustCompile(`\d+(\.\d+)+`)

// mklNumber finds the version in MKL's sentence about itself.
func mklNumber(sentence string) string {
	if v := dotted.FindString(sentence); v != "" {
		return v
	}
	return sentence
}
