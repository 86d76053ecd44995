//go:build !race

package layerwise_test

// Whether the tests run under the race detector.

const raceEnabled = false
