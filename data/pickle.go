// The pickles of Planetoid: protocol 2, written by Python 2, holding NumPy
// arrays, SciPy CSR matrices and adjacency lists, and nothing else.
//
// A pickle is a program. It is scanned before it runs: only the opcodes such
// files use are let through, counted arguments must lie within the file, and
// the number of objects is bounded, so that the memory a hostile file can ask
// for is bounded too. Only the classes below are built; none runs foreign code.

package data

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/nlpodyssey/gopickle/pickle"
	"github.com/nlpodyssey/gopickle/types"
)

// Limits of the scan. The largest known file, Pubmed's graph, has 178,216
// opcodes and 19,717 lists.
const (
	maxOpcodes    = 1 << 21
	maxContainers = 1 << 18
	maxMarks      = 64      // open at once
	maxGets       = 1 << 12 // objects used again
	maxName       = 1 << 8  // bytes of a string that may be used again
	maxMessage    = 1 << 10 // bytes of what the library says, which may quote an array
)

// unpickle runs a pickle of protocol 2. The result is an *ndarray, a
// *csrMatrix, a *types.Dict, or whatever simple value the file holds.
func unpickle(file []byte) (value any, err error) {
	if err := scanPickle(file); err != nil {
		return nil, fmt.Errorf("not a readable pickle: %w", err)
	}
	defer func() {
		// The library indexes without checks where a pickle is ill-formed.
		if r := recover(); r != nil {
			value, err = nil, unreadable(fmt.Sprint(r))
		}
	}()
	u := pickle.NewUnpickler(bytes.NewReader(file))
	u.FindClass = findClass
	value, err = u.Load()
	if err != nil {
		return nil, unreadable(err.Error())
	}
	return value, nil
}

// unreadable makes an error of what the library says.
func unreadable(message string) error {
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + "…"
	}
	return errors.New("not a readable pickle: " + message)
}

// scanPickle walks the opcodes up to STOP.
func scanPickle(file []byte) error {
	var opcodes, containers, marks, gets int
	var long bool                    // the opcode before this one pushed a long string
	longStrings := map[uint32]bool{} // where the memo holds one
	for at := 0; at < len(file); {
		op := file[at]
		args := file[at+1:]
		size := 0
		switch op {
		case '.': // STOP
			return nil
		case '(': // MARK
			marks++
			containers++
		case 't', 'e', 'u': // TUPLE, APPENDS, SETITEMS: back to the mark
			marks--
		case ')', ']', '}', '\x81', '\x85', '\x86', '\x87', 'R': // EMPTY_TUPLE, EMPTY_LIST, EMPTY_DICT, NEWOBJ, TUPLE1 to 3, REDUCE
			containers++
		case 'a', 's', 'b', 'N', '\x88', '\x89': // APPEND, SETITEM, BUILD, NONE, NEWTRUE, NEWFALSE
		case '\x80', 'K', 'q', 'h': // PROTO, BININT1, BINPUT, BINGET
			size = 1
		case 'M': // BININT2
			size = 2
		case 'J', 'r', 'j': // BININT, LONG_BINPUT, LONG_BINGET
			size = 4
		case 'G': // BINFLOAT
			size = 8
		case 'U', '\x8a': // SHORT_BINSTRING, LONG1: a length of one byte
			if len(args) < 1 {
				return errors.New("truncated")
			}
			size = 1 + int(args[0])
			if op == '\x8a' && size > 9 {
				return fmt.Errorf("an integer of %d bytes at offset %d", size-1, at)
			}
		case 'T', 'X': // BINSTRING, BINUNICODE: a length of four bytes
			if len(args) < 4 {
				return errors.New("truncated")
			}
			n := binary.LittleEndian.Uint32(args)
			if uint64(n) > uint64(len(args)-4) {
				return fmt.Errorf("a string of %d bytes at offset %d, %d are left", n, at, len(args)-4)
			}
			size = 4 + int(n)
		case 'c': // GLOBAL: two lines
			module := bytes.IndexByte(args, '\n')
			if module < 0 {
				return errors.New("truncated")
			}
			name := bytes.IndexByte(args[module+1:], '\n')
			if name < 0 {
				return errors.New("truncated")
			}
			size = module + 1 + name + 1
		default:
			return fmt.Errorf("opcode %#02x at offset %d is not one of the files read here", op, at)
		}
		if size > len(args) {
			return errors.New("truncated")
		}
		switch op {
		case 'q', 'r':
			longStrings[memoKey(op == 'r', args)] = long
		case 'h', 'j':
			gets++
			if longStrings[memoKey(op == 'j', args)] {
				return fmt.Errorf("the opcode at offset %d uses a long string again", at)
			}
		}
		long = size > maxName && (op == 'T' || op == 'X')
		opcodes++
		switch {
		case marks < 0:
			return fmt.Errorf("no mark for the opcode at offset %d", at)
		case marks > maxMarks:
			return fmt.Errorf("more than %d nested objects", maxMarks)
		case opcodes > maxOpcodes || containers > maxContainers || gets > maxGets:
			return errors.New("too many objects")
		}
		at += 1 + size
	}
	return errors.New("truncated")
}

