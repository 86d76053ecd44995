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

// A LoadMeter measures how many cores are busy with what is not ours: with processes
// other than this one, those that it has started (the peers) and those that they have.
type LoadMeter struct {
	start      time.Time
	busy, ours int64 // ticks at the start
	known      bool
}

// NewLoadMeter starts measuring.
func NewLoadMeter() *LoadMeter {
	m := &LoadMeter{start: time.Now()}
	m.busy, m.known = busyTicks(readFile("/proc/stat"))
	m.ours = familyTicks("/proc", os.Getpid())
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
	return max(0, float64(busy-m.busy-(familyTicks("/proc", os.Getpid())-m.ours))/ticks)
}

// familyTicks returns the time of a process and all that descend from it, those that have
// ended included if somebody has waited for them.
func familyTicks(proc string, root int) (ticks int64) {
	stats, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "stat"))
	children, own := map[int][]int{}, map[int]int64{}
	for _, path := range stats {
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			parent, t := processTicks(readFile(path))
			children[parent], own[pid] = append(children[parent], pid), t
		}
	}
	for family := []int{root}; len(family) > 0; {
		pid := family[0]
		ticks, family = ticks+own[pid], append(family[1:], children[pid]...)
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

// processTicks returns the parent of /proc/<pid>/stat, and user and system time of the process
// and of children that it has waited for; zeros for a process that is gone.
func processTicks(stat string) (parent int, ticks int64) {
	// The command's name, in parentheses, may hold anything.
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	if len(fields) < 15 {
		return 0, 0
	}
	parent, _ = strconv.Atoi(fields[1])
	for _, f := range fields[11:15] {
		n, _ := strconv.ParseInt(f, 10, 64)
		ticks += n
	}
	return parent, ticks
}
