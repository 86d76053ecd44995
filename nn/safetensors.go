// The file format safetensors: its header read as if by an enemy's hand, and the
// elements of tensors as little-endian bytes.

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

// The format (https://github.com/huggingface/safetensors, section Format) is
//
//	8 bytes          N, the length of the header, little-endian
//	N bytes          the header, JSON, padded with spaces
//	the rest         the elements of the tensors, little-endian, row-major
//
// The header maps the name of each tensor to its dtype, its shape and the range
// of its bytes in the rest of the file; the ranges leave no byte out and none is
// in two. "__metadata__" maps strings to strings instead.
const (
	maxHeaderBytes = 100_000_000 // the limit of the reference implementation
	maxFileRank    = 64          // PyTorch's limit
	metadataKey    = "__metadata__"
	chunkBytes     = 1 << 16 // elements are converted so many bytes at a time
)

// fileTensor is what a header says about one tensor.
type fileTensor struct {
	name       string
	dtype      tensor.DType
	shape      tensor.Shape
	begin, end int64 // in the part after the header
}

// fileDTypes are the names of the element types in a header, wide types first:
// the order of the reference writer, which keeps every tensor aligned.
var fileDTypes = []struct {
	name  string
	dtype tensor.DType
}{
	{"I64", tensor.Int64},
	{"F64", tensor.Float64},
	{"F32", tensor.Float32},
	{"I32", tensor.Int32},
}

// fileDTypeRank returns the position of dt in fileDTypes.
func fileDTypeRank(dt tensor.DType) int {
	for i, d := range fileDTypes {
		if d.dtype == dt {
			return i
		}
	}
	panic("BUG: nn: element type " + dt.String() + " has no name in safetensors")
}

// encodeHeader returns the start of a file, length and padding included.
func encodeHeader(tensors []fileTensor, metadata map[string]string) ([]byte, error) {
	var b bytes.Buffer
	b.Write(make([]byte, 8))
	b.WriteByte('{')
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	write := func(v any) error {
		err := enc.Encode(v)
		b.Truncate(max(b.Len()-1, 0)) // the encoder's newline
		return err
	}
	if metadata != nil {
		b.WriteString(`"` + metadataKey + `":`)
		if err := write(metadata); err != nil {
			return nil, err
		}
	}
	for i, t := range tensors {
		if i > 0 || metadata != nil {
			b.WriteByte(',')
		}
		if err := write(t.name); err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `:{"dtype":"%s","shape":`, fileDTypes[fileDTypeRank(t.dtype)].name)
		if err := write([]int(t.shape)); err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, `,"data_offsets":[%d,%d]}`, t.begin, t.end)
	}
	b.WriteByte('}')
	for b.Len()%8 != 0 {
		b.WriteByte(' ')
	}
	n := b.Len() - 8
	if n > maxHeaderBytes {
		return nil, fmt.Errorf("the header has %d bytes; readers accept %d at most", n, maxHeaderBytes)
	}
	binary.LittleEndian.PutUint64(b.Bytes(), uint64(n))
	return b.Bytes(), nil
}

// readHeader reads the start of a file and returns its tensors in the order of
// their bytes. Their ranges are consecutive from 0 and as long as dtype and shape
// say. It allocates no more than a small multiple of what the reader gives.
func readHeader(r io.Reader) ([]fileTensor, error) {
	var length [8]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, fmt.Errorf("length of the header: %w", cutShort(err))
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeaderBytes {
		return nil, fmt.Errorf("a header of %d bytes; the limit is %d", n, maxHeaderBytes)
	}
	raw, err := io.ReadAll(io.LimitReader(r, int64(n)))
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	if uint64(len(raw)) < n {
		return nil, fmt.Errorf("header: %d bytes of %d: %w", len(raw), n, io.ErrUnexpectedEOF)
	}
	tensors, err := parseHeader(raw)
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	return tensors, checkRanges(tensors)
}

// parseHeader reads the JSON.
func parseHeader(raw []byte) ([]fileTensor, error) {
	if len(raw) == 0 || raw[0] != '{' {
		return nil, errors.New("it does not begin with {")
	}
	if !utf8.Valid(raw) {
		return nil, errors.New("it is not UTF-8")
	}
	var tensors []fileTensor
	p := headerParser{json.NewDecoder(bytes.NewReader(raw))}
	p.tokens.UseNumber()
	err := p.object(func(name string) error {
		if name == metadataKey {
			return within(name, p.object(func(string) error {
				_, err := p.text()
				return err
			}))
		}
		t, err := p.tensor(name)
		tensors = append(tensors, t)
		return within(name, err)
	})
	if err != nil {
		return nil, err
	}
	if rest := bytes.TrimLeft(raw[p.tokens.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, errors.New("something follows its closing }")
	}
	return tensors, nil
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
			return within(t.name, fmt.Errorf("%d bytes of data; %v %v has %d", t.end-t.begin, t.dtype, t.shape, size))
		}
		at = t.end
	}
	return nil
}

// fileBytes returns how many bytes the elements have, and false if the number,
// or one on the way to it, overflows.
func fileBytes(dt tensor.DType, shape tensor.Shape) (int64, bool) {
	n := uint64(dt.Size())
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
			for _, d := range fileDTypes {
				if d.name == s {
					t.dtype = d.dtype
					return nil
				}
			}
			return fmt.Errorf("dtype %s is not supported; F32, F64, I32 and I64 are", quoted(s))
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

// writeElements writes the elements of t.
func writeElements(w io.Writer, t *tensor.Tensor) error {
	switch t.DType() {
	case tensor.Float32:
		return writeSlice(w, tensor.Data[float32](t))
	case tensor.Float64:
		return writeSlice(w, tensor.Data[float64](t))
	case tensor.Int32:
		return writeSlice(w, tensor.Data[int32](t))
	default:
		return writeSlice(w, tensor.Data[int64](t))
	}
}

func writeSlice[T tensor.Element](w io.Writer, xs []T) error {
	var buf [chunkBytes]byte
	for part := range slices.Chunk(xs, chunkBytes/tensor.DTypeOf[T]().Size()) {
		n, err := binary.Encode(buf[:], binary.LittleEndian, part)
		if err != nil {
			return err
		}
		if _, err := w.Write(buf[:n]); err != nil {
			return err
		}
	}
	return nil
}

// readElements fills t.
func readElements(r io.Reader, t *tensor.Tensor) error {
	switch t.DType() {
	case tensor.Float32:
		return readSlice(r, tensor.Data[float32](t))
	case tensor.Float64:
		return readSlice(r, tensor.Data[float64](t))
	case tensor.Int32:
		return readSlice(r, tensor.Data[int32](t))
	default:
		return readSlice(r, tensor.Data[int64](t))
	}
}

func readSlice[T tensor.Element](r io.Reader, xs []T) error {
	var buf [chunkBytes]byte
	size := tensor.DTypeOf[T]().Size()
	for part := range slices.Chunk(xs, chunkBytes/size) {
		bytes := buf[:len(part)*size]
		if _, err := io.ReadFull(r, bytes); err != nil {
			return cutShort(err)
		}
		if _, err := binary.Decode(bytes, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	return nil
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
