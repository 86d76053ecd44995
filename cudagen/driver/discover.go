// Finding the libraries: an override, the system's loader, WSL, the driver's and
// the toolkit's usual folders, the wheels of Python packages; the first that
// loads and has all functions is used.

package driver

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// PathVariable names the environment variable with the folders to search first.
const PathVariable = "ASTERIAS_CUDA_PATH"

// System is what of CUDA this machine has. A library that was not found is nil.
type System struct {
	Driver   Driver
	Compiler Compiler
	BLAS     BLAS
	Search   *Search

	// Why a library is nil.
	DriverErr, CompilerErr, BLASErr error
}

// wrapDriver puts another binding in front of the loaded driver: see gorgcu.go.
var wrapDriver func(Driver) Driver

// Load searches for the libraries. It never returns nil; the error is that of the
// driver, without which nothing runs. Libraries stay loaded until the process ends.
func Load() (*System, error) {
	f := newFinder()
	s := &System{Search: f.log}
	s.DriverErr = f.find(driverLibrary, func(handle uintptr, path string) (err error) {
		s.Driver, err = bindDriver(handle, path)
		return err
	})
	if s.Driver != nil {
		if wrapDriver != nil {
			s.Driver = wrapDriver(s.Driver)
		}
		if v, err := s.Driver.Version(); err == nil {
			f.cudaMajor = v / 1000
		}
	}
	s.CompilerErr = f.find(compilerLibrary, func(handle uintptr, path string) (err error) {
		s.Compiler, err = bindCompiler(handle, path)
		return err
	})
	s.BLASErr = f.find(blasLibrary, func(handle uintptr, path string) (err error) {
		s.BLAS, err = bindBLAS(handle, path)
		return err
	})
	return s, s.DriverErr
}

// LoadSparse searches for cuSPARSE, which [Load] does not. The driver's version says
// which release is tried first.
func (s *System) LoadSparse() (Sparse, error) {
	if s.Driver == nil {
		return nil, s.noDriver()
	}
	v, err := s.Driver.Version()
	if err != nil {
		return nil, err
	}
	f := newFinder()
	f.cudaMajor = v / 1000
	var found Sparse
	err = f.find(sparseLibrary, func(handle uintptr, path string) (err error) {
		found, err = bindSparse(handle, path)
		return err
	})
	return found, err
}

// A library is what is known of one before it is found.
type library struct {
	title string
	// names lists, for an operating system, file names by CUDA version, newest first.
	names map[string][]versioned
	// preload lists patterns of files beside the library that are loaded before it,
	// by absolute path: the library opens them by name and would not find them.
	preload map[string][]string
	driver  bool // lies where drivers do, not where toolkits do
}

type versioned struct {
	major int // of CUDA; 0 if the name does not say
	name  string
}

var (
	driverLibrary = library{
		title: "CUDA driver", driver: true,
		names: map[string][]versioned{
			"linux":   {{0, "libcuda.so.1"}, {0, "libcuda.so"}},
			"windows": {{0, "nvcuda.dll"}},
		},
	}
	compilerLibrary = library{
		title: "NVRTC",
		names: map[string][]versioned{
			"linux":   {{13, "libnvrtc.so.13"}, {12, "libnvrtc.so.12"}, {11, "libnvrtc.so.11.2"}, {0, "libnvrtc.so"}},
			"windows": {{13, "nvrtc64_130_0.dll"}, {12, "nvrtc64_120_0.dll"}, {11, "nvrtc64_112_0.dll"}},
		},
		preload: map[string][]string{
			"linux":   {"libnvrtc-builtins.so.*"},
			"windows": {"nvrtc-builtins64_*.dll"},
		},
	}
	blasLibrary = library{
		title: "cuBLAS",
		names: map[string][]versioned{
			"linux":   {{13, "libcublas.so.13"}, {12, "libcublas.so.12"}, {11, "libcublas.so.11"}, {0, "libcublas.so"}},
			"windows": {{13, "cublas64_13.dll"}, {12, "cublas64_12.dll"}, {11, "cublas64_11.dll"}},
		},
		preload: map[string][]string{
			"linux":   {"libcublasLt.so.*"},
			"windows": {"cublasLt64_*.dll"},
		},
	}
	sparseLibrary = library{
		title: "cuSPARSE",
		names: map[string][]versioned{
			// cuSPARSE 12 is the release of CUDA 12 and of 13.
			"linux":   {{0, "libcusparse.so.12"}, {11, "libcusparse.so.11"}, {0, "libcusparse.so"}},
			"windows": {{0, "cusparse64_12.dll"}, {11, "cusparse64_11.dll"}},
		},
		preload: map[string][]string{
			"linux":   {"libnvJitLink.so.*"},
			"windows": {"nvJitLink_*.dll"},
		},
	}
)

