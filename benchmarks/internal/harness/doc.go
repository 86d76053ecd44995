// Package harness is what the benchmark commands share: systems that take turns
// at the same work, in this process or in a process of their own, and
// what their times mean.
//
// # Reading order
//
//	turns.go               contenders, rounds, samples
//	stats.go format.go     medians and means; whether two systems agree; numbers as text
//	machine.go threads.go  what the machine is, does beside, and how many threads it gives
//	resident.go            how much memory this process has
//	numbers.go             the same random numbers for everybody
//	pipe.go                a process that answers lines of JSON
//	python.go protocol.py  a peer in a Python process that runs kernels
//	peer.go                a peer of whatever language that trains models
package harness
