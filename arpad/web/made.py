"""What is made at set-up and is in no repository: web fonts, translations, the secret key.

Everything lies in the data folder and is made again where it is missing or older than its source.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

HERE = Path(__file__).resolve().parent
DOMAIN = "django"
# Characters of Western Europe with what the site prints: −, ½, →, narrow no-break space ...
LATIN = (
    "U+0020-007E,U+00A0-00FF,U+0131,U+0152-0153,U+0178,U+02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,"
    "U+2122,U+2190-2193,U+2212"
)
LATIN_EXTENDED = "U+0100-0130,U+0132-0151,U+0154-0177,U+0179-024F,U+1E00-1EFF"
# file -> (package, member) of the typefaces in use
FONTS = {
    "sans-400": ("font_source_sans_pro", "SourceSansPro-Regular.ttf"),
    "sans-600": ("font_source_sans_pro", "SourceSansPro-Semibold.ttf"),
    "serif-600": ("font_source_serif_pro", "SourceSerifPro-Semibold.ttf"),
    "serif-400-italic": ("font_source_serif_pro", "SourceSerifPro-It.ttf"),
}


def made_folder(data: Path) -> Path:
    """Where the made files of a data folder are."""
    return data / "made"


def secret_key(data: Path) -> str:
    """The key of the data folder, made once, readable by its owner alone; a passing one without a folder."""
    path = data / "secret-key"
    if not data.is_dir():
        return secrets.token_urlsafe(50)
    if not path.is_file():
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(number, "w") as file:
            file.write(secrets.token_urlsafe(50))
    return path.read_text("ascii")


def make(data: Path) -> None:
    """Make what is missing or old. Harmless when done twice."""
    made = made_folder(data)
    make_fonts(made / "fonts" / "fonts")
    make_translations(made / "locale")


def make_translations(folder: Path) -> None:
    """Compile the .po files of the site where they are newer than what was made."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for source in sorted((HERE / "locale").glob("*/LC_MESSAGES/*.po")):
        target = folder / source.relative_to(HERE / "locale").with_suffix(".mo")
        if target.is_file() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with source.open("rb") as stream:
            catalogue = read_po(stream)
        partial = target.with_suffix(".part")
        with partial.open("wb") as stream:
            write_mo(stream, catalogue)
        partial.replace(target)


def make_fonts(folder: Path) -> None:
    """Web fonts from the typefaces' packages: Western letters in one file, further ones in another."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (package, member) in FONTS.items():
        for part, letters in (("latin", LATIN), ("extended", LATIN_EXTENDED)):
            target = folder / f"{name}-{part}.woff2"
            if not target.is_file():
                _subset(package, member, letters, target)


def _subset(package: str, member: str, letters: str, target: Path) -> None:
    from importlib.resources import as_file, files

    from fontTools import subset

    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = ["kern", "liga", "tnum", "lnum", "ccmp", "locl", "mark"]
    found = as_file(files(package) / "files" / member)
    with found as source, subset.load_font(str(source), options) as font:
        cutter = subset.Subsetter(options)
        cutter.populate(unicodes=subset.parse_unicodes(letters.replace("U+", "")))
        cutter.subset(font)
        partial = target.with_suffix(".part")
        subset.save_font(font, str(partial), options)
        partial.replace(target)
