package emu

// A machine: memory, compiled texts and the process that runs them. After a fault
// the process is gone; the next launch starts another, with the same memory.

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"
)

// Dim3 is the size of a grid in blocks, or of a block in threads, or a place in
// one. For sizes zero components mean 1.
type Dim3 struct{ X, Y, Z uint32 }

// String returns e.g. "(1,0,0)".
func (d Dim3) String() string { return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z) }

func (d Dim3) filled() Dim3 { return Dim3{max(d.X, 1), max(d.Y, 1), max(d.Z, 1)} }

func (d Dim3) array() [3]uint32 { return [3]uint32{d.X, d.Y, d.Z} }

func (d Dim3) count() uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }

// Options changes a machine; zero fields mean the defaults.
type Options struct {
	// Races looks for accesses to the same memory that nothing orders, and for shared
	// memory that is read before it is written. It is several times slower.
	Races bool
	// LeftAligned puts memory flush with the guard page before it, not with the one
	// behind it: what is read before a buffer shows at once.
	LeftAligned bool
	Align       int           // of memory, a power of two: 16 bytes
	Limit       time.Duration // of a launch, in processor time: 20 s
	Addresses   uint64        // bytes of all memory there ever was: 256 GiB
	Cache       string        // directory of compiled texts: asterias/emu in [os.UserCacheDir]
}

// Machine is an emulated GPU without a driver. Its methods may be called from
// several goroutines; launches run one after the other.
type Machine struct {
	opt   Options
	tools *toolchain

	mu      sync.Mutex
	arena   *arena
	blocks  []*block // in order of address, freed ones included
	fresh   []*block // that the process may not access yet
	process *process // nil: not running
	closed  bool
}

// block is a piece of memory.
type block struct {
	start, n   uint64 // offset in the arena, and bytes
	first, end uint64 // its pages, without the guards
	freed      bool
}

// Module is a loaded text.
type Module struct {
	Image   *Image
	machine *Machine
	process *process // that has it loaded
	handle  uint64
	kernels []*kernel
}

type kernel struct {
	name   string
	params []param
}

type param struct {
	size         int
	pointer      bool
	pointeeConst bool
}

// Memory is an address of a machine's memory.
type Memory uint64

// NewMachine starts a machine.
func NewMachine(ctx context.Context, o Options) (*Machine, error) {
	if o.Align == 0 {
		o.Align = 16
	}
	if o.Align < 1 || o.Align > 4096 || o.Align&(o.Align-1) != 0 {
		misuse("NewMachine", "an alignment of %d bytes", o.Align)
	}
	if o.Limit == 0 {
		o.Limit = 20 * time.Second
	}
	if o.Addresses == 0 {
		o.Addresses = 256 << 30
	}
	tools, err := prepare(ctx, o.Cache)
	if err != nil {
		return nil, err
	}
	m := &Machine{opt: o, tools: tools}
	for {
		if err := m.start(o.Addresses); err == nil {
			return m, nil
		} else if o.Addresses /= 2; o.Addresses < leastAddresses {
			return nil, err
		}
	}
}

// leastAddresses is what a machine must have.
const leastAddresses = 4 << 30

// start makes the arena and the process. What is remembered of races takes 16 times
// the arena's addresses, which not every system has.
func (m *Machine) start(addresses uint64) (err error) {
	if m.arena, err = newArena(addresses); err != nil {
		return err
	}
	if m.process, err = startProcess(m.tools.runner, m.arena, m.opt.Races); err != nil {
		return errors.Join(err, m.arena.close())
	}
	return nil
}

// Close ends the machine; its memory is gone.
func (m *Machine) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	m.end()
	return m.arena.close()
}

// end ends the process, if it has not ended by itself.
func (m *Machine) end() {
	if m.process != nil {
		_ = m.process.stop() // killed: that is its only error
		m.process = nil
	}
}

// --- memory -----------------------------------------------------------------

