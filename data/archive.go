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
	"slices"
	"strings"
)

// maxMembers bounds the members of an archive.
const maxMembers = 1 << 12

// appleDouble is what names begin with of the files that macOS puts beside those of an
// archive, with attributes of theirs.
const appleDouble = "._"

// zipArchive is a zip file whose members go by the last part of their names.
type zipArchive struct {
	path    string
	size    int64
	members map[string]*zip.File
	twice   map[string]bool // of members, that several have the name
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
	z := &zipArchive{path: file, size: size, members: make(map[string]*zip.File), twice: make(map[string]bool)}
	for _, f := range zr.File {
		name := path.Base(f.Name)
		if f.FileInfo().IsDir() || strings.HasPrefix(name, appleDouble) {
			continue
		}
		z.twice[name] = z.members[name] != nil
		z.members[name] = f
	}
	return z, nil
}

// member is the name that faults of a member go by.
func (z *zipArchive) member(name string) string { return z.path + ": " + name }

// lines calls read with a member's lines. A member that is missing or there twice is an
// error.
func (z *zipArchive) lines(name string, read func(l *lineReader) error) error {
	f := z.members[name]
	switch {
	case f == nil:
		return fileError(z.path, "%s is missing", name)
	case z.twice[name]:
		return fileError(z.path, "%.80s is there twice", name)
	}
	r, err := f.Open()
	if err != nil {
		return &FileError{File: z.member(name), Err: err}
	}
	defer r.Close()
	return read(newLineReader(z.member(name), limitReader(r, textLimit(z.size))))
}

// eachTarMember calls read with the lines of those plain files of a tar archive, in the
// order they have there, whose names end in a part that is wanted, and with this part. One
// that comes twice is an error.
func eachTarMember(file string, r io.Reader, wanted []string, read func(name string, l *lineReader) error) error {
	seen := make(map[string]bool)
	members := 0
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
		if members++; members > maxMembers {
			return fileError(file, "more than %d members", maxMembers)
		}
		name := path.Base(h.Name)
		if !slices.Contains(wanted, name) {
			continue
		}
		if seen[name] {
			return fileError(file, "%.80s is there twice", name)
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
