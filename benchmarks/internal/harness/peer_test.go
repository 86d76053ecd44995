package harness

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// pretendPeer makes the test binary a peer of the given manner.
const pretendPeer = "ASTERIAS_TEST_PEER"

func TestMain(m *testing.M) {
	if manner := os.Getenv(pretendPeer); manner != "" {
		bePeer(manner)
		return
	}
	os.Exit(m.Run())
}

// bePeer answers as the protocol has it; a step takes a millisecond, it says.
func bePeer(manner string) {
	switch manner {
	case "missing":
		fmt.Println(`{"error": "no such module", "missing": true}`)
		return
	case "dead":
		fmt.Fprintln(os.Stderr, "first line\nlast words")
		return
	case "child": // of "parent", which has left
		time.Sleep(time.Minute)
		return
	case "threads":
		fmt.Println(`{"name": "pretend", "threads": 7}`)
		io.Copy(io.Discard, os.Stdin)
		return
	}
	version, _ := json.Marshal("1 " + strings.Join(os.Args[1:], " "))
	fmt.Printf("{\"name\": \"pretend\", \"version\": %s, \"threads\": 2}\n", version)
	switch manner {
	case "stubborn":
		time.Sleep(time.Minute)
	case "parent":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), pretendPeer+"=child")
		child.Stderr = os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Printf("{\"peak\": %d}\n", child.Process.Pid)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var r struct {
			Do    string
			Slot  string
			Steps int
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			panic(err)
		}
		switch r.Do {
		case "run":
			fmt.Printf("{\"seconds\": %v}\n", float64(r.Steps)/1e3)
		case "losses":
			fmt.Println(`{"losses": [2, 1]}`)
		case "die":
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(1)
		default:
			fmt.Printf("{\"error\": \"no request %s\"}\n", r.Do)
		}
	}
}

func startPretended(t *testing.T, manner string) (*PeerProcess, error) {
	t.Helper()
	p, err := Peer{Command: []string{os.Args[0]}, Threads: 2, Env: []string{pretendPeer + "=" + manner}}.Start()
	if err == nil {
		t.Cleanup(func() { p.Close() })
	}
	return p, err
}

func TestAPeerAnswersInItsSlots(t *testing.T) {
	p, err := startPretended(t, "fine")
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "pretend" || p.Version != "1 --threads 2" {
		t.Errorf("it says %+v", p)
	}
	if d, err := p.Steps("a").Run(3); err != nil || d != 3*time.Millisecond {
		t.Errorf("3 steps take %v, error %v", d, err)
	}
	if r, err := p.Do("losses", "a", map[string]any{"steps": 2}); err != nil || !slices.Equal(r.Losses, []float64{2, 1}) {
		t.Errorf("losses %v, error %v", r.Losses, err)
	}
	if _, err := p.Do("dance", "a", nil); err == nil || !strings.Contains(err.Error(), "no request dance") || p.Broken() {
		t.Errorf("error %v, broken %v", err, p.Broken())
	}
	if _, err := p.Do("die", "a", nil); err == nil || !p.Broken() {
		t.Errorf("it died: error %v, broken %v", err, p.Broken())
	}
}

func TestAPeerThatIsNotThereSaysWhy(t *testing.T) {
	for manner, want := range map[string]string{
		"missing": "no such module",
		"dead":    "ended without an answer",
	} {
		var missing *NotInstalled
		if _, err := startPretended(t, manner); !errors.As(err, &missing) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", manner, err, want)
		}
	}
	var missing *NotInstalled
	if _, err := (Peer{Command: []string{"/no/such/program"}, Threads: 1}).Start(); !errors.As(err, &missing) {
		t.Errorf("no program: error %v", err)
	}
	if _, err := startPretended(t, "threads"); err == nil || errors.As(err, &missing) || !strings.Contains(err.Error(), "7 threads") {
		t.Errorf("wrong threads: error %v", err)
	}
}

func TestAPeerWhoseChildLivesOnHasEnded(t *testing.T) {
	p, err := startPretended(t, "parent")
	if err != nil {
		t.Fatal(err)
	}
	var child PeerReply
	if err := p.receive(&child); err != nil {
		t.Fatal(err)
	}
	lives, err := os.FindProcess(int(child.Peak))
	if err != nil {
		t.Fatal(err)
	}
	defer lives.Kill()
	closed := make(chan struct{})
	go func() {
		p.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(20 * time.Second):
		t.Error("it is waited for what it has started")
	}
}

func TestTailKeepsTheLastWords(t *testing.T) {
	var kept tail
	for range 3 * tailBytes / 10 {
		kept.Write([]byte("0123456789"))
	}
	kept.Write([]byte("\nthe end\n\n"))
	if got := kept.last(); got != "the end" || len(kept.text) > tailBytes {
		t.Errorf("the last line is %q of %d bytes", got, len(kept.text))
	}
}