// Alloc returns memory of n bytes, full of poison: a NaN as float32 and as
// float64, and no valid index.
func (m *Machine) Alloc(n uint64) (Memory, error) { return m.alloc(n, true) }

// AllocZeros returns memory full of zeros. What nobody touches of it costs nothing.
func (m *Machine) AllocZeros(n uint64) (Memory, error) { return m.alloc(n, false) }

func (m *Machine) alloc(n uint64, poisoned bool) (Memory, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return 0, ErrClosed
	}
	b := m.newBlock(n)
	if b == nil {
		return 0, fmt.Errorf("emu: no addresses left for %d bytes, of %d", n, m.arena.size)
	}
	b.n, b.start = n, b.first
	if !m.opt.LeftAligned {
		b.start = (b.end - n) &^ uint64(m.opt.Align-1)
	}
	m.fresh = append(m.fresh, b)
	m.poison(b.first, b.start)
	if poisoned {
		m.poison(b.start, b.start+n)
	}
	m.poison(b.start+n, b.end)
	return Memory(uint64(m.arena.base) + b.start), nil
}

// newBlock returns a block with pages for n bytes, nil if there is none. When all
// addresses were given out, those of a freed block of this size are used again.
func (m *Machine) newBlock(n uint64) *block {
	if offset, ok := m.arena.take(max(n, 1)); ok {
		b := &block{first: offset, end: m.arena.next - m.arena.page}
		m.blocks = append(m.blocks, b)
		return b
	}
	for _, b := range m.blocks {
		if size := b.end - b.first; b.freed && size >= n && size-n < m.arena.page {
			b.freed = false
			return b
		}
	}
	return nil
}

// pattern is poison for any address that is a multiple of 4, and starts there.
var pattern = bytes.Repeat([]byte{0xF7, 0x7F, 0xF7, 0x7F}, 1024)

// poison fills a range of the arena.
func (m *Machine) poison(from, to uint64) {
	for from < to {
		from += uint64(copy(m.arena.data[from:to], pattern[from%4:]))
	}
}

// damaged returns where a range is no poison any more.
func (m *Machine) damaged(from, to uint64) (at uint64, found bool) {
	for from < to {
		n := min(to-from, 1024)
		if want := pattern[from%4:][:n]; !bytes.Equal(m.arena.data[from:from+n], want) {
			for i := range want {
				if m.arena.data[from+uint64(i)] != want[i] {
					return from + uint64(i), true
				}
			}
		}
		from += n
	}
	return 0, false
}

