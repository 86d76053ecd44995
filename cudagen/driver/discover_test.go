// Tests of the search, on made-up machines.

package driver

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// machine is a file system and a loader: files lists what is there, loadable what
// the system's loader finds by name; broken files do not load.
type machine struct {
	goos     string
	env      map[string]string
	files    []string
	loadable []string
	broken   map[string]string
	python   []string
	asked    bool // python was asked
	opened   []string
}

func (m *machine) finder() *finder {
	return &finder{
		goos:   m.goos,
		getenv: func(k string) string { return m.env[k] },
		glob: func(pattern string) []string {
			var out []string
			for _, f := range m.files {
				if ok, _ := path.Match(filepath.ToSlash(pattern), f); ok {
					out = append(out, f)
				}
			}
			slices.Sort(out)
			return out
		},
		open: func(p string) (uintptr, error) {
			p = filepath.ToSlash(p)
			m.opened = append(m.opened, p)
			if why, ok := m.broken[p]; ok {
				return 0, errors.New(why)
			}
			if slices.Contains(m.files, p) || slices.Contains(m.loadable, p) {
				return 1, nil
			}
			return 0, fmt.Errorf("%s: cannot open shared object file", p)
		},
		python: func() []string { m.asked = true; return m.python },
		log:    &Search{},
	}
}

func accept(uintptr, string) error { return nil }

func TestSearchTakesThePlacesInTheirOrder(t *testing.T) {
	all := machine{
		goos:     "linux",
		env:      map[string]string{PathVariable: "/none:/mine", "CUDA_HOME": "/home/cuda"},
		loadable: []string{"libcuda.so.1", "libnvrtc.so.12"},
		files: []string{
			"/mine/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/usr/lib64/libcuda.so.1",
			"/mine/lib64/libnvrtc.so.12", "/home/cuda/lib64/libnvrtc.so.12", "/usr/local/cuda-12.2/lib64/libnvrtc.so.12",
			"/site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
		},
		python: []string{"/site"},
	}
	for _, c := range []struct {
		l    library
		want []string // what is found when all before it are taken away
	}{
		{driverLibrary, []string{"/mine/libcuda.so.1", "libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/usr/lib64/libcuda.so.1"}},
		{compilerLibrary, []string{"/mine/lib64/libnvrtc.so.12", "libnvrtc.so.12", "/home/cuda/lib64/libnvrtc.so.12",
			"/usr/local/cuda-12.2/lib64/libnvrtc.so.12", "/site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"}},
	} {
		m := all
		m.files, m.loadable = slices.Clone(all.files), slices.Clone(all.loadable)
		for _, want := range c.want {
			f := m.finder()
			if err := f.find(c.l, accept); err != nil {
				t.Fatalf("%s: %v", c.l.title, err)
			}
			found := filepath.ToSlash(f.log.Libraries[0].Found)
			if found != want {
				t.Fatalf("%s: found %s, want %s\n%s", c.l.title, found, want, f.log)
			}
			gone := func(s string) bool { return s == want }
			m.files, m.loadable = slices.DeleteFunc(m.files, gone), slices.DeleteFunc(m.loadable, gone)
		}
		f := m.finder()
		err := f.find(c.l, accept)
		var none *NotFoundError
		if !errors.As(err, &none) || f.log.Libraries[0].Found != "" {
			t.Errorf("%s: nothing left, but %v", c.l.title, err)
		}
	}
}

func TestTheNewestOfSeveralToolkitsIsTaken(t *testing.T) {
	m := machine{goos: "linux", files: []string{"/usr/local/cuda-12.2/lib64/libnvrtc.so.12", "/usr/local/cuda-12.4/lib64/libnvrtc.so.12"}}
	f := m.finder()
	if err := f.find(compilerLibrary, accept); err != nil || filepath.ToSlash(f.log.Libraries[0].Found) != "/usr/local/cuda-12.4/lib64/libnvrtc.so.12" {
		t.Errorf("%v\n%s", err, f.log)
	}
}

