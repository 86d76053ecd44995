// Package cudagen is the room for the CUDA back end: plans rendered to CUDA C,
// compiled at run time. It holds no code yet; programs run on the CPU.
package cudagen