// find returns the block whose pages an address is in, or is next to.
func (m *Machine) find(p Memory) *block {
	offset := uint64(p) - uint64(m.arena.base)
	i, ok := slices.BinarySearchFunc(m.blocks, offset, func(b *block, offset uint64) int {
		switch {
		case offset < b.first-m.arena.page:
			return 1
		case offset >= b.end+m.arena.page:
			return -1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return m.blocks[i]
}

// at returns the block that has n bytes at an address, nil if there is none.
func (m *Machine) at(p Memory, n uint64) *block {
	b := m.find(p)
	offset := uint64(p) - uint64(m.arena.base)
	if b == nil || b.freed || offset < b.start || offset+n > b.start+b.n {
		return nil
	}
	return b
}

// Bytes returns the n bytes at an address, nil if they are not there. They are the
// memory itself, until it is freed.
func (m *Machine) Bytes(p Memory, n uint64) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed || m.at(p, n) == nil {
		return nil
	}
	offset := uint64(p) - uint64(m.arena.base)
	return m.arena.data[offset : offset+n : offset+n]
}

// Free gives memory back. Its addresses are not used again: a kernel that does
// fails.
func (m *Machine) Free(p Memory) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	b := m.at(p, 0)
	if b == nil || uint64(p) != uint64(m.arena.base)+b.start {
		return fmt.Errorf("emu: free of %#x: no memory starts there, or it was freed", uint64(p))
	}
	b.freed = true
	if i := slices.Index(m.fresh, b); i >= 0 {
		m.fresh = slices.Delete(m.fresh, i, i+1)
	} else if m.process != nil {
		if err := m.protect(b, noAccess); err != nil {
			return err
		}
	}
	return m.arena.forget(b.first, b.end-b.first)
}

// protect says what kernels may do with a block.
func (m *Machine) protect(b *block, how int) error {
	err := m.process.must(requestHead{Kind: requestProtect, A: uint64(m.arena.base) + b.first, B: b.end - b.first, C: uint64(how)})
	if err != nil {
		m.end()
	}
	return err
}

// --- modules -----------------------------------------------------------------

// Load compiles a text, or finds it compiled, and loads it.
func (m *Machine) Load(ctx context.Context, text string) (*Module, error) {
	image, err := m.tools.build(ctx, text, m.opt.Races)
	if err != nil {
		return nil, err
	}
	return m.LoadImage(image)
}

// LoadImage loads a compiled text.
func (m *Machine) LoadImage(image *Image) (*Module, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.ready(); err != nil {
		return nil, err
	}
	mod := &Module{Image: image, machine: m}
	return mod, mod.load()
}

// ready starts the process if it is gone.
func (m *Machine) ready() (err error) {
	if m.closed {
		return ErrClosed
	}
	if m.process == nil {
		m.process, err = startProcess(m.tools.runner, m.arena, m.opt.Races)
		m.fresh = slices.DeleteFunc(slices.Clone(m.blocks), func(b *block) bool { return b.freed })
	}
	return err
}

// load makes the running process load the module.
func (mod *Module) load() error {
	m := mod.machine
	a, err := m.process.ask(requestHead{Kind: requestLoad}, []byte(mod.Image.Path))
	if err != nil {
		m.end()
		return err
	}
	if a.Status != answerOK {
		return fmt.Errorf("emu: loading kernels: %s", a.text)
	}
	first, rest, _ := strings.Cut(a.text, "\n")
	if mod.handle, err = strconv.ParseUint(first, 10, 64); err != nil {
		panic("BUG: emu: " + err.Error())
	}
	mod.process = m.process
	mod.kernels = mod.kernels[:0]
	for line := range strings.Lines(rest) {
		fields := strings.Fields(line)
		k := &kernel{name: fields[0]}
		for _, f := range fields[1:] {
			var size, flags int
			if _, err := fmt.Sscanf(f, "%d:%d", &size, &flags); err != nil {
				panic("BUG: emu: " + err.Error())
			}
			k.params = append(k.params, param{size: size, pointer: flags&1 != 0, pointeeConst: flags&2 != 0})
		}
		mod.kernels = append(mod.kernels, k)
	}
	return nil
}

// Unload forgets a module.
func (m *Machine) Unload(mod *Module) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return ErrClosed
	}
	if mod.process == nil || mod.process != m.process {
		return nil
	}
	mod.process = nil
	err := m.process.must(requestHead{Kind: requestUnload, A: mod.handle})
	if err != nil {
		m.end()
	}
	return err
}

// Params returns the sizes of a kernel's parameters in bytes, false if there is no
// kernel of that name.
func (mod *Module) Params(name string) (sizes []int, ok bool) {
	i := mod.index(name)
	if i < 0 {
		return nil, false
	}
	sizes = make([]int, len(mod.kernels[i].params))
	for j, p := range mod.kernels[i].params {
		sizes[j] = p.size
	}
	return sizes, true
}

func (mod *Module) index(name string) int {
	return slices.IndexFunc(mod.kernels, func(k *kernel) bool { return k.name == name })
}

// --- launches ------------------------------------------------------------------

// Launch is one run of a kernel.
type Launch struct {
	Kernel      string
	Grid, Block Dim3
	Seed        uint64   // of the schedule, see [Program.SetSeed]
	Args        []uint64 // values as bits, pointers as addresses
	ReadOnly    []Memory // memory that the kernel must not write to
}