// The places, in the order of the search.
const (
	placeOverride = PathVariable
	placeLoader   = "system loader"
	placeWSL      = "WSL"
	placeDriver   = "driver"
	placeToolkit  = "toolkit"
	placePython   = "python packages"
)

const noSuchFile = "no such file"

// A finder searches; its functions are those of the system, or a test's.
type finder struct {
	goos      string
	getenv    func(string) string
	glob      func(pattern string) []string // existing files and folders, sorted
	open      func(path string) (uintptr, error)
	python    func() []string // folders that Python imports from
	cudaMajor int             // the driver's version, 0 if unknown
	log       *Search
}

// newFinder searches this system.
func newFinder() *finder {
	return &finder{
		goos:   runtime.GOOS,
		getenv: os.Getenv,
		glob:   glob,
		open:   dlopen,
		python: pythonFolders,
		log:    &Search{},
	}
}

// find loads the first library that bind accepts.
func (f *finder) find(l library, bind func(handle uintptr, path string) error) error {
	names := f.order(l.names[f.goos])
	f.log.Libraries = append(f.log.Libraries, LibrarySearch{Library: l.title, Names: names})
	log := &f.log.Libraries[len(f.log.Libraries)-1]
	if len(names) == 0 {
		return fmt.Errorf("%s: there is no CUDA on %s", l.title, f.goos)
	}
	attempt := func(place, path string) bool {
		handle, err := f.open(path)
		if err == nil {
			err = bind(handle, path)
		}
		outcome := "loaded"
		if err != nil {
			outcome = err.Error()
		}
		log.Tries = append(log.Tries, Try{Place: place, Path: path, Outcome: outcome})
		if err == nil {
			log.Found = path
		}
		return err == nil
	}
	for _, place := range f.places(l) {
		if place.name == placeLoader {
			if slices.ContainsFunc(names, func(name string) bool { return attempt(placeLoader, name) }) {
				return nil
			}
			continue
		}
		for _, pattern := range place.folders() {
			if f.inFolder(pattern, l, names, place.name, attempt, log) {
				return nil
			}
		}
	}
	return &NotFoundError{Search: *log}
}

// inFolder tries the names in the folders of a pattern.
func (f *finder) inFolder(pattern string, l library, names []string, place string, attempt func(place, path string) bool, log *LibrarySearch) bool {
	any := false
	for _, name := range names {
		// The newest of several folders is the last in the order of names.
		paths := f.glob(filepath.Join(pattern, name))
		for _, path := range slices.Backward(paths) {
			any = true
			for _, p := range l.preload[f.goos] {
				for _, beside := range f.glob(filepath.Join(filepath.Dir(path), p)) {
					if _, err := f.open(beside); err != nil {
						log.Tries = append(log.Tries, Try{Place: place, Path: beside, Outcome: err.Error()})
					}
				}
			}
			if attempt(place, path) {
				return true
			}
		}
	}
	if !any {
		log.Tries = append(log.Tries, Try{Place: place, Path: pattern, Outcome: noSuchFile})
	}
	return false
}

// order sorts names: those of the driver's major version first, since code from
// a newer compiler may not load, then older ones, then newer ones.
func (f *finder) order(names []versioned) []string {
	sorted := slices.Clone(names)
	if f.cudaMajor > 0 {
		slices.SortStableFunc(sorted, func(a, b versioned) int { return f.rank(a) - f.rank(b) })
	}
	out := make([]string, len(sorted))
	for i, v := range sorted {
		out[i] = v.name
	}
	return out
}

