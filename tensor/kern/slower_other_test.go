//go:build !amd64 || noasm

// Where there is one instruction set or none there is no set between the chosen one and the reference.

package kern

// assembly64 tells whether there is assembly for float64 but the matrix product's.
const assembly64 = false

func slower32() (*Set[float32], string) { return nil, "" }

func slower64() (*Set[float64], string) { return nil, "" }
