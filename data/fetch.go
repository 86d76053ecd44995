// Downloads: into the cache, checked, whole or not at all.

package data

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/asterias-ml/asterias/internal/atomicfile"
)

// maxDownload bounds the size of a download. The largest known file has 32 MB.
const maxDownload = 64 << 20

// fetcher gets files into the cache.
type fetcher struct {
	dir     string // the folder that was given with Options.Dir, for messages
	cache   string
	mirrors []string
	client  *http.Client
	log     func(format string, args ...any)
	limit   int64 // bytes of a download
}

func newFetcher(opts Options) (*fetcher, error) {
	f := &fetcher{dir: opts.Dir, cache: opts.Cache, mirrors: opts.Mirrors, client: opts.HTTPClient, log: opts.Log, limit: maxDownload}
	if f.cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no cache folder: %w", err)
		}
		f.cache = filepath.Join(user, "asterias")
	}
	if f.client == nil {
		f.client = &http.Client{Timeout: 10 * time.Minute}
	}
	if f.log == nil {
		f.log = func(string, ...any) {}
	}
	return f, nil
}

// urls returns where to get a file from, best first.
func (f *fetcher) urls(want file) []string {
	if f.mirrors == nil {
		return mirrors(want)
	}
	var urls []string
	for _, m := range f.mirrors {
		urls = append(urls, strings.TrimSuffix(m, "/")+"/"+want.path)
	}
	return urls
}

// file returns the path of a file in the cache, after downloading it unless it
// is there with the right checksum.
func (f *fetcher) file(ctx context.Context, want file) (string, error) {
	path := filepath.Join(f.cache, filepath.FromSlash(want.path))
	if sum, err := fileSum(path); err == nil && sum == want.sha256 {
		return path, nil
	}
	var failures []error
	for _, url := range f.urls(want) {
		if err := context.Cause(ctx); err != nil {
			return "", fmt.Errorf("%s: %w", want.path, err)
		}
		f.log("downloading %s", url)
		err := f.download(ctx, url, path, want.sha256)
		if err == nil {
			return path, nil
		}
		if err := context.Cause(ctx); err != nil {
			return "", fmt.Errorf("%s: %w", want.path, err)
		}
		failures = append(failures, err)
	}
	if len(failures) == 0 {
		failures = append(failures, errors.New("no mirrors"))
	}
	where := "in the cache " + f.cache
	if f.dir != "" {
		where = "in " + f.dir + " or " + where
	}
	return "", fmt.Errorf("%s: %w %s, and it could not be downloaded; if this machine is offline, give the folder that holds %s as Options.Dir; tried:\n%w",
		want.path, fs.ErrNotExist, where, want.path, errors.Join(failures...))
}

// fileSum returns the SHA-256 of a file in hexadecimal.
func fileSum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// download gets url into a temporary file beside path and renames it to path
// if it has the checksum. On any failure nothing is left.
func (f *fetcher) download(ctx context.Context, url, path, sum string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := f.client.Do(request)
	if err != nil {
		return err // names the URL
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, response.Status)
	}

	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	err = atomicfile.Write(path, func(w io.Writer) error {
		h := sha256.New()
		n, err := io.Copy(io.MultiWriter(w, h), io.LimitReader(response.Body, f.limit+1))
		if err != nil {
			return err
		}
		if n > f.limit {
			return fmt.Errorf("larger than %d bytes", f.limit)
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != sum {
			return fmt.Errorf("wrong content: SHA-256 is %s, want %s", got, sum)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", url, err)
	}
	return nil
}
