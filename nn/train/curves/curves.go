// Package curves draws the learning curves of a run. It is a package of its own
// since it brings fonts and renderers that programs without pictures should not
// carry.
//
//	train.Config{Dir: dir, Reports: []train.Report{curves.PNG, curves.SVG}}
package curves

import (
	"bytes"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/asterias-ml/asterias/nn/train"
)

// The size of a picture is that of its panels.
const (
	width       = 16 * vg.Centimeter
	panelHeight = 7 * vg.Centimeter
)

// PNG is a [train.Report] that writes curves.png.
func PNG(dir string, h *train.History) error {
	return save(filepath.Join(dir, "curves.png"), h, WritePNG)
}

// SVG is a [train.Report] that writes curves.svg.
func SVG(dir string, h *train.History) error {
	return save(filepath.Join(dir, "curves.svg"), h, WriteSVG)
}

func save(path string, h *train.History, write func(io.Writer, *train.History) error) error {
	return train.ReplaceFile(path, func(w io.Writer) error { return write(w, h) })
}

// WritePNG writes the curves as a PNG image: a panel for each kind of metric, one
// above the other. Metrics are of one kind if they have the same last word, as
// loss and val_loss have. NaN, infinities and numbers beyond ±1e100 are left out.
func WritePNG(w io.Writer, h *train.History) error {
	panels := panelsOf(h)
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height(panels)), vgimg.UseDPI(120))}
	return drawTo(c, c, w, panels, h)
}

// WriteSVG writes the picture of [WritePNG] as SVG.
func WriteSVG(w io.Writer, h *train.History) error {
	panels := panelsOf(h)
	c := vgsvg.New(width, height(panels))
	return drawTo(c, c, w, panels, h)
}

func height(panels []panel) vg.Length { return panelHeight * vg.Length(max(1, len(panels))) }

// panel is the metrics of one kind.
type panel struct {
	kind    string
	metrics []string
}

func panelsOf(h *train.History) []panel {
	var panels []panel
	for _, name := range h.Names() {
		kind := name[strings.LastIndexAny(name, "_/-. ")+1:]
		i := slices.IndexFunc(panels, func(p panel) bool { return p.kind == kind })
		if i < 0 {
			i = len(panels)
			panels = append(panels, panel{kind: kind})
		}
		panels[i].metrics = append(panels[i].metrics, name)
	}
	return panels
}

// drawTo draws the panels on a canvas and writes that, which out does, to w.
func drawTo(c vg.CanvasSizer, out io.WriterTo, w io.Writer, panels []panel, h *train.History) error {
	rows := make([][]*plot.Plot, len(panels))
	for i, p := range panels {
		drawn, err := p.plot(h)
		if err != nil {
			return err
		}
		rows[i] = []*plot.Plot{drawn}
	}
	page := draw.New(c)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	if len(rows) > 0 {
		tiles := draw.Tiles{Rows: len(rows), Cols: 1, PadX: vg.Millimeter, PadY: 2 * vg.Millimeter,
			PadTop: 2 * vg.Millimeter, PadBottom: 2 * vg.Millimeter, PadLeft: 2 * vg.Millimeter, PadRight: 4 * vg.Millimeter}
		for i, canvases := range plot.Align(rows, tiles, page) {
			rows[i][0].Draw(canvases[0])
		}
	}
	var b bytes.Buffer // as io.WriterTo of some canvases forgets errors of w
	if _, err := out.WriteTo(&b); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// plot draws a line for each metric.
func (p panel) plot(h *train.History) (*plot.Plot, error) {
	out := plot.New()
	out.X.Label.Text, out.Y.Label.Text = "epoch", p.kind
	out.X.Min, out.X.Max = 0, float64(max(1, h.Epochs()))
	out.Legend.Top = true
	out.Add(plotter.NewGrid())
	for i, name := range p.metrics {
		for k, part := range drawableParts(h.Series(name)) {
			line, points, err := plotter.NewLinePoints(part)
			if err != nil {
				return nil, err
			}
			line.Color = hues[i%len(hues)]
			out.Add(line)
			if len(part) == 1 { // a line of one point is nothing
				points.Color, points.Shape = line.Color, draw.CircleGlyph{}
				out.Add(points)
			}
			if k == 0 {
				out.Legend.Add(name, line)
			}
		}
	}
	widen(&out.Y)
	return out, nil
}

// widen gives an axis of large numbers, between which there is no room for marks in their
// precision, some. The plot adds one where both ends are equal, which they do not notice.
func widen(axis *plot.Axis) {
	span, top := axis.Max-axis.Min, max(math.Abs(axis.Min), math.Abs(axis.Max))
	const near, large = 1e-9, 1e9
	if span >= 0 && span <= near*top && top > large {
		axis.Min, axis.Max = axis.Min-top/1e3, axis.Max+top/1e3
	}
}

// drawableParts cuts a series at what is left out. The axes could not be marked if
// the difference of two numbers were infinite.
func drawableParts(epochs []int, values []float64) []plotter.XYs {
	var parts []plotter.XYs
	inside := false
	for i, y := range values {
		if !(math.Abs(y) <= 1e100) { // also NaN
			inside = false
			continue
		}
		if !inside {
			parts = append(parts, nil)
			inside = true
		}
		last := &parts[len(parts)-1]
		*last = append(*last, plotter.XY{X: float64(epochs[i]), Y: y})
	}
	return parts
}

// hues are colours that stay apart for most colour-blind eyes (Okabe and Ito
// 2008).
var hues = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff},
}