func TestPythonIsAskedOnlyWhenNothingElseHasTheLibrary(t *testing.T) {
	m := machine{goos: "linux", loadable: []string{"libnvrtc.so.12"}}
	if err := m.finder().find(compilerLibrary, accept); err != nil || m.asked {
		t.Errorf("%v, python asked: %v", err, m.asked)
	}
	m.loadable = nil
	if err := m.finder().find(compilerLibrary, accept); err == nil || !m.asked {
		t.Errorf("%v, python asked: %v", err, m.asked)
	}
}

func TestNotFoundSaysWhatAndWhereInOneLine(t *testing.T) {
	m := machine{goos: "linux", env: map[string]string{PathVariable: "/mine"},
		files: []string{"/usr/lib64/libcuda.so.1"}, broken: map[string]string{"/usr/lib64/libcuda.so.1": "wrong ELF class"}}
	text := m.finder().find(driverLibrary, accept).Error()
	for _, want := range []string{"CUDA driver not found", "libcuda.so.1", PathVariable, filepath.FromSlash("/mine"), "system loader",
		filepath.FromSlash("/usr/lib/wsl/lib"), filepath.FromSlash("/usr/lib64/libcuda.so.1") + ": wrong ELF class"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in: %s", want, text)
		}
	}
	if strings.Contains(text, "\n") {
		t.Errorf("several lines: %s", text)
	}
}