// memoKey reads where in the memo an opcode of one or four bytes points.
func memoKey(wide bool, args []byte) uint32 {
	if wide {
		return binary.LittleEndian.Uint32(args)
	}
	return uint32(args[0])
}

// findClass gives the classes a pickle may name; any other is refused.
func findClass(module, name string) (any, error) {
	switch module + "." + name {
	case "numpy.core.multiarray._reconstruct":
		return function(func(...any) (any, error) { return &ndarray{}, nil }), nil
	case "numpy.ndarray", "__builtin__.list":
		return classArgument{}, nil
	case "numpy.dtype":
		return function(newDType), nil
	case "scipy.sparse.csr.csr_matrix":
		return csrClass{}, nil
	case "collections.defaultdict":
		return function(func(...any) (any, error) { return types.NewDict(), nil }), nil
	}
	return nil, fmt.Errorf("class %.80q of module %.80q is not one of the files read here", name, module)
}

// function is a Python callable.
type function func(args ...any) (any, error)

func (f function) Call(args ...any) (any, error) { return f(args...) }

// classArgument is a class that is only an argument of another call.
type classArgument struct{}

// dtype is a NumPy element type: its kind and size, such as "f4".
type dtype struct {
	code  string
	order binary.ByteOrder
}

func newDType(args ...any) (any, error) {
	if len(args) == 0 {
		return nil, errors.New("dtype without a type")
	}
	code, ok := args[0].(string)
	if !ok || itemSize(code) == 0 {
		return nil, fmt.Errorf("dtype: elements of type %.20q are not read", code)
	}
	return &dtype{code: code, order: binary.LittleEndian}, nil
}

// PySetState reads (version, byte order, ...).
func (d *dtype) PySetState(state any) error {
	t, ok := state.(*types.Tuple)
	if !ok || t.Len() < 2 {
		return errors.New("dtype: unknown state")
	}
	switch t.Get(1) {
	case "<", "|", "=":
		d.order = binary.LittleEndian
	case ">":
		d.order = binary.BigEndian
	default:
		return errors.New("dtype: unknown byte order")
	}
	return nil
}

// ndarray is a NumPy array. It stays encoded until it is asked for, so that a
// pickle cannot have the same bytes decoded over and over.
type ndarray struct {
	shape []int
	dtype *dtype // nil until the state is set
	raw   string
}

// PySetState reads (version, shape, dtype, is column-major, bytes).
func (a *ndarray) PySetState(state any) error {
	t, ok := state.(*types.Tuple)
	if !ok || t.Len() != 5 {
		return errors.New("ndarray: unknown state")
	}
	shape, ok1 := t.Get(1).(*types.Tuple)
	dt, ok2 := t.Get(2).(*dtype)
	columnMajor, ok3 := t.Get(3).(bool)
	raw, ok4 := t.Get(4).(string)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return errors.New("ndarray: unknown state")
	}
	dims := make([]int, shape.Len())
	for i := range dims {
		d, ok := shape.Get(i).(int)
		if !ok {
			return fmt.Errorf("ndarray: dimension %d is not an integer", i)
		}
		dims[i] = d
	}
	if columnMajor && len(dims) > 1 {
		return errors.New("ndarray: column-major arrays are not read")
	}
	if err := checkShape(dims, itemSize(dt.code), len(raw)); err != nil {
		return fmt.Errorf("ndarray: %w", err)
	}
	a.shape, a.dtype, a.raw = dims, dt, raw
	return nil
}

