"""A PDF that knows our paper, our fonts and our art."""

from importlib.resources import as_file, files
from math import cos, radians, sin
from typing import Final, NamedTuple

from fpdf import FPDF, ViewerPreferences
from fpdf.enums import Duplex, TextMode

from davidgoliath.art.palette import NEUTRALS
from davidgoliath.paper.drawing import Box, drawing, number, rounded_box
from davidgoliath.paper.grid import PAPERS

FONTS: Final = {
    "sans": "font_source_sans_pro/SourceSansPro-Regular",
    "bold": "font_source_sans_pro/SourceSansPro-Bold",
    "italic": "font_source_sans_pro/SourceSansPro-It",
    "serif": "font_source_serif_pro/SourceSerifPro-Semibold",
}
"""From packages that hold nothing but fonts; they have every letter of our languages."""
POINT: Final = 25.4 / 72
INK: Final = NEUTRALS["text"][0]
SOFT: Final = NEUTRALS["text-2"][0]
PAPER: Final = NEUTRALS["paper"][0]
SAND: Final = NEUTRALS["sand"][0]
HAIRLINE: Final = NEUTRALS["rule"][0]


class Window(NamedTuple):
    """What is shown of a drawing, in its own units."""

    box: Box
    radius: float = 0.0


class Sheet(FPDF):
    """A document in one size of paper, by its name or in millimetres, printed as large as it is."""

    def __init__(self, paper: str | tuple[float, float], title: str, language: str, *, two_sided: bool = False) -> None:
        if isinstance(paper, str) and paper not in PAPERS:
            raise ValueError(f"there is no paper {paper!r}; there are {', '.join(PAPERS)}")
        super().__init__(unit="mm", format=PAPERS[paper] if isinstance(paper, str) else paper)
        self.set_auto_page_break(False)
        self.set_margin(0)
        self.c_margin = 0
        self.set_title(title)
        self._widths: dict[tuple[str, str], float] = {}
        self.set_author("davidgoliath")
        self.set_creator("davidgoliath")
        self.set_lang(language)
        self.viewer_preferences = ViewerPreferences(
            display_doc_title=True,
            print_scaling="None",
            duplex=Duplex.DUPLEX_FLIP_LONG_EDGE if two_sided else Duplex.SIMPLEX,
        )

    def add_trimmed_page(self, trim: Box) -> None:
        """A page of which only this box is left in the end, as print shops want to be told: the rest is bleed."""
        self.add_page()
        page, whole = self.pages[self.page], self._corners(Box(0, 0, self.w, self.h))
        page.media_box = whole
        vars(page).update(bleed_box=whole, trim_box=self._corners(trim))  # fpdf2 writes whatever a page has

    def _corners(self, box: Box) -> str:
        """In the coordinates of the file: points, from below."""
        x, y = box.x, self.h - box.y - box.height
        return f"[{' '.join(number(edge * self.k) for edge in (x, y, x + box.width, y + box.height))}]"

    def face(self, family: str, size: float, colour: str = INK) -> None:
        """Takes a font in points; it is read when it is first wanted."""
        if family not in self.fonts:
            package, name = FONTS[family].split("/")
            with as_file(files(package) / "files" / f"{name}.ttf") as file:
                self.add_font(family, fname=file)
        self.set_font(family, size=size)
        self.set_text_color(colour)

    def measure(self, text: str, family: str) -> float:
        """How wide a text is at a size of one point."""
        if (text, family) not in self._widths:
            self.face(family, 100)
            self._widths[text, family] = self.get_string_width(text) / 100
        return self._widths[text, family]

    def draw(self, svg: str, x: float, y: float, scale: float, window: Window | None = None, turn: float = 0.0) -> None:
        """A drawing whose 0, 0 comes to this point, turned clockwise; its unit becomes so many millimetres."""
        unit, angle = scale * self.k, radians(turn)
        matrix = (unit * cos(angle), -unit * sin(angle), -unit * sin(angle), -unit * cos(angle))
        self._out(f"q {' '.join(map(number, (*matrix, x * self.k, (self.h - y) * self.k)))} cm")
        if window:
            self._out(f"{rounded_box(window.box, window.radius)} W n")
        for ink in drawing(svg):
            if ink.opacity == 1:
                self._out(ink.operators)
            else:
                with self.local_context(fill_opacity=ink.opacity):
                    self._out(ink.operators)
        self._out("Q")

    def hidden(self, x: float, y: float, text: str) -> None:
        """Text that is found and copied but not seen."""
        with self.local_context(text_mode=TextMode.INVISIBLE):
            self.text(x, y, text)

    def panel(self, box: Box, colour: str, radius: float = 0.0) -> None:
        self.set_fill_color(colour)
        self.rect(*box, style="F", round_corners=radius > 0, corner_radius=radius)

    def rule(self, x1: float, y1: float, x2: float, y2: float, colour: str = HAIRLINE, width: float = 0.2) -> None:
        self.set_draw_color(colour)
        self.set_line_width(width)
        self.line(x1, y1, x2, y2)
