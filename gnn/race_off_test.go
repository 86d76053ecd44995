//go:build !race

package gnn_test

// Whether the tests run under the race detector.

const raceEnabled = false
