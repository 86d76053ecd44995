// Archives of text files: zip and tar.gz.

package data

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
)

// maxMembers bounds the members of an archive.
const maxMembers = 1 << 12

// zipArchive is a zip file whose members go by the last part of their names.
type zipArchive struct {
	path    string
	size    int64
	members map[string]*zip.File
}

// readZip calls read with the archive at path.
func readZip(path string, read func(z *zipArchive) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	z, err := newZip(path, f, info.Size())
	if err != nil {
		return err
	}
	return read(z)
}

func newZip(file string, r io.ReaderAt, size int64) (*zipArchive, error) {
	zr, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &FileError{File: file, Err: err}
	}
	if len(zr.File) > maxMembers {
		return nil, fileError(file, "more than %d members", maxMembers)
	}
	z := &zipArchive{path: file, size: size, members: make(map[string]*zip.File)}
	for _, f := range zr.File {
		if f.FileInfo().IsDir() {
			continue
		}
		name := path.Base(f.Name)
		if z.members[name] != nil {
			return nil, fileError(file, "%.80s is there twice", name)
		}
		z.members[name] = f
	}
	return z, nil
}

// member is the name that faults of a member go by.
func (z *zipArchive) member(name string) string { return z.path + ": " + name }

// lines calls read with a member's lines. A member that is missing is an error.
func (z *zipArchive) lines(name string, read func(l *lineReader) error) error {
	f := z.members[name]
	if f == nil {
		return fileError(z.path, "%s is missing", name)
	}
	r, err := f.Open()
	if err != nil {
		return &FileError{File: z.member(name), Err: err}
	}
	defer r.Close()
	return read(newLineReader(z.member(name), limitReader(r, textLimit(z.size))))
}

// eachTarMember calls read with the lines of every plain file of a tar archive,
// compressed or not, in the order they have there, and with the last part of
// its name. A name that comes twice is an error.
func eachTarMember(file string, r io.Reader, read func(name string, l *lineReader) error) error {
	seen := make(map[string]bool)
	tr := tar.NewReader(r)
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			// What follows the archive's end is its compression's checksum.
			_, err = io.Copy(io.Discard, r)
			if err == nil {
				return nil
			}
		}
		if err != nil {
			return &FileError{File: file, Err: fmt.Errorf("tar: %w", err)}
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		name := path.Base(h.Name)
		if seen[name] || len(seen) == maxMembers {
			return fileError(file, "%.80s is there twice, or there are more than %d members", name, maxMembers)
		}
		seen[name] = true
		for key := range h.PAXRecords {
			if strings.HasPrefix(key, "GNU.sparse.") { // holes take no room in the archive
				return fileError(file, "%.80s is a sparse file", name)
			}
		}
		if err := read(name, newLineReader(file+": "+name, tr)); err != nil {
			return err
		}
	}
}
