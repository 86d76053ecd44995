package emu

// Cleaning the cache. A file's time of modification is when it was last used; what
// nobody has used for a month goes, and what a build that died has left. Nothing
// here fails: what cannot be removed stays.

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	maxAge   = 30 * 24 * time.Hour
	maxBuild = 24 * time.Hour
)

// touch notes that a file is used.
func touch(path string) {
	now := time.Now()
	_ = os.Chtimes(path, now, now)
}

var swept sync.Map // directories, once in a process

// sweep removes old files of a cache, once in a process.
func sweep(cache string) {
	if _, done := swept.LoadOrStore(cache, true); done {
		return
	}
	now := time.Now()
	_ = filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == cache {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		age := now.Sub(info.ModTime())
		building := strings.HasPrefix(d.Name(), buildPrefix)
		switch {
		case building && age > maxBuild, strings.HasPrefix(d.Name(), "runtime-") && age > maxAge:
			_ = os.RemoveAll(path)
		case strings.HasSuffix(d.Name(), ".so") && age > maxAge:
			_ = os.Remove(path)
		}
		if d.IsDir() && (building || strings.HasPrefix(d.Name(), "runtime-")) {
			return fs.SkipDir
		}
		return nil
	})
}
