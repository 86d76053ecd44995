//go:build !race

package vcentric_test

// Whether the tests run under the race detector.

const raceEnabled = false
