// Tests of downloads against servers that fail in every way.

package data

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/asterias-ml/asterias/internal/shared"
)

// content is what the right file holds; wanted names it.
var content = []byte(strings.Repeat("a dataset, of sorts\n", 1000))

func wanted() file {
	sum := sha256.Sum256(content)
	return file{path: "npz/sorts.npz", sha256: hex.EncodeToString(sum[:])}
}

// serve starts a server and returns its URL.
func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}

func good(t *testing.T) string {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/npz/sorts.npz" {
			http.NotFound(w, r)
			return
		}
		w.Write(content)
	})
}

// closed returns the URL of a server that is gone.
func closed(t *testing.T) string {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	return s.URL
}

func filesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator))))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDownloadThatSucceedsIsKeptAndUsedAgain(t *testing.T) {
	var requests atomic.Int32
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Write(content)
	})
	var log []string
	opts := Options{Cache: t.TempDir(), Mirrors: []string{url + "/"}, Log: func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }}
	for range 2 {
		f, err := newFetcher(opts)
		if err != nil {
			t.Fatal(err)
		}
		path, err := f.file(context.Background(), wanted())
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != string(content) {
			t.Errorf("%s has %d bytes, error %v", path, len(b), err)
		}
	}
	if requests.Load() != 1 {
		t.Errorf("%d requests, want 1", requests.Load())
	}
	if got := filesBelow(t, opts.Cache); !slices.Equal(got, []string{"npz/sorts.npz"}) {
		t.Errorf("the cache holds %v", got)
	}
	if want := []string{"downloading " + url + "/npz/sorts.npz"}; !slices.Equal(log, want) {
		t.Errorf("log %v, want %v", log, want)
	}
}

// failures are servers that do not give the file, and what is said about it.
func failures(t *testing.T) map[string]struct{ url, want string } {
	return map[string]struct{ url, want string }{
		"not found": {serve(t, http.NotFound), "404 Not Found"},
		"server error": {serve(t, func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "later", http.StatusServiceUnavailable)
		}), "503 Service Unavailable"},
		"wrong content": {serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>a login page</html>")) }), "wrong content: SHA-256 is "},
		"truncated": {serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(content)))
			w.Write(content[:len(content)/2])
		}), "unexpected EOF"},
		"truncated without a length": {serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Write(content[:len(content)/2])
			w.(http.Flusher).Flush()
		}), "wrong content: SHA-256 is "},
		"connection lost": {serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Write(content[:len(content)/2])
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}), "EOF"},
		"too large": {serve(t, func(w http.ResponseWriter, _ *http.Request) {
			for range 4 {
				w.Write(content)
			}
		}), "larger than 40000 bytes"},
		"offline":    {closed(t), "refused"},
		"no address": {"http://[bad", "missing ']' in host"},
	}
}

func TestFailedDownloadsLeaveNothingAndSayWhy(t *testing.T) {
	for name, server := range failures(t) {
		t.Run(name, func(t *testing.T) {
			opts := Options{Dir: "/data/here", Cache: t.TempDir(), Mirrors: []string{server.url}}
			f, err := newFetcher(opts)
			if err != nil {
				t.Fatal(err)
			}
			f.limit = 2 * int64(len(content))
			_, err = f.file(context.Background(), wanted())
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range []string{server.want, "npz/sorts.npz", server.url, "/data/here", opts.Cache, "Options.Dir"} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if left := filesBelow(t, opts.Cache); len(left) > 0 {
				t.Errorf("the cache holds %v", left)
			}
		})
	}
}

func TestTheNextMirrorIsTriedAfterAFailure(t *testing.T) {
	for name, server := range failures(t) {
		t.Run(name, func(t *testing.T) {
			opts := Options{Cache: t.TempDir(), Mirrors: []string{server.url, good(t)}}
			f, err := newFetcher(opts)
			if err != nil {
				t.Fatal(err)
			}
			f.limit = 2 * int64(len(content))
			path, err := f.file(context.Background(), wanted())
			if err != nil {
				t.Fatal(err)
			}
			if sum, err := fileSum(path); err != nil || sum != wanted().sha256 {
				t.Errorf("checksum %s, error %v", sum, err)
			}
			if got := filesBelow(t, opts.Cache); !slices.Equal(got, []string{"npz/sorts.npz"}) {
				t.Errorf("the cache holds %v", got)
			}
		})
	}
}

func TestDownloadThatIsCancelledLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var later atomic.Int32
	slow := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write(content[:100])
		w.(http.Flusher).Flush()
		cancel()
		<-r.Context().Done()
	})
	next := serve(t, func(http.ResponseWriter, *http.Request) { later.Add(1) })
	opts := Options{Cache: t.TempDir(), Mirrors: []string{slow, next}}
	_, err := Load(ctx, "cora-ml", opts)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "data: cora-ml: npz/cora_ml.npz") {
		t.Errorf("error %v, want one that wraps context.Canceled and names the file", err)
	}
	if later.Load() > 0 {
		t.Error("another mirror was tried after the cancellation")
	}
	if left := filesBelow(t, opts.Cache); len(left) > 0 {
		t.Errorf("the cache holds %v", left)
	}
	if _, err := Load(ctx, "cora-ml", opts); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before it starts: error %v", err)
	}
}

func TestOfflineSaysWhatWasTriedAndWhatToDo(t *testing.T) {
	a, b := closed(t), closed(t)
	var log []string
	opts := Options{Cache: t.TempDir(), Mirrors: []string{a, b}, Log: func(format string, args ...any) { log = append(log, fmt.Sprintf(format, args...)) }}
	_, err := Load(context.Background(), "cora", opts)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("error %v, want one that wraps fs.ErrNotExist", err)
	}
	// The log says what is tried, the error why it failed: each once.
	if want := []string{"downloading " + a + "/planetoid/ind.cora.y", "downloading " + b + "/planetoid/ind.cora.y"}; !slices.Equal(log, want) {
		t.Errorf("log %q, want %q", log, want)
	}
	if n := strings.Count(err.Error(), "refused"); n != 2 {
		t.Errorf("error %q gives %d reasons, want 2", err, n)
	}
	for _, want := range []string{"data: cora: planetoid/ind.cora.y: file does not exist in the cache", "offline", "Options.Dir", a + "/planetoid/ind.cora.y", b + "/planetoid/ind.cora.y"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
	if left := filesBelow(t, opts.Cache); len(left) > 0 {
		t.Errorf("the cache holds %v", left)
	}
	opts.Mirrors = []string{} // none, unlike nil
	if _, err := Load(context.Background(), "cora", opts); !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), "tried:\nno mirrors") {
		t.Errorf("error %q, want one that says there are no mirrors", err)
	}
}

func TestDamagedFileInTheCacheIsReplaced(t *testing.T) {
	opts := Options{Cache: t.TempDir(), Mirrors: []string{good(t)}}
	path := filepath.Join(opts.Cache, "npz", "sorts.npz")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content[:500], 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := newFetcher(opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.file(context.Background(), wanted()); err != nil {
		t.Fatal(err)
	}
	if sum, err := fileSum(path); err != nil || sum != wanted().sha256 {
		t.Errorf("checksum %s, error %v", sum, err)
	}
}

func TestCacheThatCannotBeWrittenIsAnError(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(cache, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := newFetcher(Options{Cache: cache, Mirrors: []string{good(t)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.file(context.Background(), wanted()); err == nil || !strings.Contains(err.Error(), cache) {
		t.Errorf("error %v does not name %s", err, cache)
	}
}

// TestLoadDownloadsWhatTheFolderLacks serves the real files: one part of Cora
// is in the folder, the others come from the server, and then from the cache.
func TestLoadDownloadsWhatTheFolderLacks(t *testing.T) {
	real := filepath.Join(shared.Dir(t), "datasets")
	server := httptest.NewServer(http.FileServer(http.Dir(real)))
	defer server.Close()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "planetoid"), 0o700); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(real, "planetoid", "ind.cora.graph"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "planetoid", "ind.cora.graph"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	opts := Options{Dir: dir, Cache: t.TempDir(), Mirrors: []string{server.URL}}
	for range 2 {
		d, err := Load(context.Background(), "cora", opts)
		if err != nil {
			t.Fatal(err)
		}
		if d.Graph.NumEdges() != 10556 || d.Name != "cora" {
			t.Errorf("%s: %v", d.Name, d.Graph)
		}
		if got := filesBelow(t, opts.Cache); len(got) != len(planetoidParts)-1 || slices.Contains(got, "planetoid/ind.cora.graph") {
			t.Errorf("the cache holds %v", got)
		}
		server.Close() // the second time all is there
	}
}
