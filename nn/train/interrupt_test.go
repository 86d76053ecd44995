//go:build unix

package train_test

// Ctrl-C, in a process of its own.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/asterias-ml/asterias/nn/train"
)

// Environment of the process that is interrupted.
const (
	childDir  = "TRAIN_TEST_DIR"
	childDeaf = "TRAIN_TEST_DEAF" // its steps do not end
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

// child trains until it is interrupted.
func child(dir string) int {
	ctx, stop := train.Interruptible(context.Background())
	defer stop()
	y := newToy(1, dir, loops["Steps"])
	y.ctx, y.Epochs = ctx, 1_000_000
	y.at = func(what string, epoch, _ int) {
		if epoch == 3 && what == "step" {
			fmt.Println("in epoch 3")
			if os.Getenv(childDeaf) != "" {
				<-ctx.Done()
				fmt.Println("heard")
				time.Sleep(time.Minute)
			}
		}
	}
	if _, err := y.run(); errors.Is(err, context.Canceled) {
		return 42
	}
	return 1
}

// startChild runs this test binary as a child and waits for its line.
func startChild(t *testing.T, dir string, env ...string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), childDir+"="+dir), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	lines := bufio.NewReader(out)
	waitFor(t, lines, "in epoch 3")
	return cmd, lines
}

func waitFor(t *testing.T, lines *bufio.Reader, want string) {
	t.Helper()
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(line) == want {
			return
		}
	}
}

func TestFirstInterruptSavesAndEndsTheRun(t *testing.T) {
	dir := t.TempDir()
	cmd, lines := startChild(t, dir)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for { // until it closes its end
		if _, err := lines.ReadString('\n'); err != nil {
			break
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 42 {
		t.Fatalf("the process ended with %v", err)
	}
	y := newToy(2, dir, loops["Steps"])
	y.Resume, y.Epochs = true, 1
	result, err := y.run()
	if err != nil || result.History.Epochs() < 2 {
		t.Errorf("resumed: %+v, %v", result, err)
	}
}

func TestSecondInterruptKills(t *testing.T) {
	cmd, lines := startChild(t, t.TempDir(), childDeaf+"=1")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	waitFor(t, lines, "heard")
	// The signal's default comes back in a goroutine: repeat until it has.
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		cmd.Process.Signal(os.Interrupt)
		select {
		case err := <-ended:
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
				t.Errorf("the process ended with %v", err)
			}
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}