// decode returns the elements.
func (x *ndarray) decode() (*array, error) {
	if x == nil || x.dtype == nil {
		return nil, errors.New("missing")
	}
	return decodeArray(x.shape, x.dtype.code, x.dtype.order, []byte(x.raw))
}

// csrClass makes csrMatrix objects.
type csrClass struct{}

func (csrClass) PyNew(...any) (any, error) { return &csrMatrix{}, nil }

// csrMatrix is a SciPy CSR matrix as its dictionary is filled in.
type csrMatrix struct {
	shape                 *types.Tuple
	indptr, indices, data *ndarray
}

// PyDictSet keeps the four entries that matter.
func (m *csrMatrix) PyDictSet(key, value any) error {
	ok := true
	switch key {
	case "_shape", "shape":
		m.shape, ok = value.(*types.Tuple)
	case "indptr":
		m.indptr, ok = value.(*ndarray)
	case "indices":
		m.indices, ok = value.(*ndarray)
	case "data":
		m.data, ok = value.(*ndarray)
	}
	if !ok {
		return errors.New("csr_matrix: a part has an unknown type")
	}
	return nil
}

// unpickleArray reads a file that holds one array.
func unpickleArray(file []byte) (*array, error) {
	v, err := unpickle(file)
	if err != nil {
		return nil, err
	}
	x, ok := v.(*ndarray)
	if !ok {
		return nil, errors.New("holds no NumPy array")
	}
	a, err := x.decode()
	if err != nil {
		return nil, fmt.Errorf("NumPy array: content: %w", err)
	}
	return a, nil
}

// unpickleCSR reads a file that holds one CSR matrix.
func unpickleCSR(file []byte) (*csr, error) {
	v, err := unpickle(file)
	if err != nil {
		return nil, err
	}
	m, ok := v.(*csrMatrix)
	if !ok {
		return nil, errors.New("holds no SciPy CSR matrix")
	}
	if m.shape == nil || m.shape.Len() != 2 {
		return nil, errors.New("CSR matrix without a shape")
	}
	rows, ok1 := m.shape.Get(0).(int)
	cols, ok2 := m.shape.Get(1).(int)
	if !ok1 || !ok2 {
		return nil, errors.New("CSR matrix without a shape")
	}
	indptr, err := m.indptr.decode()
	if err != nil {
		return nil, fmt.Errorf("CSR matrix: indptr: %w", err)
	}
	indices, err := m.indices.decode()
	if err != nil {
		return nil, fmt.Errorf("CSR matrix: indices: %w", err)
	}
	data, err := m.data.decode()
	if err != nil {
		return nil, fmt.Errorf("CSR matrix: data: %w", err)
	}
	out, err := newCSR(rows, cols, indptr, indices, data)
	if err != nil {
		return nil, fmt.Errorf("CSR matrix: %w", err)
	}
	return out, nil
}

// unpickleAdjacency reads a file that holds a dictionary from each of n
// vertices to the list of its neighbours, and returns the entries as arcs.
func unpickleAdjacency(file []byte) (n int, src, dst []int32, err error) {
	v, err := unpickle(file)
	if err != nil {
		return 0, nil, nil, err
	}
	dict, ok := v.(*types.Dict)
	if !ok {
		return 0, nil, nil, errors.New("holds no dictionary")
	}
	seen := make([]bool, dict.Len())
	for i, entry := range *dict {
		u, ok := entry.Key.(int)
		if !ok || u < 0 || u >= len(seen) {
			return 0, nil, nil, fmt.Errorf("entry %d: the key is not one of %d vertices", i, len(seen))
		}
		if seen[u] {
			return 0, nil, nil, fmt.Errorf("entry %d: vertex %d comes twice", i, u)
		}
		seen[u] = true
		list, ok := entry.Value.(*types.List)
		if !ok {
			return 0, nil, nil, fmt.Errorf("vertex %d has no list of neighbours", u)
		}
		if len(*list) > len(file)-len(src) { // an entry takes two bytes or more
			return 0, nil, nil, errors.New("more neighbours than the file has room for")
		}
		for k, x := range *list {
			w, ok := x.(int)
			if !ok || w < 0 || w >= len(seen) {
				return 0, nil, nil, fmt.Errorf("vertex %d: neighbour %d is not one of %d vertices", u, k, len(seen))
			}
			src = append(src, int32(u))
			dst = append(dst, int32(w))
		}
	}
	return len(seen), src, dst, nil
}