// Run runs a kernel and waits for it. What it does wrong is a [*Fault].
func (m *Machine) Run(mod *Module, l Launch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.ready(); err != nil {
		return err
	}
	if mod.process != m.process {
		if err := mod.load(); err != nil {
			return err
		}
	}
	index := mod.index(l.Kernel)
	if index < 0 {
		return fmt.Errorf("emu: no kernel %q among %v", l.Kernel, mod.Image.Kernels)
	}
	k := mod.kernels[index]
	l.check(k)
	for _, b := range m.fresh {
		if err := m.protect(b, writeable); err != nil {
			return err
		}
	}
	m.fresh = m.fresh[:0]
	guarded := m.guarded(k, l)
	for _, b := range guarded {
		if err := m.protect(b, readable); err != nil {
			return err
		}
	}
	var data bytes.Buffer
	head := launchHead{
		Module: mod.handle, Seed: l.Seed, Kernel: uint32(index), Milliseconds: uint32(max(m.opt.Limit.Milliseconds(), 1)),
		Grid: l.Grid.filled().array(), Block: l.Block.filled().array(),
	}
	for _, v := range []any{head, l.Args} {
		if err := binary.Write(&data, binary.NativeEndian, v); err != nil {
			panic("BUG: emu: " + err.Error())
		}
	}
	a, err := m.process.limited(requestHead{Kind: requestLaunch}, data.Bytes(), 20*m.opt.Limit+time.Minute)
	if err != nil {
		m.end()
		return fmt.Errorf("emu: kernel %s: %w", l.Kernel, err)
	}
	if a.Status == answerFault {
		m.end()
		return m.fault(mod, k, l, a)
	}
	for _, b := range guarded {
		if err := m.protect(b, writeable); err != nil {
			return err
		}
	}
	return m.checkSlack(k, l)
}

// check panics for launches that no kernel of this signature can have.
func (l Launch) check(k *kernel) {
	grid, block := l.Grid.filled(), l.Block.filled()
	switch {
	case len(l.Args) != len(k.params):
		misuse("Launch", "kernel %s has %d parameters, %d were given", k.name, len(k.params), len(l.Args))
	case block.count() > 1024 || block.Z > 64:
		misuse("Launch", "kernel %s: blocks of %v threads", k.name, block)
	case grid.Y > 65535 || grid.Z > 65535 || grid.count() > 1<<26:
		misuse("Launch", "kernel %s: a grid of %v blocks", k.name, grid)
	}
	for i, p := range k.params {
		if p.size > 8 {
			misuse("Launch", "kernel %s: parameter %d has %d bytes, more than 8", k.name, i, p.size)
		}
	}
}

// guarded returns the blocks that a launch must not write to: those that only
// pointers to const point into, and those that the caller says.
func (m *Machine) guarded(k *kernel, l Launch) []*block {
	var asked, read, written []*block
	for _, p := range l.ReadOnly {
		if b := m.at(p, 0); b != nil {
			asked = append(asked, b)
		}
	}
	for i, p := range k.params {
		b := m.at(Memory(l.Args[i]), 0)
		switch {
		case !p.pointer || b == nil:
		case p.pointeeConst:
			read = append(read, b)
		default:
			written = append(written, b)
		}
	}
	read = slices.DeleteFunc(read, func(b *block) bool { return slices.Contains(written, b) })
	return append(asked, read...)
}

// checkSlack looks whether a kernel wrote next to the memory it was given.
func (m *Machine) checkSlack(k *kernel, l Launch) error {
	for i, p := range k.params {
		b := m.at(Memory(l.Args[i]), 0)
		if !p.pointer || b == nil {
			continue
		}
		before, foundBefore := m.damaged(b.first, b.start)
		behind, foundBehind := m.damaged(b.start+b.n, b.end)
		text := ""
		switch {
		case foundBefore:
			text = fmt.Sprintf("a thread wrote %d bytes before the start of argument %d (%d bytes)", b.start-before, i, b.n)
		case foundBehind:
			text = fmt.Sprintf("a thread wrote %d bytes behind the end of argument %d (%d bytes)", behind-b.start-b.n, i, b.n)
		default:
			continue
		}
		m.poison(b.first, b.start)
		m.poison(b.start+b.n, b.end)
		return &Fault{Kind: Address, Kernel: k.name, Seed: l.Seed, Text: text, Unplaced: true}
	}
	return nil
}

