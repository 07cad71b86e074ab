"""The report of a training: a table of what each pass reached, and curves."""

import json
from pathlib import Path


def write_report(stem: Path, title: str, curve: list[dict[str, float]]) -> None:
    """Writes it beside the weights, as Markdown, JSON and a picture."""
    names = list(curve[0])
    lines = [f"# {title}", "", f"| pass | {' | '.join(names)} |", "|---:" * (len(names) + 1) + "|"]
    lines += [f"| {n + 1} | {' | '.join(str(row[name]) for name in names)} |" for n, row in enumerate(curve)]
    stem.with_suffix(".md").write_text("\n".join([*lines, "", f"![curves]({stem.name}.svg)", ""]), encoding="utf-8")
    stem.with_suffix(".json").write_text(json.dumps(curve, indent=1), encoding="utf-8")
    draw(stem.with_suffix(".svg"), title, curve)


def draw(file: Path, title: str, curve: list[dict[str, float]]) -> None:
    """The first figure of what was learnt and of what was held out, by pass."""
    from matplotlib.figure import Figure

    names = [name for name in curve[0] if name.endswith(("R²", "cross-entropy", "ahead"))]
    figure = Figure(figsize=(6, 4))
    axes = figure.subplots()
    for name in names:
        axes.plot(range(1, len(curve) + 1), [row[name] for row in curve], marker="o", label=name)
    axes.set(title=title, xlabel="pass")
    axes.legend()
    figure.savefig(file, metadata={"Date": None})
