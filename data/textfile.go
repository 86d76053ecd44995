// Text files, plain or compressed with gzip, read line by line.

package data

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strconv"
)

// maxLine bounds the bytes of a line, and of a token of formats that are not
// read by lines. The longest known line, a row of features, has 70 kB.
const maxLine = 4 << 20

// textLimit bounds the bytes that a compressed file may unfold to, so that a
// small file cannot fill the memory: the most compressible known one, rows of
// zeros, unfolds to 80 times its size, 190 MB.
func textLimit(size int64) int64 { return 256<<20 + 64*size }

// limitedReader fails, unlike io.LimitedReader, on the byte after the limit.
type limitedReader struct {
	r           io.Reader
	left, limit int64
}

func limitReader(r io.Reader, limit int64) io.Reader {
	return &limitedReader{r: r, left: limit, limit: limit}
}

func (l *limitedReader) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return 0, fmt.Errorf("larger than %d bytes after decompression", l.limit)
	}
	return n, err
}

// byteOrderMark is what spreadsheets and editors on Windows begin UTF-8 with. It is no
// part of the text: left there, it would be one of the first column's name.
const byteOrderMark = "\uFEFF"

// newText returns what r holds without a byte order mark. Reading text with the mark of
// UTF-16 fails: blanks and digits of it would still be found, with other bytes between.
func newText(r io.Reader) *bufio.Reader {
	b := bufio.NewReaderSize(r, 1<<16)
	switch start, _ := b.Peek(len(byteOrderMark)); {
	case string(start) == byteOrderMark:
		b.Discard(len(byteOrderMark))
	case bytes.HasPrefix(start, []byte{0xff, 0xfe}), bytes.HasPrefix(start, []byte{0xfe, 0xff}):
		b.Reset(failingReader{errors.New("the text is UTF-16; save it as UTF-8")})
	}
	return b
}

// failingReader fails with an error.
type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// gunzipped returns what r holds, decompressed if it begins like a gzip file of the given
// size.
func gunzipped(r io.Reader, size int64) (io.Reader, error) {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return limitReader(z, textLimit(size)), nil
	}
	return b, nil
}

// readText calls read with the content of a file, decompressed if need be. The
// name that faults go by is the path.
func readText(path string, read func(r io.Reader) error) error {
	return readSized(path, func(r io.Reader, _ int64) error { return read(r) })
}

// readSized is readText for who bounds what is kept: read also gets the size of the
// file, before decompression.
func readSized(path string, read func(r io.Reader, size int64) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return readOpened(path, f, read)
}

// readOpened is readSized for a file that is open; it closes it.
func readOpened(path string, f fs.File, read func(r io.Reader, size int64) error) error {
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	r, err := gunzipped(f, info.Size())
	if err != nil {
		return &FileError{File: path, Err: err}
	}
	return read(r, info.Size())
}

// readLines is readText for formats that are read by lines.
func readLines(path string, read func(l *lineReader) error) error {
	return readText(path, func(r io.Reader) error { return read(newLineReader(path, r)) })
}

// lineReader gives the lines of a file that are not blank.
type lineReader struct {
	file string
	r    *bufio.Reader
	line int    // the number of the line that was read last
	long []byte // holds lines longer than the buffer
	sep  byte   // what separates fields: a line with one is not blank; 0 for any blanks

	blanks     int // blank lines since the last record, see eachRecord
	firstBlank int // the number of the first of them
}

func newLineReader(file string, r io.Reader) *lineReader {
	return &lineReader{file: file, r: newText(r)}
}

// next returns the next line that is not blank, without its end; it is valid
// until the next call. After the last one the error is io.EOF.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.r.ReadSlice('\n')
		l.line++
		if errors.Is(err, bufio.ErrBufferFull) {
			l.long = l.long[:0]
			for errors.Is(err, bufio.ErrBufferFull) {
				if l.long = append(l.long, line...); len(l.long) > maxLine {
					return nil, cmp.Or(l.checkEnds(l.long), l.errorf("the line is longer than %d bytes", maxLine))
				}
				line, err = l.r.ReadSlice('\n')
			}
			l.long = append(l.long, line...)
			line = l.long
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, l.errorf("%w", err)
		}
		line = bytes.TrimRight(line, "\r\n")
		if err := l.checkEnds(line); err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) > 0 || l.sep != 0 && bytes.IndexByte(line, l.sep) >= 0 {
			return line, nil
		}
		if err != nil {
			return nil, io.EOF
		}
		if l.blanks++; l.blanks == 1 {
			l.firstBlank = l.line
		}
	}
}

