package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
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
