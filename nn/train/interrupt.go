// Ctrl-C.

package train

import (
	"context"
	"os"
	"os/signal"
)

// Interruptible returns a context that ends at the first interrupt (Ctrl-C), for
// [Run] to finish its step and save. The second one kills the process, as it does
// without this function. stop gives the signal back.
func Interruptible(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	wantThere("Interruptible", "the context", parent != nil)
	ctx, stop = signal.NotifyContext(parent, os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
