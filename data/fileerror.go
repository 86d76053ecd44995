// Faults of files.

package data

import "fmt"

// FileError reports what is wrong with a file, and where. Readers return it;
// errors.As finds it within their errors. (A misuse of this package by a
// program is an [Error].)
type FileError struct {
	File string // the path; of a member of an archive "ARCHIVE: MEMBER"
	Line int    // the line, from 1; 0 if the fault is not in one line
	Err  error  // what is wrong
}

// Error returns, for example,
// `tu/MUTAG.zip: MUTAG_A.txt:7: vertex "x" is not an integer`.
func (e *FileError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns what is wrong.
func (e *FileError) Unwrap() error { return e.Err }

// fileError returns a fault of a whole file.
func fileError(file, format string, args ...any) error {
	return &FileError{File: file, Err: fmt.Errorf(format, args...)}
}