// fault makes an error of what the process reports.
func (m *Machine) fault(mod *Module, k *kernel, l Launch, a answer) *Fault {
	f := &Fault{
		Kind: Kind(a.Kind), Kernel: k.name, Line: int(a.Line), Seed: l.Seed, Text: a.text,
		Block: dim3(a.Block), Thread: dim3(a.Thread),
	}
	if a.Place != 0 {
		f.Line = m.tools.line(mod.Image, a.Place)
	}
	switch {
	case f.Kind == Time:
		f.Text = fmt.Sprintf("still running after %v", m.opt.Limit)
	case f.Kind == Address && a.Address != 0:
		f.Text = m.describe(k, l, Memory(a.Address), a.Write != 0, a.text != "")
	case f.Kind == Race && a.OtherPlace != 0:
		f.Text = m.describeRace(mod, k, l, a)
	}
	return f
}

func dim3(d [3]uint32) Dim3 { return Dim3{d[0], d[1], d[2]} }

// describeRace says which two accesses are in no order.
func (m *Machine) describeRace(mod *Module, k *kernel, l Launch, a answer) string {
	verb := "reads"
	if a.Write != 0 {
		verb = "writes"
	}
	what := "shared memory"
	if b := m.at(Memory(a.Address), 0); b != nil {
		what = fmt.Sprintf("byte %d of %s", a.Address-uint64(m.arena.base)-b.start, m.name(k, l, b))
	}
	who := fmt.Sprintf("thread %s", dim3(a.OtherThread))
	if a.OtherBlock != a.Block {
		who += fmt.Sprintf(" of block %s", dim3(a.OtherBlock))
	}
	if line := m.tools.line(mod.Image, a.OtherPlace); line != 0 {
		who += fmt.Sprintf(" in line %d", line)
	}
	return fmt.Sprintf("race: %s %s, which %s %s; nothing orders them", verb, what, who, a.text)
}

// name says which memory a block is.
func (m *Machine) name(k *kernel, l Launch, b *block) string {
	for i, p := range k.params {
		if p.pointer && m.at(Memory(l.Args[i]), 0) == b {
			return fmt.Sprintf("argument %d (%d bytes)", i, b.n)
		}
	}
	return fmt.Sprintf("a buffer of %d bytes", b.n)
}

// describe says what an address is that must not be accessed, or not so.
func (m *Machine) describe(k *kernel, l Launch, p Memory, write, misaligned bool) string {
	verb := "reads"
	if write {
		verb = "writes"
	}
	b := m.find(p)
	if b == nil {
		if misaligned {
			return fmt.Sprintf("accesses %#x, misaligned", uint64(p))
		}
		return fmt.Sprintf("%s at %#x, which is in no buffer", verb, uint64(p))
	}
	name := m.name(k, l, b)
	offset := uint64(p) - uint64(m.arena.base)
	switch {
	case b.freed:
		return fmt.Sprintf("%s %s that was freed", verb, name)
	case offset < b.start:
		return fmt.Sprintf("%s %d bytes before the start of %s", verb, b.start-offset, name)
	case offset >= b.start+b.n:
		return fmt.Sprintf("%s %d bytes behind the end of %s", verb, offset-b.start-b.n, name)
	case misaligned:
		return fmt.Sprintf("accesses byte %d of %s, misaligned", offset-b.start, name)
	case write:
		return fmt.Sprintf("writes to byte %d of %s, which is read-only", offset-b.start, name)
	}
	return fmt.Sprintf("reads byte %d of %s, which it must not", offset-b.start, name)
}

// words returns n elements at an address of this process.
func words[T any](data []byte, n int) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), n)
}
