package emu

// Cleaning the cache. A file's time of modification is when it was last used; what
// nobody has used for a month goes, what is too much, and what a build that died
// has left. Nothing here fails: what cannot be removed stays.

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	maxAge   = 30 * 24 * time.Hour
	maxBuild = 24 * time.Hour
	maxBytes = 1 << 30 // of all libraries
)

// touch notes that a file is used.
func touch(path string) {
	now := time.Now()
	_ = os.Chtimes(path, now, now)
}

var swept sync.Map // directories, once in a process

// sweep removes old files of a cache, once in a process.
func sweep(cache string) {
	if _, done := swept.LoadOrStore(cache, true); !done {
		clean(cache, time.Now(), maxBytes)
	}
}

// clean removes old files, and the libraries that were not used for longest until
// the others have no more than some bytes.
func clean(cache string, now time.Time, bytes int64) {
	type library struct {
		path string
		info fs.FileInfo
	}
	var libraries []library
	_ = filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == cache {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil // another process has removed it
		}
		age := now.Sub(info.ModTime())
		building, runs := strings.HasPrefix(d.Name(), buildPrefix), strings.HasPrefix(d.Name(), runtimePrefix)
		switch {
		case building && age > maxBuild, runs && age > maxAge:
			_ = os.RemoveAll(path)
		case strings.HasSuffix(d.Name(), librarySuffix):
			libraries = append(libraries, library{path, info})
		}
		if d.IsDir() && (building || runs) {
			return fs.SkipDir
		}
		return nil
	})
	slices.SortFunc(libraries, func(a, b library) int { return b.info.ModTime().Compare(a.info.ModTime()) }) // the latest first
	for _, l := range libraries {
		bytes -= l.info.Size()
		if bytes < 0 || now.Sub(l.info.ModTime()) > maxAge {
			_ = os.Remove(l.path)
		}
	}
}
