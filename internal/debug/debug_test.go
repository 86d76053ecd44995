package debug

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestALevelPrintsWhatIsBelowItAndNothingAbove(t *testing.T) {
	for level := range Source + 1 {
		var b strings.Builder
		restore := Capture(level, &b)
		for l := Devices; l <= Source; l++ {
			Printf(l, "level %d", l)
		}
		restore()
		want := ""
		for l := 1; l <= level; l++ {
			want += "asterias: level " + string(rune('0'+l)) + "\n"
		}
		if b.String() != want {
			t.Errorf("level %d: %q, want %q", level, b.String(), want)
		}
	}
	if On(Devices) && os.Getenv(Variable) == "" {
		t.Error("the level was not restored")
	}
}

// The variable is read when a process begins: these tests again, with it.
func TestTheVariableSetsTheLevel(t *testing.T) {
	if os.Getenv("DEBUG_TEST") == "1" {
		Printf(Times, "printed")
		Printf(Decisions, "not printed")
		return
	}
	for value, want := range map[string]string{
		"2":    "asterias: printed\n",
		"0":    "",
		"five": "asterias: ASTERIAS_DEBUG=five is not a level from 0 to 4\n",
		"5":    "asterias: ASTERIAS_DEBUG=5 is not a level from 0 to 4\n",
		"-1":   "asterias: ASTERIAS_DEBUG=-1 is not a level from 0 to 4\n",
	} {
		cmd := exec.Command(os.Args[0], "-test.run=TestTheVariableSetsTheLevel")
		cmd.Env = append(os.Environ(), "DEBUG_TEST=1", Variable+"="+value)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil || stderr.String() != want {
			t.Errorf("%s=%s: %v, %q, want %q", Variable, value, err, stderr.String(), want)
		}
	}
}