func (f *finder) rank(v versioned) int {
	switch {
	case v.major == f.cudaMajor:
		return 0
	case v.major == 0:
		return 2
	case v.major < f.cudaMajor:
		return 1
	}
	return 3
}

type place struct {
	name    string
	folders func() []string // patterns; asked for only if the search comes so far
}

func (f *finder) places(l library) []place {
	list := func(folders ...string) func() []string { return func() []string { return folders } }
	places := []place{
		{placeOverride, func() []string { return f.override() }},
		{placeLoader, nil},
	}
	if f.goos == "linux" && l.driver {
		places = append(places,
			place{placeWSL, list("/usr/lib/wsl/lib")},
			place{placeDriver, list("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/local/nvidia/lib64", "/run/opengl-driver/lib", "/usr/local/cuda/compat")})
	}
	if l.driver {
		return places
	}
	return append(places,
		place{placeToolkit, f.toolkits},
		place{placePython, func() []string {
			var out []string
			for _, folder := range f.python() {
				out = append(out, f.wheels(folder)...)
			}
			return out
		}})
}

// override returns the folders of the environment variable: each as it is, as a
// toolkit's root and as site-packages.
func (f *finder) override() []string {
	var out []string
	for _, root := range f.list(f.getenv(PathVariable)) {
		out = append(append(append(out, root), f.inToolkit(root)...), f.wheels(root)...)
	}
	return out
}

func (f *finder) toolkits() []string {
	var out []string
	for _, variable := range []string{"CUDA_PATH", "CUDA_HOME"} {
		if root := f.getenv(variable); root != "" {
			out = append(out, f.inToolkit(root)...)
		}
	}
	if f.goos == "windows" {
		if programs := f.getenv("ProgramFiles"); programs != "" {
			out = append(out, f.inToolkit(filepath.Join(programs, "NVIDIA GPU Computing Toolkit", "CUDA", "v*"))...)
		}
		return out
	}
	for _, root := range []string{"/usr/local/cuda", "/usr/local/cuda-*", "/opt/cuda"} {
		out = append(out, f.inToolkit(root)...)
	}
	return out
}

// inToolkit returns the folders of a toolkit that have libraries.
func (f *finder) inToolkit(root string) []string {
	if f.goos == "windows" {
		return []string{filepath.Join(root, "bin"), filepath.Join(root, "bin", "x64")}
	}
	return []string{filepath.Join(root, "lib64"), filepath.Join(root, "targets", "*", "lib"), filepath.Join(root, "lib")}
}

// wheels returns the folders of a site-packages that have libraries.
func (f *finder) wheels(site string) []string {
	if f.goos == "windows" {
		return []string{filepath.Join(site, "nvidia", "*", "bin"), filepath.Join(site, "nvidia", "*", "bin", "x86_64")}
	}
	return []string{filepath.Join(site, "nvidia", "*", "lib")}
}

// list splits a variable as PATH is split.
func (f *finder) list(variable string) []string {
	separator := ":"
	if f.goos == "windows" {
		separator = ";"
	}
	return slices.DeleteFunc(strings.Split(variable, separator), func(s string) bool { return s == "" })
}

// glob returns the files of a pattern; a pattern that is malformed matches none.
func glob(pattern string) []string {
	paths, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	return paths
}

// packageFolders picks from lines those where Python's packages are installed.
func packageFolders(lines string) []string {
	var out []string
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); strings.HasSuffix(line, "-packages") {
			out = append(out, line)
		}
	}
	return out
}

// pythonFolders asks the Python on PATH where it imports from. Without Python, or
// with one that does not answer in time, there are none.
func pythonFolders() []string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for _, name := range []string{"python3", "python"} {
		path, err := exec.LookPath(name)
		if err != nil && !errors.Is(err, exec.ErrDot) {
			continue
		}
		out, err := exec.CommandContext(ctx, path, "-c", `import sys; print("\n".join(p for p in sys.path if p))`).Output()
		if err == nil {
			return packageFolders(string(out))
		}
	}
	return nil
}
