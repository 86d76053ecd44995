// What the machine is, and what else it does meanwhile.

package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// ticksPerSecond is the unit of Linux's CPU times (USER_HZ) on every
// architecture Go runs on.
const ticksPerSecond = 100

// Machine describes where the numbers come from.
type Machine struct {
	CPU       string `json:"cpu"`
	Cores     int    `json:"cores"`
	OS        string `json:"os"`
	Go        string `json:"go"`
	Kernels   string `json:"kernels"`    // ours
	HugePages string `json:"huge_pages"` // Linux's transparent huge pages: always, madvise or never
}

// ThisMachine describes this machine and process; kernels names what ours runs on.
func ThisMachine(kernels string) Machine {
	return Machine{
		CPU:       cpuModel(readFile("/proc/cpuinfo")),
		Cores:     runtime.NumCPU(),
		OS:        runtime.GOOS + "/" + runtime.GOARCH,
		Go:        runtime.Version(),
		Kernels:   kernels,
		HugePages: bracketed(readFile("/sys/kernel/mm/transparent_hugepage/enabled")),
	}
}

// readFile returns a file of the kernel's, or "" on systems without it.
func readFile(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}

// cpuModel returns the model of the first processor, with its family and model
// number, which tell apart what hypervisors name alike.
func cpuModel(cpuinfo string) string {
	first, _, _ := strings.Cut(cpuinfo, "\n\n")
	fields := map[string]string{}
	for line := range strings.Lines(first) {
		if key, value, ok := strings.Cut(line, ":"); ok {
			fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	if fields["model name"] == "" {
		return "unknown"
	}
	return fmt.Sprintf("%s (family %s, model %s)", fields["model name"], fields["cpu family"], fields["model"])
}

// bracketed returns the word in brackets of e.g. "always [madvise] never".
func bracketed(text string) string {
	_, rest, _ := strings.Cut(text, "[")
	word, _, ok := strings.Cut(rest, "]")
	if !ok {
		return "unknown"
	}
	return word
}

// A LoadMeter measures how many cores are busy with what is not ours.
type LoadMeter struct {
	start      time.Time
	busy, ours int64 // ticks at the start
	pids       func() []int
	known      bool
}

// NewLoadMeter starts measuring. pids lists our other processes: they must live
// until the measurement ends.
func NewLoadMeter(pids func() []int) *LoadMeter {
	m := &LoadMeter{start: time.Now(), pids: pids}
	m.busy, m.known = busyTicks(readFile("/proc/stat"))
	m.ours = m.own()
	return m
}

// Cores returns the cores that were busy with others on average, negative where
// the system does not say.
func (m *LoadMeter) Cores() float64 {
	busy, ok := busyTicks(readFile("/proc/stat"))
	if !ok || !m.known {
		return -1
	}
	ticks := time.Since(m.start).Seconds() * ticksPerSecond
	return max(0, float64(busy-m.busy-(m.own()-m.ours))/ticks)
}

func (m *LoadMeter) own() (ticks int64) {
	for _, pid := range append(m.pids(), os.Getpid()) {
		ticks += processTicks(readFile(filepath.Join("/proc", strconv.Itoa(pid), "stat")))
	}
	return ticks
}

// busyTicks adds up the first line of /proc/stat but for idle and iowait; time
// stolen by other guests counts as busy.
func busyTicks(stat string) (ticks int64, ok bool) {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line) // cpu user nice system idle iowait irq softirq steal ...
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, false
	}
	for i, f := range fields[1:9] {
		if n, err := strconv.ParseInt(f, 10, 64); err == nil && i != 3 && i != 4 {
			ticks += n
		}
	}
	return ticks, true
}

// processTicks returns user and system time of /proc/<pid>/stat, 0 for a
// process that is gone.
func processTicks(stat string) int64 {
	// The command's name, in parentheses, may hold anything.
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return user + system
}
