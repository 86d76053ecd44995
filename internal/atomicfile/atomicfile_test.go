package atomicfile

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// content is a file's text, and "none" where there is no file.
func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "none"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAFileIsReplacedAsAWholeOrNotAtAll(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name, before, want string
		fails              error
	}{
		{"new", "none", "new text", nil},
		{"replaced", "old", "new text", nil},
		{"failed, new", "none", "none", broken},
		{"failed, old", "old", "old", broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "file")
			if c.before != "none" {
				if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := Write(path, func(w io.Writer) error {
				if _, err := io.WriteString(w, "new text"); err != nil {
					return err
				}
				if got := content(t, path); got != c.before {
					t.Errorf("the file is %q before all is written", got)
				}
				return c.fails
			})
			if err != c.fails {
				t.Errorf("error %v, want %v", err, c.fails)
			}
			if got := content(t, path); got != c.want {
				t.Errorf("content %q, want %q", got, c.want)
			}
			rest, err := os.ReadDir(dir)
			if err != nil || len(rest) > 1 || len(rest) == 1 && rest[0].Name() != "file" {
				t.Errorf("left in the folder: %v, %v", rest, err)
			}
		})
	}
}

func TestAFileKeepsItsPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are others there")
	}
	for _, mode := range []os.FileMode{0o600, 0o640, 0o666, 0o755, 0o444} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil { // whatever the umask
			t.Fatal(err)
		}
		if err := Write(path, func(io.Writer) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("%v: the permissions are %v now, error %v", mode, info.Mode(), err)
		}
	}
}

func TestALinkStaysOne(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	file, link, chain := filepath.Join(other, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "chain")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if err := os.Symlink("link", chain); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, chain} {
		if err := Write(path, func(w io.Writer) error { _, err := io.WriteString(w, path); return err }); err != nil {
			t.Fatal(err)
		}
		if got := content(t, file); got != path {
			t.Errorf("by %s: the file has %q", path, got)
		}
		for _, l := range []string{link, chain} {
			if info, err := os.Lstat(l); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("by %s: %s is no link any more: %v, %v", path, l, info, err)
			}
		}
		if rest, err := os.ReadDir(other); err != nil || len(rest) != 1 {
			t.Errorf("left beside the file: %v, %v", rest, err)
		}
	}
}

// A device or a pipe that is named as the file, such as /dev/stdout, would be gone.
func TestOnlyFilesAreReplaced(t *testing.T) {
	dir := t.TempDir()
	folder, socket, link := filepath.Join(dir, "folder"), filepath.Join(dir, "socket"), filepath.Join(dir, "link")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	paths := []string{folder}
	if l, err := net.Listen("unix", socket); err != nil {
		t.Logf("no sockets here: %v", err)
	} else {
		defer l.Close()
		paths = append(paths, socket)
	}
	if err := os.Symlink(filepath.Base(paths[len(paths)-1]), link); err != nil {
		t.Logf("no links here: %v", err)
	} else {
		paths = append(paths, link)
	}
	for _, path := range paths {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		err = Write(path, func(io.Writer) error {
			t.Errorf("%s: written", path)
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), path+" is there and is no file") {
			t.Errorf("%s: error %v", path, err)
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s is another one now, error %v", path, err)
		}
	}
	if rest, err := os.ReadDir(dir); err != nil || len(rest) != len(paths) {
		t.Errorf("left in the folder: %v, %v", rest, err)
	}
}

func TestAPanicOfWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic did not come through")
			}
		}()
		_ = Write(filepath.Join(dir, "file"), func(io.Writer) error { panic("broken") })
	}()
	if rest, err := os.ReadDir(dir); err != nil || len(rest) > 0 {
		t.Errorf("left in the folder: %v, %v", rest, err)
	}
}

func TestAFolderThatIsMissingIsAnError(t *testing.T) {
	err := Write(filepath.Join(t.TempDir(), "missing", "file"), func(io.Writer) error { return nil })
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestANameMayBeAsLongAsTheFileSystemAllows(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 255))
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Skipf("no such names here: %v", err)
	}
	if err := Write(path, func(io.Writer) error { return nil }); err != nil {
		t.Error(err)
	}
}