func TestLogListsEveryTry(t *testing.T) {
	m := machine{goos: "linux", files: []string{"/usr/lib/wsl/lib/libcuda.so.1"}}
	f := m.finder()
	if err := f.find(driverLibrary, accept); err != nil {
		t.Fatal(err)
	}
	want := `CUDA driver: /usr/lib/wsl/lib/libcuda.so.1
  system loader: libcuda.so.1: libcuda.so.1: cannot open shared object file
  system loader: libcuda.so: libcuda.so: cannot open shared object file
  WSL: /usr/lib/wsl/lib/libcuda.so.1: loaded
`
	if got := filepath.ToSlash(f.log.String()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestSearchGoesOnPastALibraryThatLacksAFunction(t *testing.T) {
	m := machine{goos: "linux", loadable: []string{"libcuda.so.1"}, files: []string{"/usr/lib64/libcuda.so.1"}}
	f := m.finder()
	err := f.find(driverLibrary, func(_ uintptr, path string) error {
		if path == "libcuda.so.1" {
			return &SymbolError{Library: path, Symbol: "cuGraphLaunch"}
		}
		return nil
	})
	if err != nil || filepath.ToSlash(f.log.Libraries[0].Found) != "/usr/lib64/libcuda.so.1" {
		t.Fatalf("%v\n%s", err, f.log)
	}
	if !strings.Contains(f.log.String(), "libcuda.so.1 has no function cuGraphLaunch") {
		t.Errorf("the log does not name library and function:\n%s", f.log)
	}
}

func TestCompanionsAreLoadedFirstByAbsolutePath(t *testing.T) {
	m := machine{goos: "linux", python: []string{"/site"}, files: []string{
		"/site/nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.4", "/site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12",
		"/site/nvidia/cublas/lib/libcublas.so.12", "/site/nvidia/cublas/lib/libcublasLt.so.12",
	}}
	for _, c := range []struct {
		l    library
		want []string
	}{
		{compilerLibrary, []string{"/site/nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.4", "/site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"}},
		{blasLibrary, []string{"/site/nvidia/cublas/lib/libcublasLt.so.12", "/site/nvidia/cublas/lib/libcublas.so.12"}},
	} {
		m.opened = nil
		if err := m.finder().find(c.l, accept); err != nil {
			t.Fatal(err)
		}
		if got := m.opened[len(m.opened)-2:]; !slices.Equal(got, c.want) {
			t.Errorf("%s: opened %v", c.l.title, got)
		}
	}
}

func TestTheDriversMajorVersionComesFirst(t *testing.T) {
	for _, c := range []struct {
		major int
		want  string
	}{
		{0, "libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so"},
		{13, "libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so"},
		{12, "libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so libnvrtc.so.13"},
		{11, "libnvrtc.so.11.2 libnvrtc.so libnvrtc.so.13 libnvrtc.so.12"},
		{14, "libnvrtc.so.13 libnvrtc.so.12 libnvrtc.so.11.2 libnvrtc.so"},
	} {
		f := &finder{goos: "linux", cudaMajor: c.major}
		if got := strings.Join(f.order(compilerLibrary.names["linux"]), " "); got != c.want {
			t.Errorf("driver %d: %s, want %s", c.major, got, c.want)
		}
	}
}

func TestWindowsNamesAndFolders(t *testing.T) {
	m := machine{goos: "windows", env: map[string]string{"CUDA_PATH": "/cuda", PathVariable: ";/site"},
		files: []string{"/site/nvidia/cuda_nvrtc/bin/nvrtc64_120_0.dll", "/site/nvidia/cuda_nvrtc/bin/nvrtc-builtins64_124.dll",
			"/cuda/bin/cublas64_12.dll"},
		loadable: []string{"nvcuda.dll"}}
	for _, c := range []struct {
		l    library
		want string
	}{
		{driverLibrary, "nvcuda.dll"},
		{compilerLibrary, "/site/nvidia/cuda_nvrtc/bin/nvrtc64_120_0.dll"},
		{blasLibrary, "/cuda/bin/cublas64_12.dll"},
	} {
		f := m.finder()
		if err := f.find(c.l, accept); err != nil || filepath.ToSlash(f.log.Libraries[0].Found) != c.want {
			t.Errorf("%s: %v\n%s", c.l.title, err, f.log)
		}
	}
}

func TestPackageFoldersAreThoseOfPythonsPath(t *testing.T) {
	got := packageFolders("/usr/lib/python311.zip\n/usr/lib/python3.11\r\n/home/x/site-packages\r\n/usr/lib/python3/dist-packages\n")
	if want := []string{"/home/x/site-packages", "/usr/lib/python3/dist-packages"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestASystemWithoutCUDASaysSo(t *testing.T) {
	m := machine{goos: "plan9"}
	if err := m.finder().find(driverLibrary, accept); err == nil || !strings.Contains(err.Error(), "plan9") {
		t.Errorf("%v", err)
	}
}

func TestLoadReturnsALogAndAnErrorForWhatIsMissing(t *testing.T) {
	s, err := Load()
	if (s.Driver == nil) != (err != nil) || (s.Compiler == nil) != (s.CompilerErr != nil) || (s.BLAS == nil) != (s.BLASErr != nil) {
		t.Errorf("found and errors disagree: %+v", s)
	}
	if len(s.Search.Libraries) != 3 {
		t.Errorf("%d searches", len(s.Search.Libraries))
	}
	if s.Driver == nil {
		if _, openErr := s.Open(0, DeviceOptions{}); !errors.Is(openErr, err) {
			t.Errorf("Open: %v, Load: %v", openErr, err)
		}
		if _, listErr := s.Devices(); !errors.Is(listErr, err) {
			t.Errorf("Devices: %v, Load: %v", listErr, err)
		}
	}
}

func TestOpeningWhatIsNoDriverNamesTheMissingFunction(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the C library's name is Linux's")
	}
	handle, err := dlopen("libm.so.6")
	if err != nil {
		t.Skip(err)
	}
	var missing *SymbolError
	if _, err := bindDriver(handle, "libm.so.6"); !errors.As(err, &missing) || missing.Library != "libm.so.6" || missing.Symbol != "cuInit" {
		t.Errorf("driver: %v", err)
	}
	if _, err := bindCompiler(handle, "libm.so.6"); !errors.As(err, &missing) || missing.Symbol != "nvrtcVersion" {
		t.Errorf("compiler: %v", err)
	}
	if _, err := bindBLAS(handle, "libm.so.6"); !errors.As(err, &missing) || missing.Symbol != "cublasCreate_v2" {
		t.Errorf("BLAS: %v", err)
	}
}
