package curves_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/nn/train"
	"github.com/asterias-ml/asterias/nn/train/curves"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// history is that of a run with a metric of the given values, and the folder of
// its pictures.
func history(t *testing.T, name string, values []float64) (*train.History, string) {
	t.Helper()
	m := &struct{ W *autograd.Var }{autograd.Parameter(tensor.Zeros(tensor.Float64, 1))}
	dir := t.TempDir()
	if len(values) == 0 { // interrupted before the first epoch was over
		h := &train.History{}
		if err := errors.Join(curves.PNG(dir, h), curves.SVG(dir, h)); err != nil {
			t.Fatal(err)
		}
		return h, dir
	}
	r, err := train.Run(context.Background(), train.Config{
		Model: m, Optimizer: optim.NewSGD(optim.Params(nn.Parameters(m)), optim.SGDConfig{LR: 0.1}), Epochs: len(values),
		Train: func(e *train.Epoch) error { return e.Step(m.W.AddScalar(-3).Square().Sum()) },
		Evaluate: func(e *train.Epoch) (train.Metrics, error) {
			return train.Metrics{name: values[e.Number-1]}, nil
		},
		Dir: dir, Reports: []train.Report{curves.PNG, curves.SVG}, Output: io.Discard,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.History, dir
}

func open(t *testing.T, dir, name string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func decode(t *testing.T, dir string) image.Image {
	t.Helper()
	img, err := png.Decode(open(t, dir, "curves.png"))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// parse reads the SVG to its end and returns its size and how many paths it has.
func parse(t *testing.T, dir string) (width, height string, paths int) {
	t.Helper()
	d := xml.NewDecoder(open(t, dir, "curves.svg"))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return width, height, paths
		}
		if err != nil {
			t.Fatal(err)
		}
		start, ok := token.(xml.StartElement)
		if ok && start.Name.Local == "path" {
			paths++
		}
		if ok && start.Name.Local == "svg" {
			for _, a := range start.Attr {
				switch a.Name.Local {
				case "width":
					width = a.Value
				case "height":
					height = a.Value
				}
			}
		}
	}
}

// coloured counts the pixels of a colour.
func coloured(img image.Image, c color.RGBA) int {
	flat := image.NewRGBA(img.Bounds())
	draw.Draw(flat, flat.Bounds(), img, img.Bounds().Min, draw.Src)
	n := 0
	for p := flat.Pix; len(p) > 0; p = p[4:] {
		if p[0] == c.R && p[1] == c.G && p[2] == c.B && p[3] == c.A {
			n++
		}
	}
	return n
}

var first, second = color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}

func TestPicturesAreImagesWithTheCurves(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for what, c := range map[string]struct {
		name           string
		values         []float64
		panels         int
		lines, another bool // in the first and the second colour
	}{
		"own panel":          {"val_acc", []float64{0.2, 0.5, 0.7, 0.8}, 3, true, false},
		"shared panel":       {"val_loss", []float64{9, 8, 7, 6}, 2, true, true},
		"one epoch":          {"val_acc", []float64{0.2}, 3, true, false},
		"constant":           {"val_acc", []float64{0, 0, 0}, 3, true, false},
		"holes":              {"val_loss", []float64{nan, 8, inf, 6, nan, -inf, 4, 3}, 2, true, true},
		"nothing finite":     {"val_loss", []float64{nan, inf}, 2, true, false},
		"very large numbers": {"val_acc", []float64{1e300, -1.7e308, 1e100, -1e100}, 3, true, false},
		"very small numbers": {"val_acc", []float64{5e-324, 0, 1e-320}, 3, true, false},
		"large constant":     {"val_acc", []float64{1e16}, 3, true, false},
		"largest constant":   {"val_acc", []float64{-1e100, -1e100}, 3, true, false},
		"large neighbours":   {"val_acc", []float64{1 << 53, 1<<53 + 2}, 3, true, false},
		"no epochs":          {"val_acc", nil, 1, false, false},
	} {
		t.Run(what, func(t *testing.T) {
			if testing.Short() && len(c.values) != 8 { // the one with holes
				t.Skip("drawing is slow under the race detector")
			}
			_, dir := history(t, c.name, c.values)
			img := decode(t, dir)
			w, h := img.Bounds().Dx(), img.Bounds().Dy()
			if want := c.panels * 7 * w / 16; w < 500 || h < want-c.panels || h > want+c.panels {
				t.Errorf("the image is %d by %d", w, h)
			}
			if got := coloured(img, first) > 10; got != c.lines {
				t.Errorf("%d pixels of the first colour", coloured(img, first))
			}
			if got := coloured(img, second) > 10; got != c.another {
				t.Errorf("%d pixels of the second colour", coloured(img, second))
			}
			if width, height, paths := parse(t, dir); width == "" || height == "" || paths == 0 {
				t.Errorf("the SVG is %s by %s with %d paths", width, height, paths)
			}
		})
	}
}

func TestPicturesOfOneHistoryAreTheSameBytes(t *testing.T) {
	h, _ := history(t, "val_acc", []float64{0.2, 0.5, 0.7})
	for _, write := range []func(io.Writer, *train.History) error{curves.WritePNG, curves.WriteSVG} {
		var a, b bytes.Buffer
		if err := errors.Join(write(&a, h), write(&b, h)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Error("two pictures differ")
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestErrorsOfTheWriterAreReturned(t *testing.T) {
	h, _ := history(t, "val_acc", []float64{0.2})
	for _, write := range []func(io.Writer, *train.History) error{curves.WritePNG, curves.WriteSVG} {
		if err := write(full{}, h); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("error %v", err)
		}
	}
	if err := curves.PNG(filepath.Join(t.TempDir(), "none"), h); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
