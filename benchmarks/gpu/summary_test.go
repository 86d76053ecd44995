package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheLastLineOfACaseCounts(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	line := func(name, median string) string {
		return `{"case":"` + name + `","pass":"epoch","graph":"g","entries":[{"system":"asterias","median_s":` + median + `}]}` + "\n"
	}
	const header = `{"device":"a GPU"}` + "\n"
	first := file("first", header+line("gat", "1")+line("gcn", "2"))
	second := file("second", header+line("gat", "3"))
	var page strings.Builder
	if err := summarise([]string{first, second}, &page); err != nil {
		t.Fatal(err)
	}
	for _, row := range []string{"| gat | g | asterias | 3 s [", "| gcn | g | asterias | 2 s ["} {
		if strings.Count(page.String(), row) != 1 {
			t.Errorf("no %q in\n%s", row, page.String())
		}
	}
	if strings.Contains(page.String(), "| 1 s [") {
		t.Errorf("the first line of gat in\n%s", page.String())
	}
	for name, want := range map[string]string{
		file("other", `{"device":"another"}`+"\n"): "another, the others are of a GPU",
		file("empty", ""):                          "no header",
		file("broken", header+"{"):                 "line 2",
		filepath.Join(folder, "none"):              "no such file",
	} {
		if err := summarise([]string{first, name}, &page); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
