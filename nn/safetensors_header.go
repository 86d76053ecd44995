// Reading the header of a safetensors file, as if written by an enemy's hand.

package nn

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/asterias-ml/asterias/tensor"
)

// readHeader reads the start of a file and returns its tensors in the order of
// their bytes, and its metadata. Their ranges are consecutive from 0 and as long as dtype and shape
// say. It allocates no more than a small multiple of what the reader gives.
func readHeader(r io.Reader) ([]fileTensor, map[string]string, error) {
	var length [8]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, nil, fmt.Errorf("length of the header: %w", cutShort(err))
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeaderBytes {
		return nil, nil, fmt.Errorf("a header of %d bytes; the limit is %d", n, maxHeaderBytes)
	}
	raw, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	if uint64(len(raw)) < n {
		return nil, nil, fmt.Errorf("header: %d bytes of %d: %w", len(raw), n, io.ErrUnexpectedEOF)
	}
	tensors, metadata, err := parseHeader(raw)
	if err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	return tensors, metadata, checkRanges(tensors)
}

// parseHeader reads the JSON.
func parseHeader(raw []byte) ([]fileTensor, map[string]string, error) {
	if len(raw) == 0 || raw[0] != '{' {
		return nil, nil, errors.New("it does not begin with {")
	}
	if !utf8.Valid(raw) {
		return nil, nil, errors.New("it is not UTF-8")
	}
	var tensors []fileTensor
	metadata := map[string]string{}
	p := headerParser{json.NewDecoder(bytes.NewReader(raw))}
	p.tokens.UseNumber()
	err := p.object(func(name string) error {
		if name == metadataKey {
			return within(name, p.object(func(key string) (err error) {
				metadata[key], err = p.text()
				return err
			}))
		}
		t, err := p.tensor(name)
		tensors = append(tensors, t)
		return within(name, err)
	})
	if err != nil {
		return nil, nil, err
	}
	if rest := bytes.TrimLeft(raw[p.tokens.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, nil, errors.New("something follows its closing }")
	}
	return tensors, metadata, nil
}

// checkRanges sorts the tensors by their bytes and checks that the ranges fit
// the shapes and each other.
func checkRanges(tensors []fileTensor) error {
	slices.SortFunc(tensors, func(a, b fileTensor) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end), cmp.Compare(a.name, b.name))
	})
	var at int64
	for _, t := range tensors {
		size, ok := fileBytes(t.dtype, t.shape)
		switch {
		case t.begin > t.end:
			return within(t.name, fmt.Errorf("data_offsets %d and %d are not in order", t.begin, t.end))
		case t.begin < at:
			return within(t.name, fmt.Errorf("its data at [%d, %d) overlap those of another tensor, which end at %d", t.begin, t.end, at))
		case t.begin > at:
			return within(t.name, fmt.Errorf("its data begin at %d; bytes from %d on belong to no tensor", t.begin, at))
		case !ok:
			return within(t.name, fmt.Errorf("a tensor of shape %v is too large", t.shape))
		case t.end-t.begin != size:
			return within(t.name, fmt.Errorf("%d bytes of data; %s %v has %d", t.end-t.begin, t.dtype.name, t.shape, size))
		}
		at = t.end
	}
	return nil
}

// fileBytes returns how many bytes the elements have, and false if the number,
// or one on the way to it, overflows.
func fileBytes(dt fileDType, shape tensor.Shape) (int64, bool) {
	n := uint64(dt.size)
	for _, d := range shape {
		hi, lo := bits.Mul64(n, uint64(d))
		if hi != 0 || int64(lo) < 0 {
			return 0, false
		}
		n = lo
	}
	return int64(n), true
}

// headerParser reads JSON token by token: unlike json.Unmarshal it takes neither
// repeated keys nor keys in another case, and stops at the first surprise.
type headerParser struct{ tokens *json.Decoder }

func (p headerParser) tensor(name string) (fileTensor, error) {
	t := fileTensor{name: name}
	var offsets []uint64
	var fields int
	err := p.object(func(key string) error {
		fields++
		switch key {
		case "dtype":
			s, err := p.text()
			if err != nil {
				return err
			}
			for _, types := range [][]fileDType{fileDTypes, alienDTypes} {
				for _, d := range types {
					if d.name == s {
						t.dtype = d
						return nil
					}
				}
			}
			return unsupported(s)
		case "shape":
			dims, err := p.naturals(maxFileRank, strconv.IntSize-1)
			t.shape = make(tensor.Shape, len(dims))
			for i, d := range dims {
				t.shape[i] = int(d)
			}
			return err
		case "data_offsets":
			var err error
			if offsets, err = p.naturals(2, 63); err == nil && len(offsets) != 2 {
				err = errors.New("two data_offsets are needed")
			}
			return err
		default:
			return fmt.Errorf("unknown key %s", quoted(key))
		}
	})
	if err == nil && fields != 3 { // no key is unknown and none comes twice
		err = errors.New("dtype, shape or data_offsets is missing")
	}
	if err != nil {
		return t, err
	}
	t.begin, t.end = int64(offsets[0]), int64(offsets[1])
	return t, nil
}

// object reads an object; field reads the value of a key.
func (p headerParser) object(field func(key string) error) error {
	if err := p.delim('{'); err != nil {
		return err
	}
	seen := map[string]bool{}
	for p.tokens.More() {
		key, err := p.text()
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("%s comes twice", quoted(key))
		}
		seen[key] = true
		if err := field(key); err != nil {
			return err
		}
	}
	return p.delim('}')
}

// naturals reads an array of at most limit numbers of so many bits.
func (p headerParser) naturals(limit, bitSize int) ([]uint64, error) {
	if err := p.delim('['); err != nil {
		return nil, err
	}
	var ns []uint64
	for p.tokens.More() {
		if len(ns) == limit {
			return nil, fmt.Errorf("more than %d numbers", limit)
		}
		tok, err := p.next()
		if err != nil {
			return nil, err
		}
		literal, ok := tok.(json.Number)
		if !ok {
			return nil, fmt.Errorf("%v where a number belongs", tok)
		}
		n, err := strconv.ParseUint(literal.String(), 10, bitSize)
		if err != nil {
			return nil, fmt.Errorf("%s is no number from 0 to 2^%d-1", quoted(literal.String()), bitSize)
		}
		ns = append(ns, n)
	}
	return ns, p.delim(']')
}

func (p headerParser) text() (string, error) {
	tok, err := p.next()
	if err != nil {
		return "", err
	}
	s, ok := tok.(string)
	if !ok {
		return "", fmt.Errorf("%v where a string belongs", tok)
	}
	return s, nil
}

func (p headerParser) delim(want json.Delim) error {
	tok, err := p.next()
	if err != nil {
		return err
	}
	if tok != want {
		return fmt.Errorf("no %v where one belongs", want)
	}
	return nil
}

func (p headerParser) next() (json.Token, error) {
	tok, err := p.tokens.Token()
	return tok, cutShort(err)
}

// cutShort turns the end of the input, where more was to come, into the error
// that says so.
func cutShort(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// within says which tensor an error is about.
func within(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("tensor %s: %w", quoted(name), err)
}

// quoted quotes text from a file, of which a hostile one may have megabytes.
func quoted(s string) string {
	const most = 200
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}
