// Package cudagen is the room for the CUDA back end: plans rendered to CUDA C and
// compiled at run time. So far it has the layer below, package driver; plans are
// not rendered yet, and programs run on the CPU.
package cudagen
