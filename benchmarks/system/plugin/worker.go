//go:build linux && !android && (amd64 || arm64)

package plugin

// The worker: this program once more, with a library.

import (
	"encoding/gob"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Serve is called first thing in main, and in TestMain, of a program that opens
// libraries. In a process that Open started it does not return; in others it does
// nothing.
func Serve() {
	served.Store(true)
	if os.Getenv(workerVariable) == "" {
		return
	}
	if err := os.Unsetenv(workerVariable); err != nil {
		work(err)
	}
	work(serve())
}

// work ends a worker.
func work(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "plugin: worker:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// A worker is what this process has.
type worker struct {
	lib     *library
	windows [numSlots]*window
}

func serve() error {
	runtime.LockOSThread() // a library may keep things for a thread
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return err
	}
	w := &worker{}
	for i := range w.windows {
		w.windows[i] = &window{fd: slotsFile + i}
	}
	for fd := requestsFile; fd < slotsFile+numSlots; fd++ {
		unix.CloseOnExec(fd)
	}
	replies := gob.NewEncoder(os.NewFile(repliesFile, "replies"))
	if err := replies.Encode(reply{}); err != nil {
		return err
	}
	for r := range receive() {
		if err := replies.Encode(w.answer(r)); err != nil {
			return err
		}
	}
	return nil
}

// receive returns requests. When there will be no more, since the other process has
// closed the pipe or has died, this one ends, whatever the library is doing.
func receive() <-chan request {
	requests := make(chan request)
	go func() {
		in := gob.NewDecoder(os.NewFile(requestsFile, "requests"))
		for {
			var r request
			if in.Decode(&r) != nil {
				os.Exit(0)
			}
			requests <- r
		}
	}()
	return requests
}

func (w *worker) answer(r request) *reply {
	a := &reply{}
	var broken error
	switch r.Order {
	case orderOpen:
		if w.lib, a.Err = load(r.Path); a.Err == nil {
			a.Name = w.lib.name
		}
	case orderMap:
		window := w.windows[r.Slot]
		if broken = window.remap(r.Size); broken == nil {
			a.Base = uint64(uintptr(window.start()))
		}
	case orderCreate:
		if broken = w.show(r.Operands); broken == nil {
			var graph uintptr
			src, dst := w.address(r.Operands[0]), w.address(r.Operands[1])
			if graph, a.Err = w.lib.newGraph(r.Vertices, r.Edges, src, dst); a.Err == nil {
				a.Graph, a.Memory = uint64(graph), w.lib.memoryOf(graph)
			}
		}
	case orderCall:
		if broken = w.show(r.Operands); broken == nil {
			var set [numSlots]bool
			for _, o := range r.Operands {
				set[o.Slot] = true
				w.lib.args.tensors[o.Slot].set(w.address(o), o.Shape)
			}
			a.Time, a.Err = w.lib.call(r.Kind, uintptr(r.Graph), r.Flags, set)
			a.Memory = w.lib.memoryOf(uintptr(r.Graph))
		}
	case orderDestroy:
		w.lib.free(uintptr(r.Graph))
	default:
		panic(fmt.Sprintf("BUG: plugin: order %d", r.Order))
	}
	if broken != nil {
		a.Broken = broken.Error()
	}
	return a
}

// show makes the operands of a call accessible, and nothing else of any slot.
func (w *worker) show(operands []placed) error {
	var shown [numSlots]placed
	for _, o := range operands {
		shown[o.Slot] = o
	}
	for i, window := range w.windows {
		if window.base == nil {
			continue
		}
		if err := window.show(shown[i]); err != nil {
			return err
		}
	}
	return nil
}

// address is where an operand is.
func (w *worker) address(o placed) uintptr {
	return uintptr(unsafe.Add(w.windows[o.Slot].start(), o.At))
}
