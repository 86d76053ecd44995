// Tests of what all readers of text share.

package data

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// refused checks that read fails with an error that contains want and is, where
// the fault is within a file, a *FileError, and that little memory is used.
func refused(t *testing.T, want string, read func() error) {
	t.Helper()
	var err error
	if n := allocated(func() { err = read() }); n > hostileLimit {
		t.Errorf("%d bytes were allocated", n)
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	var fault *FileError
	if !errors.As(err, &fault) || fault.File == "" {
		t.Errorf("error %v names no file", err)
	}
}

// write writes a file of the given name to a new folder and returns its path.
func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// textZip returns a zip of text files.
func textZip(t testing.TB, members map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(members[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func linesOf(text string) *lineReader { return newLineReader("f", strings.NewReader(text)) }

func TestLinesAreNumberedAndBlankOnesSkipped(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	l := linesOf("a\r\n\n  \nb c \n" + long + "\nlast")
	var got []string
	var at []int
	if err := l.each(func(line []byte) error {
		got, at = append(got, string(line)), append(at, l.line)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a", "b c ", long, "last"}; !slices.Equal(got, want) {
		t.Errorf("lines %.60q", got)
	}
	if want := []int{1, 4, 5, 6}; !slices.Equal(at, want) {
		t.Errorf("numbers %v, want %v", at, want)
	}
}

func TestRowsHaveTheSameNumberOfFields(t *testing.T) {
	for _, tt := range []struct {
		text string
		sep  byte
		want int
		err  string
	}{
		{"1, 2\n3 ,4\n", ',', 2, ""},
		{"1, 2\n3 ,4\n", ',', 0, ""},
		{" 1  2\n3\t4\n", 0, 2, ""},
		{"1,2\n3\n", ',', 0, "f:2: 1 fields, want 2"},
		{"1,2,3\n", ',', 2, "f:1: 3 fields, want 2"},
		{"1\t\t2\n", '\t', 3, ""},
	} {
		err := linesOf(tt.text).eachRow(tt.sep, tt.want, func(fields [][]byte) error { return nil })
		if (err == nil) != (tt.err == "") || err != nil && err.Error() != tt.err {
			t.Errorf("%q: error %v, want %q", tt.text, err, tt.err)
		}
	}
}

func TestNumbersAreChecked(t *testing.T) {
	l := linesOf("")
	for _, tt := range []struct{ field, want string }{
		{"0", ""}, {"9", ""}, {"10", "f: x 10 out of range [0, 10)"}, {"-1", "out of range"}, {"1.0", "is not an integer"},
		{"", `x "" is not an integer`}, {"99999999999999999999", "is not an integer"}, {"0x1", "is not an integer"},
	} {
		if _, err := l.id([]byte(tt.field), "x", 10); (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("id %q: error %v, want %q", tt.field, err, tt.want)
		}
	}
	for field, want := range map[string]float32{"7": 7, "-0.5": -.5, "1e3": 1000, "16777216": 1 << 24} {
		if x, err := l.float([]byte(field), "x"); err != nil || x != want {
			t.Errorf("float %q: %v, %v", field, x, err)
		}
	}
	for _, field := range []string{"", "x", "NaN", "inf", "1e39", "1,5"} {
		if _, err := l.float([]byte(field), "x"); err == nil || !strings.Contains(err.Error(), "is not a finite number") {
			t.Errorf("float %q: error %v", field, err)
		}
	}
}

func TestDamagedAndExplodingTextIsRefused(t *testing.T) {
	count := func(path string) error {
		return readLines(path, func(l *lineReader) error { return l.each(func([]byte) error { return nil }) })
	}
	whole := gzipBytes(t, []byte(strings.Repeat("line\n", 100_000)))
	for _, tt := range []struct{ name, content, want string }{
		{"truncated", string(whole[:len(whole)-20]), "unexpected EOF"},
		{"header", string(whole[:5]), "gzip: "},
		{"checksum", string(whole[:len(whole)-8]) + "abcdefgh", "checksum"},
		{"one line", string(gzipBytes(t, make([]byte, maxLine+1<<20))), "truncated.gz:1: the line is longer than"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, "truncated.gz", tt.content)
			refused(t, tt.want, func() error { return count(path) })
		})
	}
	l := newLineReader("f", limitReader(strings.NewReader("a\nb\nc\nd\n"), 5))
	err := l.each(func([]byte) error { return nil })
	if want := "f:1: larger than 5 bytes after decompression"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
	if b, err := io.ReadAll(limitReader(strings.NewReader("12345"), 5)); err != nil || string(b) != "12345" {
		t.Errorf("at the limit: %q, %v", b, err)
	}
}

func TestArchivesAreChecked(t *testing.T) {
	zipOf := func(b []byte) error {
		z, err := newZip("a.zip", bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return err
		}
		return z.lines("x.txt", func(l *lineReader) error { return l.each(func([]byte) error { return nil }) })
	}
	many := make(map[string]string)
	for i := range maxMembers + 1 {
		many[fmt.Sprint(i)] = ""
	}
	good := textZip(t, map[string]string{"A//x.txt": "text\n"})
	claims := bytes.Clone(good) // the directory says that the member has 4 GB
	binary.LittleEndian.PutUint32(claims[bytes.LastIndex(claims, []byte("PK\x01\x02"))+24:], 0xfffffffe)
	for _, tt := range []struct {
		name string
		b    []byte
		want string
	}{
		{"empty", nil, "a.zip: "},
		{"truncated", good[:len(good)-5], "a.zip: "},
		{"4 GB", claims, "a.zip: x.txt:"},
		{"missing", textZip(t, map[string]string{"y.txt": ""}), "a.zip: x.txt is missing"},
		{"twice", textZip(t, map[string]string{"a/x.txt": "", "b/x.txt": ""}), "a.zip: x.txt is there twice"},
		{"many", textZip(t, many), "a.zip: more than 4096 members"},
	} {
		t.Run(tt.name, func(t *testing.T) { refused(t, tt.want, func() error { return zipOf(tt.b) }) })
	}
	if err := zipOf(good); err != nil {
		t.Error(err)
	}
}

// Archives that macOS made have a file "._NAME" beside every file, below __MACOSX or not, and
// many have a README in each folder.
func TestMembersThatNobodyAsksForAreLeftAlone(t *testing.T) {
	set := tinyTU()
	for name := range tinyTU() {
		set["__MACOSX/"+strings.Replace(name, "//", "/._", 1)] = "\x00\x05\x16\x07"
	}
	set["T/._README.txt"], set["T/raw/README.txt"], set["README.txt"] = "", "", ""
	if _, err := LoadTU(write(t, "T.zip", string(textZip(t, set)))); err != nil {
		t.Error(err)
	}
	set["T/old/T_graph_indicator.txt"] = ""
	refused(t, "T.zip: T_graph_indicator.txt is there twice", func() error {
		_, err := LoadTU(write(t, "T.zip", string(textZip(t, set))))
		return err
	})
	members := slices.Concat([]string{"kg/._train.txt", "x", "README", "", "kg/README", "", "a/._train.txt", ""}, tinyKG)
	if _, err := parseKG("f", bytes.NewReader(tarBytes(t, members...))); err != nil {
		t.Error(err)
	}
	var many []string
	for i := range maxMembers + 1 {
		many = append(many, fmt.Sprint(i), "")
	}
	refused(t, "f: more than 4096 members", func() error {
		_, err := parseKG("f", bytes.NewReader(tarBytes(t, many...)))
		return err
	})
}

// tarBytes returns a tar archive of name, content, name, content, …
func tarBytes(t testing.TB, members ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for i := 0; i < len(members); i += 2 {
		if err := w.WriteHeader(&tar.Header{Name: members[i], Mode: 0o600, Size: int64(len(members[i+1]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestEveryTruncationIsAnError cuts files at every byte.
func TestEveryTruncationIsAnError(t *testing.T) {
	const triples = "<s> <p> \"a\\u0041\"@en , [ <q> ( 1 2.5 ) ] ; <r> '''b''' ."
	for _, tt := range []struct {
		name       string
		file       string
		least, end int // the shortest cut, and how many of the last bytes may be left out
		read       func(path string) error
	}{
		{"tu", string(textZip(t, tinyTU())), 0, 0, func(p string) error { _, err := LoadTU(p); return err }},
		{"hgb", string(textZip(t, tinyHGB())), 0, 0, func(p string) error { _, err := LoadHGB(p, 1); return err }},
		{"kg", string(gzipBytes(t, tarBytes(t, tinyKG...))), 0, 0, func(p string) error { _, err := LoadKG(p); return err }},
		{"gml", `graph [ directed 1 node [ id 1 label "x" ] edge [ source 1 target 1 weight 2 ] ]`, 0, 0, func(p string) error { _, err := LoadGML(p); return err }},
		{"matrix", mmHeader + "real general\n3 3 2\n1 2 5\n2 1 7\n", 0, 1, func(p string) error { _, err := LoadMatrixMarket(p); return err }},
		{"edges", string(gzipBytes(t, []byte("a,b\nb,c\n"))), 2, 0, func(p string) error { _, err := LoadEdgeList(p, EdgeListOptions{}); return err }},
		{"triples", triples, 1, 0, func(p string) error {
			return readText(p, func(r io.Reader) error { return eachTriple(p, r, func(s, p, o string) error { return nil }) })
		}},
	} {
		path := write(t, tt.name, tt.file)
		if err := tt.read(path); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		for n := len(tt.file) - 1 - tt.end; n >= tt.least; n-- {
			if err := os.Truncate(path, int64(n)); err != nil {
				t.Fatal(err)
			}
			if err := tt.read(path); err == nil {
				t.Errorf("%s: the first %d of %d bytes are taken", tt.name, n, len(tt.file))
			}
		}
	}
}

// Excel saves "CSV UTF-8" with a mark: without care, the first vertex has it in its name.
func TestByteOrderMarkIsNoPartOfTheText(t *testing.T) {
	for _, c := range []struct {
		text string
		opts EdgeListOptions
		want string
	}{
		{"a,b\nb,a\n", EdgeListOptions{}, `2 [0 1] [1 0] ["a" "b"]`},
		{"0,1\n", EdgeListOptions{Integers: true}, "2 [0] [1]"},
		{"from,to\na,b\n", EdgeListOptions{Header: true, Source: "from", Target: "to"}, `2 [0] [1] ["a" "b"]`},
		{"", EdgeListOptions{}, "0 [] [] []"},
	} {
		text := byteOrderMark + c.text
		for _, file := range []string{text, string(gzipBytes(t, []byte(text)))} {
			g, err := LoadEdgeList(write(t, "list", file), c.opts)
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
			} else if got := describe(g); got != c.want {
				t.Errorf("%q: got %s, want %s", c.text, got, c.want)
			}
		}
	}
	g, err := LoadGML(write(t, "g.gml", byteOrderMark+"graph [ node [ id 3 ] node [ id 5 ] edge [ source 5 target 3 ] ]"))
	if err != nil {
		t.Fatal(err)
	}
	if got := describe(g); !strings.HasPrefix(got, "2 [1") {
		t.Errorf("GML: got %s", got)
	}
}

func TestByteOrderMarksOfMembersOfArchivesAreNoPartOfTheText(t *testing.T) {
	marked := func(set map[string]string) map[string]string {
		for name, text := range set {
			set[name] = byteOrderMark + text
		}
		return set
	}
	plain, err := LoadTU(write(t, "T.zip", string(textZip(t, tinyTU()))))
	if err != nil {
		t.Fatal(err)
	}
	if d, err := LoadTU(write(t, "T.zip", string(textZip(t, marked(tinyTU()))))); err != nil || !reflect.DeepEqual(d.Labels, plain.Labels) {
		t.Errorf("TU: %v", err)
	}
	if _, err := LoadHGB(write(t, "tiny.zip", string(textZip(t, marked(tinyHGB())))), 1); err != nil {
		t.Errorf("HGB: %v", err)
	}
	members := slices.Clone(tinyKG)
	for i := 1; i < len(members); i += 2 {
		members[i] = byteOrderMark + members[i]
	}
	want, err := parseKG("f", bytes.NewReader(tarBytes(t, tinyKG...)))
	if err != nil {
		t.Fatal(err)
	}
	if d, err := parseKG("f", bytes.NewReader(tarBytes(t, members...))); err != nil || !slices.Equal(d.Entities, want.Entities) {
		t.Errorf("triples: %v", err)
	}
	parts := tinyPlanetoid(t)
	parts["test.index"] = append([]byte(byteOrderMark), parts["test.index"]...)
	if _, err := LoadPlanetoid(writePlanetoid(t, parts), "tiny"); err != nil {
		t.Errorf("Planetoid: %v", err)
	}
}

// Editors and PowerShell on Windows write UTF-16: of "0 1" the digits are there, and bytes of 0.
func TestTextInUTF16IsRefused(t *testing.T) {
	const want = "the text is UTF-16; save it as UTF-8"
	utf16 := func(text string, order binary.AppendByteOrder) string {
		var b []byte
		for _, c := range byteOrderMark + text {
			b = order.AppendUint16(b, uint16(c))
		}
		return string(b)
	}
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		edges := utf16("0 1\n1 0\n", order)
		for _, file := range []string{edges, string(gzipBytes(t, []byte(edges)))} {
			refused(t, "list:1: "+want, func() error {
				_, err := LoadEdgeList(write(t, "list", file), EdgeListOptions{Comma: ' '})
				return err
			})
		}
		refused(t, want, func() error {
			_, err := LoadGML(write(t, "g.gml", utf16("graph [ node [ id 3 ] ]", order)))
			return err
		})
		refused(t, want, func() error {
			return eachTriple("f", strings.NewReader(utf16("<a> <b> <c> .", order)), func(s, p, o string) error { return nil })
		})
		set := tinyTU()
		for name := range set {
			set[name] = utf16(set[name], order)
		}
		refused(t, want, func() error {
			_, err := LoadTU(write(t, "T.zip", string(textZip(t, set))))
			return err
		})
		parts := tinyPlanetoid(t)
		parts["test.index"] = []byte(utf16("5\n3\n", order))
		refused(t, "test.index: "+want, func() error {
			_, err := LoadPlanetoid(writePlanetoid(t, parts), "tiny")
			return err
		})
	}
}

func TestLinesThatEndInCarriageReturnsAloneAreRefused(t *testing.T) {
	const want = "a carriage return within the line"
	long := strings.Repeat("0 1\r", maxLine/4+1)
	for _, tt := range []struct {
		text string
		opts EdgeListOptions
		want string // "" if it is read
	}{
		{"0 1\r2 3\r4 5", EdgeListOptions{Comma: ' '}, "list:1: " + want},
		{"0,1\r2,3\r4,5\r", EdgeListOptions{}, "list:1: " + want},
		{"a,b\n0,\"1\r2\"\n", EdgeListOptions{Header: true}, "list:2: " + want},
		{long, EdgeListOptions{Comma: ' '}, "list:1: " + want},
		{"0,1\r\n2,3\r\r\n4,5\r", EdgeListOptions{}, ""},
	} {
		path := write(t, "list", tt.text)
		if tt.want != "" {
			refused(t, tt.want, func() error { _, err := LoadEdgeList(path, tt.opts); return err })
		} else if _, err := LoadEdgeList(path, tt.opts); err != nil {
			t.Errorf("%.20q: %v", tt.text, err)
		}
	}
}

func TestCommentsEndInACarriageReturnOrALineFeed(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		var got []string
		text := "# one" + end + "<a> <b> <c> . # two" + end + "<d> <e> <f> ."
		if err := eachTriple("f", strings.NewReader(text), func(s, p, o string) error { got = append(got, s, p, o); return nil }); err != nil || len(got) != 6 {
			t.Errorf("Turtle, %q: %q, %v", end, got, err)
		}
		text = "# one" + end + "graph [ node [ id 3 ] # two" + end + " edge [ source 3 target 3 ] ]"
		if g, err := LoadGML(write(t, "g.gml", text)); err != nil || g.Graph.NumEdges() != 1 {
			t.Errorf("GML, %q: %v", end, err)
		}
	}
}
