// Metrics as an event file of TensorBoard.

package train

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// eventFile is a sequence of records, each a protocol buffer
// tensorflow.Event. TensorBoard follows a file that grows, so it is appended to;
// a start of the run opens a file of its own.
type eventFile struct{ f *os.File }

// openEvents makes a new event file. A resumed run says from which step on what
// earlier files have does not count; 0: there are none.
func openEvents(dir string, next int, now time.Time) (*eventFile, error) {
	for i := 0; ; i++ {
		// TensorBoard wants "tfevents" in the name and reads files in order of names.
		name := fmt.Sprintf("events.out.tfevents.%010d.%03d", now.Unix(), i)
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("train: Run: %w", err)
		}
		out := appendRecord(nil, appendHeader(nil, now))
		if next > 0 {
			out = appendRecord(out, appendRestart(nil, next, now))
		}
		e := &eventFile{f}
		if _, err := f.Write(out); err != nil {
			f.Close()
			return nil, fmt.Errorf("train: Run: %w", err)
		}
		return e, nil
	}
}

// write appends the metrics of an epoch.
func (e *eventFile) write(epoch int, m Metrics, now time.Time) error {
	if e == nil {
		return nil
	}
	if _, err := e.f.Write(appendRecord(nil, appendScalars(nil, epoch, m, now))); err != nil {
		return fmt.Errorf("train: Run: %w", err)
	}
	return nil
}

func (e *eventFile) close() error {
	if e == nil {
		return nil
	}
	if err := e.f.Close(); err != nil {
		return fmt.Errorf("train: Run: %w", err)
	}
	return nil
}

// appendRecord appends a TFRecord: the length and its checksum, the data and
// theirs.
func appendRecord(b, data []byte) []byte {
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	b = append(b, length...)
	b = binary.LittleEndian.AppendUint32(b, maskedCRC(length))
	b = append(b, data...)
	return binary.LittleEndian.AppendUint32(b, maskedCRC(data))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// maskedCRC is TFRecord's checksum: a rotated CRC-32C plus a constant, since a
// checksum of data that hold their own checksum is a weak one.
func maskedCRC(data []byte) uint32 {
	c := crc32.Checksum(data, castagnoli)
	return (c>>15 | c<<17) + 0xa282ead8
}

// Field numbers of tensorflow/core/util/event.proto and
// tensorflow/core/framework/summary.proto.
const (
	eventWallTime    = 1 // double, seconds since 1970
	eventStep        = 2 // int64
	eventFileVersion = 3 // string
	eventSummary     = 5 // Summary
	eventSessionLog  = 7 // SessionLog
	summaryValue     = 1 // repeated Summary.Value
	valueTag         = 1 // string
	valueSimple      = 2 // float
	sessionStatus    = 1 // enum
	sessionStart     = 1 // its value START
)

func appendHeader(b []byte, now time.Time) []byte {
	b = appendWallTime(b, now)
	b = protowire.AppendTag(b, eventFileVersion, protowire.BytesType)
	return protowire.AppendString(b, "brain.Event:2")
}

func appendRestart(b []byte, step int, now time.Time) []byte {
	b = appendWallTime(b, now)
	b = appendStep(b, step)
	session := protowire.AppendVarint(protowire.AppendTag(nil, sessionStatus, protowire.VarintType), sessionStart)
	return appendMessage(b, eventSessionLog, session)
}

func appendScalars(b []byte, step int, m Metrics, now time.Time) []byte {
	b = appendWallTime(b, now)
	b = appendStep(b, step)
	var summary []byte
	for _, name := range slices.Sorted(maps.Keys(m)) {
		value := protowire.AppendString(protowire.AppendTag(nil, valueTag, protowire.BytesType), name)
		value = protowire.AppendTag(value, valueSimple, protowire.Fixed32Type)
		value = protowire.AppendFixed32(value, math.Float32bits(float32(m[name])))
		summary = appendMessage(summary, summaryValue, value)
	}
	return appendMessage(b, eventSummary, summary)
}

func appendWallTime(b []byte, now time.Time) []byte {
	b = protowire.AppendTag(b, eventWallTime, protowire.Fixed64Type)
	return protowire.AppendFixed64(b, math.Float64bits(float64(now.UnixMicro())/1e6))
}

func appendStep(b []byte, step int) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, eventStep, protowire.VarintType), uint64(step))
}

func appendMessage(b []byte, field protowire.Number, message []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), message)
}
