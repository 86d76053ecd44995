//go:build linux && !android && (amd64 || arm64)

package plugin

// Shared memory, seen from this process.

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A slot is memory for one operand, in a file that is nowhere in the file system.
type slot struct {
	file *os.File
	mem  []byte // mapped: whole pages
}

func newSlot(name string) (*slot, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("plugin: shared memory: %w", err)
	}
	s := &slot{file: os.NewFile(uintptr(fd), name)}
	// Were the file to shrink, reading the memory would end this process.
	if _, err := unix.FcntlInt(s.file.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK); err != nil {
		s.file.Close()
		return nil, fmt.Errorf("plugin: shared memory: %w", err)
	}
	return s, nil
}

// grow makes room for so many bytes and at least a page.
func (s *slot) grow(size int) error {
	if size = max(size, 1); size <= len(s.mem) {
		return nil
	}
	size = roundUp(max(size, 2*len(s.mem)), os.Getpagesize())
	if err := s.unmap(); err != nil {
		return err
	}
	if err := s.file.Truncate(int64(size)); err != nil {
		return fmt.Errorf("plugin: shared memory: %w", err)
	}
	mem, err := unix.Mmap(int(s.file.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return fmt.Errorf("plugin: shared memory: %w", err)
	}
	s.mem = mem
	return nil
}

func (s *slot) unmap() error {
	if s.mem == nil {
		return nil
	}
	mem := s.mem
	s.mem = nil
	if err := unix.Munmap(mem); err != nil {
		return fmt.Errorf("plugin: shared memory: %w", err)
	}
	return nil
}

func (s *slot) close() error {
	if err := s.unmap(); err != nil {
		return err
	}
	return s.file.Close()
}
