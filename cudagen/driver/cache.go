// Compiled kernels, kept on disk.

package driver

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/asterias-ml/asterias/internal/atomicfile"
)

// CubinCache compiles and remembers what it compiled, in files that other
// processes use too. A file that is damaged is replaced; where none can be
// written, nothing is remembered beyond the process.
type CubinCache struct {
	compiler Compiler
	folder   string // empty: no files
	version  string

	mu    sync.Mutex
	known map[string]*cubinEntry // by key
}

type cubinEntry struct {
	once  sync.Once
	cubin []byte
	err   error
}

// NewCubinCache returns a cache in a folder; an empty name means the user's:
// asterias/cubin in [os.UserCacheDir]. The error is the compiler's.
func NewCubinCache(c Compiler, folder string) (*CubinCache, error) {
	major, minor, err := c.Version()
	if err != nil {
		return nil, err
	}
	if folder == "" {
		if user, err := os.UserCacheDir(); err == nil {
			folder = filepath.Join(user, "asterias", "cubin")
		}
	}
	return &CubinCache{compiler: c, folder: folder, version: fmt.Sprintf("%d.%d", major, minor), known: make(map[string]*cubinEntry)}, nil
}

// Compile returns the machine code of a source. It may be called from several
// goroutines; the same source is compiled once. Errors are not remembered.
func (c *CubinCache) Compile(s Source) ([]byte, error) {
	key := c.key(s)
	c.mu.Lock()
	e := c.known[key]
	if e == nil {
		e = &cubinEntry{}
		c.known[key] = e
	}
	c.mu.Unlock()
	e.once.Do(func() {
		if e.cubin = c.read(key); e.cubin == nil {
			if e.cubin, _, e.err = c.compiler.Compile(s); e.err == nil {
				c.write(key, e.cubin)
			}
		}
	})
	if e.err != nil {
		c.mu.Lock()
		if c.known[key] == e {
			delete(c.known, key)
		}
		c.mu.Unlock()
	}
	return e.cubin, e.err
}

// key is a hash of all that the machine code depends on. Lengths keep texts apart.
func (c *CubinCache) key(s Source) string {
	h := sha256.New()
	put := func(text string) { fmt.Fprintf(h, "%d:%s,", len(text), text) }
	put(c.version)
	put(fmt.Sprint(s.SM))
	put(s.Name)
	put(s.Text)
	for _, o := range s.Options {
		put(o)
	}
	put("headers")
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		put(name)
		put(s.Headers[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A file is this line, the SHA-256 of the code, the code.
const cubinMagic = "asterias cubin 1\n"

// path returns a key's file.
func (c *CubinCache) path(key string) string { return filepath.Join(c.folder, key+".cubin") }

// read returns the code of a file, nil if there is none that is whole.
func (c *CubinCache) read(key string) []byte {
	if c.folder == "" {
		return nil
	}
	data, err := os.ReadFile(c.path(key))
	if err != nil {
		return nil
	}
	rest, ok := bytes.CutPrefix(data, []byte(cubinMagic))
	if !ok || len(rest) <= sha256.Size {
		return nil
	}
	if sum := sha256.Sum256(rest[sha256.Size:]); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return nil
	}
	return rest[sha256.Size:]
}

// write makes a file under another name and renames it, so that a reader finds a
// whole one or none. A failure costs the next process a compilation.
func (c *CubinCache) write(key string, cubin []byte) {
	if c.folder == "" || os.MkdirAll(c.folder, 0o755) != nil {
		return
	}
	sum := sha256.Sum256(cubin)
	_ = atomicfile.Write(c.path(key), func(w io.Writer) error {
		_, err := w.Write(slices.Concat([]byte(cubinMagic), sum[:], cubin))
		return err
	})
}
