// Characters of a text that is not read line by line: GML and Turtle.

package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// maxNesting bounds how deep lists lie in each other.
const maxNesting = 64

// scanner reads bytes and counts lines. The first error of the text below, such
// as a damaged compression, is kept in err, and the text ends there.
type scanner struct {
	file string
	r    *bufio.Reader
	line int
	err  error
}

func newScanner(file string, r io.Reader) *scanner {
	return &scanner{file: file, r: newText(r), line: 1}
}

// errorf returns a fault of the current line or, if reading failed, that.
func (s *scanner) errorf(format string, args ...any) error {
	if s.err != nil {
		return &FileError{File: s.file, Line: s.line, Err: s.err}
	}
	return &FileError{File: s.file, Line: s.line, Err: fmt.Errorf(format, args...)}
}

// peek returns the byte i places ahead, 0 at the end.
func (s *scanner) peek(i int) byte {
	b, err := s.r.Peek(i + 1)
	if len(b) <= i {
		if err != nil && !errors.Is(err, io.EOF) && s.err == nil {
			s.err = err
		}
		return 0
	}
	return b[i]
}

// atEnd tells whether nothing is left. (A text may hold the byte 0.)
func (s *scanner) atEnd() bool { return s.peek(0) == 0 && s.r.Buffered() == 0 }

// take reads a byte, 0 at the end.
func (s *scanner) take() byte {
	c, err := s.r.ReadByte()
	if err != nil {
		if !errors.Is(err, io.EOF) && s.err == nil {
			s.err = err
		}
		return 0
	}
	if c == '\n' {
		s.line++
	}
	return c
}

// skip reads blanks and comments, which run from # to the end of a line, a carriage return or
// a line feed.
func (s *scanner) skip() {
	for {
		switch s.peek(0) {
		case ' ', '\t', '\r', '\n':
			s.take()
		case '#':
			for !s.atEnd() && s.peek(0) != '\n' && s.peek(0) != '\r' {
				s.take()
			}
		default:
			return
		}
	}
}

// takeWhile reads bytes as long as they are in a class.
func (s *scanner) takeWhile(in func(c byte) bool) (string, error) {
	var token []byte
	for !s.atEnd() && in(s.peek(0)) {
		if token = append(token, s.take()); len(token) > maxLine {
			return "", s.errorf("a token is longer than %d bytes", maxLine)
		}
	}
	return string(token), nil
}
