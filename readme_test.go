package asterias

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The README's program is the quickstart example, which is compiled with the
// rest.
func TestReadmeShowsTheQuickstart(t *testing.T) {
	readme := read(t, "README.md")
	_, rest, ok := strings.Cut(readme, "```go\n")
	code, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		t.Fatal("README.md has no Go code block")
	}
	if !strings.Contains(read(t, "examples/quickstart/main.go"), code) {
		t.Error("the code in README.md is not that of examples/quickstart/main.go")
	}
}

func TestReadmeNamesTheTwoCommands(t *testing.T) {
	readme := read(t, "README.md")
	for _, command := range []string{"    go run ./examples/gcn\n", "    go test ./...\n"} {
		if !strings.Contains(readme, command) {
			t.Errorf("README.md does not give the command %q", strings.TrimSpace(command))
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What the README says in numbers is on the page of results, which one command makes.
func TestNumbersOfTheReadmeAreResults(t *testing.T) {
	page := read(t, "benchmarks/results/README.md")
	_, prose, _ := strings.Cut(read(t, "README.md"), "## Results")
	prose, _, _ = strings.Cut(prose, "\n## ")
	if prose == "" {
		t.Fatal("README.md has no results")
	}
	numbers := regexp.MustCompile(`\d+(\.\d+)+|\d+ (µs|ms|MB)`)
	on := map[string]bool{}
	for _, number := range numbers.FindAllString(page, -1) {
		on[number] = true
	}
	for _, number := range numbers.FindAllString(prose, -1) {
		if !on[number] {
			t.Errorf("README.md has the number %s, benchmarks/results/README.md does not", number)
		}
	}
}
