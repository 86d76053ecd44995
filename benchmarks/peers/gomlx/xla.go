//go:build xla

package main

import _ "github.com/gomlx/gomlx/backends/xla"
