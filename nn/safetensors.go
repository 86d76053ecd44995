// The file format safetensors: its element types, and files as a whole.

package nn

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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
)

// fileTensor is what a header says about one tensor.
type fileTensor struct {
	name       string
	dtype      fileDType
	shape      tensor.Shape
	begin, end int64 // in the part after the header
	skip       bool  // nobody wants the elements
}

// fileDType is an element type of the format.
type fileDType struct {
	name  string
	size  int          // bytes of an element in a file
	dtype tensor.DType // of the elements once read
	alien bool         // there is no such type here: it can be skipped, not read
}

// unsupported is the error of a type that is not read.
func unsupported(dtype string) error {
	return fmt.Errorf("dtype %s is not supported; F16, BF16, F32, F64, I32, I64 and BOOL are", quoted(dtype))
}

// fileDTypes are the element types, wide ones first: the order of the reference
// writer, which keeps every tensor aligned. Those of 16 bits are only read.
var fileDTypes = []fileDType{
	{name: "I64", size: 8, dtype: tensor.Int64},
	{name: "F64", size: 8, dtype: tensor.Float64},
	{name: "F32", size: 4, dtype: tensor.Float32},
	{name: "I32", size: 4, dtype: tensor.Int32},
	{name: "BF16", size: 2, dtype: tensor.Float32},
	{name: "F16", size: 2, dtype: tensor.Float32},
	{name: "BOOL", size: 1, dtype: tensor.Bool},
}

// alienDTypes are the format's other element types of whole bytes.
var alienDTypes = []fileDType{
	{name: "U64", size: 8, alien: true},
	{name: "U32", size: 4, alien: true},
	{name: "I16", size: 2, alien: true},
	{name: "U16", size: 2, alien: true},
	{name: "I8", size: 1, alien: true},
	{name: "U8", size: 1, alien: true},
	{name: "F8_E4M3", size: 1, alien: true},
	{name: "F8_E5M2", size: 1, alien: true},
}

// fileDTypeRank returns the position in fileDTypes of what dt is written as.
func fileDTypeRank(dt tensor.DType) int {
	for i, d := range fileDTypes {
		if d.dtype == dt {
			return i
		}
	}
	panic("BUG: nn: element type " + dt.String() + " has no name in safetensors")
}

// SaveTensors writes tensors in the format safetensors, as F32, F64, I32, I64 and
// BOOL. The same tensors give the same bytes: they are ordered as by the reference
// writer, wide element types first, then by name. metadata may be nil.
func SaveTensors(w io.Writer, tensors map[string]*tensor.Tensor, metadata map[string]string) error {
	wantThere("SaveTensors", "the writer", w != nil)
	if err := writeTensors(w, tensors, metadata); err != nil {
		return fmt.Errorf("nn: SaveTensors: %w", err)
	}
	return nil
}

// LoadTensors reads all tensors of a file in the format safetensors, to the end of
// r. F16 and BF16 become Float32. The file is not trusted: the header is at most
// 100 MB long, no byte is left out or used twice, and memory is used in proportion
// to what r really gives.
func LoadTensors(r io.Reader) (map[string]*tensor.Tensor, error) {
	wantThere("LoadTensors", "the reader", r != nil)
	file, read, err := readTensors(bufio.NewReader(r), func([]fileTensor) error { return nil }, false)
	if err != nil {
		return nil, fmt.Errorf("nn: LoadTensors: %w", err)
	}
	tensors := make(map[string]*tensor.Tensor, len(file))
	for i, f := range file {
		tensors[f.name] = read[i]
	}
	return tensors, nil
}

// LoadMetadata reads what [SaveTensors], or [Save] with [Metadata], wrote beside the tensors
// of a file in the format safetensors, such as what a server has to know of a model; empty,
// not nil, if that is nothing. It reads no further than it must, and trusts the file as little
// as LoadTensors does.
func LoadMetadata(r io.Reader) (map[string]string, error) {
	wantThere("LoadMetadata", "the reader", r != nil)
	b := bufio.NewReader(r)
	start, _ := b.Peek(sniffed)
	start = bytes.Clone(start)
	_, metadata, err := readHeader(b)
	if err != nil {
		return nil, fmt.Errorf("nn: LoadMetadata: %w", explainHeader(start, err))
	}
	return metadata, nil
}

func writeTensors(w io.Writer, tensors map[string]*tensor.Tensor, metadata map[string]string) error {
	header := make([]fileTensor, 0, len(tensors))
	for name, t := range tensors {
		if name == metadataKey || !utf8.ValidString(name) {
			return fmt.Errorf("a file cannot hold a tensor named %s", quoted(name))
		}
		if t == nil {
			return fmt.Errorf("tensor %s is nil", quoted(name))
		}
		if t.Rank() > maxFileRank {
			return within(name, fmt.Errorf("%d axes; readers accept %d at most", t.Rank(), maxFileRank))
		}
		header = append(header, fileTensor{name: name, dtype: fileDTypes[fileDTypeRank(t.DType())], shape: t.Shape()})
	}
	for key, value := range metadata { // written otherwise, two keys may become one
		if !utf8.ValidString(key) || !utf8.ValidString(value) {
			return fmt.Errorf("a file cannot hold the metadata %s = %s, which is not UTF-8", quoted(key), quoted(value))
		}
	}
	slices.SortFunc(header, func(a, b fileTensor) int {
		return cmp.Or(cmp.Compare(fileDTypeRank(a.dtype.dtype), fileDTypeRank(b.dtype.dtype)), strings.Compare(a.name, b.name))
	})
	var at int64
	for i, f := range header {
		header[i].begin, header[i].end = at, at+tensors[f.name].Bytes()
		at = header[i].end
	}
	start, err := encodeHeader(header, metadata)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if _, err := b.Write(start); err != nil {
		return err
	}
	for _, f := range header {
		if err := writeElements(b, tensors[f.name].Contiguous()); err != nil {
			return within(f.name, err)
		}
	}
	return b.Flush()
}

// readTensors reads a file to its end. accept judges the header before any element
// is read, and may mark tensors to skip, for which there is nil; trusted says that what it
// accepts has a size the caller knows.
func readTensors(b *bufio.Reader, accept func(file []fileTensor) error, trusted bool) ([]fileTensor, []*tensor.Tensor, error) {
	start, _ := b.Peek(sniffed) // less of a short file; what cannot be read is the header's fault
	start = bytes.Clone(start)
	file, _, err := readHeader(b)
	if err != nil {
		return nil, nil, explainHeader(start, err)
	}
	if err := accept(file); err != nil {
		return nil, nil, err
	}
	for _, f := range file {
		if f.dtype.alien && !f.skip {
			return nil, nil, within(f.name, unsupported(f.dtype.name))
		}
	}
	read := make([]*tensor.Tensor, len(file))
	for i, f := range file {
		if f.skip {
			err = skipTensor(b, f)
		} else {
			read[i], err = readTensor(b, f, trusted)
		}
		if err != nil {
			return nil, nil, within(f.name, err)
		}
	}
	switch _, err := b.ReadByte(); err {
	case io.EOF:
		return file, read, nil
	case nil:
		return nil, nil, errors.New("bytes after the last tensor")
	default:
		return nil, nil, err
	}
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
		fmt.Fprintf(&b, `:{"dtype":"%s","shape":`, t.dtype.name)
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
