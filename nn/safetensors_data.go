// The elements of tensors as bytes of a safetensors file.

package nn

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/tensor"
)

// chunkBytes is how many bytes are converted at a time.
const chunkBytes = 1 << 16

// writeElements writes the elements of a contiguous tensor, on any device.
func writeElements(w io.Writer, t *tensor.Tensor) error {
	t = t.ToDevice(tensor.CPU)
	switch t.DType() {
	case tensor.Float32:
		return writeSlice(w, tensor.Data[float32](t))
	case tensor.Float64:
		return writeSlice(w, tensor.Data[float64](t))
	case tensor.Int32:
		return writeSlice(w, tensor.Data[int32](t))
	case tensor.Int64:
		return writeSlice(w, tensor.Data[int64](t))
	default:
		return writeSlice(w, tensor.Data[bool](t))
	}
}

func writeSlice[T tensor.Element](w io.Writer, xs []T) error {
	size := tensor.DTypeOf[T]().Size()
	buf := make([]byte, min(chunkBytes, size*len(xs)))
	for part := range slices.Chunk(xs, chunkBytes/size) {
		n, err := binary.Encode(buf, binary.LittleEndian, part)
		if err != nil {
			return err
		}
		if _, err := w.Write(buf[:n]); err != nil {
			return err
		}
	}
	return nil
}

// readTensor reads the tensor that a header announced. Unless the header can be
// trusted with the size, memory grows with what the reader really gives.
func readTensor(r io.Reader, f fileTensor, trusted bool) (*tensor.Tensor, error) {
	if size := f.end - f.begin; !trusted && size > chunkBytes {
		var b bytes.Buffer
		if n, err := io.CopyN(&b, r, size); err != nil {
			return nil, fmt.Errorf("%d bytes of %d: %w", n, size, cutShort(err))
		}
		r = &b
	}
	t := tensor.Zeros(f.dtype.dtype, f.shape...)
	var err error
	switch f.dtype.name {
	case "F32":
		err = readSlice(r, tensor.Data[float32](t))
	case "F64":
		err = readSlice(r, tensor.Data[float64](t))
	case "I32":
		err = readSlice(r, tensor.Data[int32](t))
	case "I64":
		err = readSlice(r, tensor.Data[int64](t))
	case "F16":
		err = readChunks(r, tensor.Data[float32](t), 2, widen(fromFloat16))
	case "BF16":
		err = readChunks(r, tensor.Data[float32](t), 2, widen(fromBFloat16))
	default:
		err = readChunks(r, tensor.Data[bool](t), 1, toBools)
	}
	return t, err
}

// skipTensor reads past the elements of a tensor.
func skipTensor(r io.Reader, f fileTensor) error {
	if n, err := io.CopyN(io.Discard, r, f.end-f.begin); err != nil {
		return fmt.Errorf("%d bytes of %d: %w", n, f.end-f.begin, cutShort(err))
	}
	return nil
}

func readSlice[T tensor.Number](r io.Reader, xs []T) error {
	return readChunks(r, xs, tensor.DTypeOf[T]().Size(), func(xs []T, b []byte) error {
		_, err := binary.Decode(b, binary.LittleEndian, xs)
		return err
	})
}

// readChunks reads the bytes of xs, size for each, and hands them to decode a
// chunk at a time.
func readChunks[T any](r io.Reader, xs []T, size int, decode func(xs []T, b []byte) error) error {
	buf := make([]byte, min(chunkBytes, size*len(xs)))
	for part := range slices.Chunk(xs, chunkBytes/size) {
		b := buf[:len(part)*size]
		if _, err := io.ReadFull(r, b); err != nil {
			return cutShort(err)
		}
		if err := decode(part, b); err != nil {
			return err
		}
	}
	return nil
}

func toBools(xs []bool, b []byte) error {
	for i, c := range b {
		if c > 1 {
			return fmt.Errorf("byte %#x where a boolean belongs", c)
		}
		xs[i] = c == 1
	}
	return nil
}

// widen returns the decoder of elements of 16 bits.
func widen(convert func(bits uint16) float32) func(xs []float32, b []byte) error {
	return func(xs []float32, b []byte) error {
		for i := range xs {
			xs[i] = convert(binary.LittleEndian.Uint16(b[2*i:]))
		}
		return nil
	}
}

// fromBFloat16 widens the upper half of a float32.
func fromBFloat16(bits uint16) float32 { return math.Float32frombits(uint32(bits) << 16) }

// fromFloat16 widens an IEEE 754 binary16: 1 bit of sign, 5 of exponent, 10 of
// fraction.
func fromFloat16(bits uint16) float32 {
	sign, exponent, fraction := uint32(bits>>15)<<31, uint32(bits>>10&31), uint32(bits&1023)
	switch exponent {
	case 0: // zero or subnormal: the fraction in units of 2^-24, exactly
		x := math.Float32bits(float32(fraction) * 0x1p-24)
		return math.Float32frombits(sign | x)
	case 31: // infinite, or NaN with its payload
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