// checkEnds refuses a line that is several, of a text whose lines end in carriage returns
// alone, as programs of old and some of macOS write them: their fields would be those of
// one line.
func (l *lineReader) checkEnds(line []byte) error {
	if bytes.IndexByte(bytes.TrimRight(line, "\r"), '\r') >= 0 {
		return l.errorf("a carriage return within the line; save the file with lines that end in a line feed")
	}
	return nil
}

// errorf returns a fault of the line that was read last.
func (l *lineReader) errorf(format string, args ...any) error {
	return &FileError{File: l.file, Line: l.line, Err: fmt.Errorf(format, args...)}
}

// each calls f with every line until one fails.
func (l *lineReader) each(f func(line []byte) error) error {
	for {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = f(line)
		}
		if err != nil {
			return err
		}
	}
}

// eachRow calls f with the trimmed fields of every line, which sep separates;
// 0 stands for any blanks. Every line must have the same number of fields, want
// unless that is 0. The fields are valid until f returns.
func (l *lineReader) eachRow(sep byte, want int, f func(fields [][]byte) error) error {
	l.sep = sep
	var fields [][]byte
	return l.each(func(line []byte) error {
		fields = splitFields(fields[:0], line, sep)
		if want == 0 {
			want = len(fields)
		}
		if len(fields) != want {
			return l.errorf("%d fields, want %d", len(fields), want)
		}
		return f(fields)
	})
}

// splitFields appends the trimmed fields of a line.
func splitFields(fields [][]byte, line []byte, sep byte) [][]byte {
	if sep == 0 {
		return append(fields, bytes.Fields(line)...)
	}
	for {
		field, rest, more := bytes.Cut(line, []byte{sep})
		fields = append(fields, bytes.TrimSpace(field))
		if !more {
			return fields
		}
		line = rest
	}
}

// int reads an integer in [lo, hi).
func (l *lineReader) int(field []byte, what string, lo, hi int64) (int64, error) {
	x, err := strconv.ParseInt(string(field), 10, 64)
	switch {
	case err != nil:
		return 0, l.errorf("%s %.40q is not an integer", what, field)
	case x < lo || x >= hi:
		return 0, l.errorf("%s %d out of range [%d, %d)", what, x, lo, hi)
	}
	return x, nil
}

// id reads an integer in [0, n).
func (l *lineReader) id(field []byte, what string, n int) (int32, error) {
	x, err := l.int(field, what, 0, min(int64(n), math.MaxInt32))
	return int32(x), err
}

// float reads a finite number.
func (l *lineReader) float(field []byte, what string) (float32, error) {
	if len(field) == 1 && field[0] >= '0' && field[0] <= '9' {
		return float32(field[0] - '0'), nil // most features are 0 or 1
	}
	x, err := strconv.ParseFloat(string(field), 32)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, l.errorf("%s %.40q is not a finite number", what, field)
	}
	return float32(x), nil
}

// checkGraphs refuses a number of graphs of which so few lines tell anything: an empty
// graph takes no line, but memory.
func checkGraphs(n, lines int64) error {
	if n > 1<<16+lines {
		return fmt.Errorf("%d graphs in files of %d vertices and edges", n, lines)
	}
	return nil
}

// checkVertices refuses a number of vertices that no list of so many lines
// would have, before anything of that size is allocated.
func checkVertices(n, lines int64) error {
	if n < 0 || n > math.MaxInt32 || n > 1<<20+64*lines {
		return fmt.Errorf("%d vertices in a file of %d lines", n, lines)
	}
	return nil
}
