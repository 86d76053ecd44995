// What a device is.

package driver

import "fmt"

// Info describes a GPU.
type Info struct {
	Ordinal         int
	Name            string
	SM              int // compute capability as in sm_90: 10·major + minor
	Memory          uint64
	Multiprocessors int
	ThreadsPerSM    int
	L2Bytes         int
	SharedPerBlock  int // bytes without opting in
	SharedOptIn     int // bytes at most
	SharedPerSM     int
	DriverVersion   int // 12040 for CUDA 12.4
	Pools           bool
}

// String returns e.g. "cuda:0 NVIDIA H100, sm_90, 132 multiprocessors, 80.0 GiB, CUDA 12.4".
func (i Info) String() string {
	return fmt.Sprintf("cuda:%d %s, sm_%d, %d multiprocessors, %s, CUDA %d.%d",
		i.Ordinal, i.Name, i.SM, i.Multiprocessors, size(i.Memory), i.DriverVersion/1000, i.DriverVersion%1000/10)
}

// Devices describes all GPUs of the machine.
func (s *System) Devices() ([]Info, error) {
	if s.Driver == nil {
		return nil, s.noDriver()
	}
	if err := s.Driver.Init(); err != nil {
		return nil, err
	}
	n, err := s.Driver.DeviceCount()
	if err != nil {
		return nil, err
	}
	out := make([]Info, n)
	for i := range out {
		if out[i], _, err = describe(s.Driver, i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// describe asks the driver, which is initialised, about a GPU.
func describe(d Driver, ordinal int) (Info, DeviceID, error) {
	info := Info{Ordinal: ordinal}
	id, err := d.DeviceGet(ordinal)
	if err != nil {
		return info, id, err
	}
	if info.DriverVersion, err = d.Version(); err != nil {
		return info, id, err
	}
	if info.Name, err = d.DeviceName(id); err != nil {
		return info, id, err
	}
	if info.Memory, err = d.DeviceTotalMem(id); err != nil {
		return info, id, err
	}
	var major, minor, pools int
	for _, a := range []struct {
		attribute Attribute
		to        *int
	}{
		{ComputeCapabilityMajor, &major},
		{ComputeCapabilityMinor, &minor},
		{MultiprocessorCount, &info.Multiprocessors},
		{ThreadsPerSM, &info.ThreadsPerSM},
		{L2Bytes, &info.L2Bytes},
		{SharedMemoryPerBlock, &info.SharedPerBlock},
		{SharedMemoryOptIn, &info.SharedOptIn},
		{SharedMemoryPerSM, &info.SharedPerSM},
	} {
		if *a.to, err = d.DeviceAttribute(a.attribute, id); err != nil {
			return info, id, err
		}
	}
	info.SM = 10*major + minor
	if d.HasPools() {
		if pools, err = d.DeviceAttribute(MemoryPools, id); err != nil {
			return info, id, err
		}
		info.Pools = pools != 0
	}
	return info, id, nil
}

// size writes bytes for people.
func size(n uint64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}
