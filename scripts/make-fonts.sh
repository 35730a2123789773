#!/usr/bin/env bash
# Makes the built-in fonts in assets/fonts/: subsets of Roboto and DejaVu Sans, without hinting and layout tables other than kerning.
#   make-fonts.sh PYTHON   a Python that has fontTools (scripts/fonts-requirements.txt)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python=$1
fonts=/usr/share/fonts/truetype
folder=assets/fonts

# subset SOURCE OUTPUT CHARACTERS
subset() {
    "$python" -m fontTools.subset "$fonts/$1" --output-file="$folder/$2.part" --unicodes="$3" \
        --layout-features=kern --no-hinting --notdef-outline --no-recalc-timestamp \
        --drop-tables+=DSIG,FFTM,GDEF,MATH,gasp,kern --name-IDs=0,1,2,3,4,5,6,13,14
    mv "$folder/$2.part" "$folder/$2"
}

regular=U+20-7E,U+A0-17F,U+192,U+218-21B,U+2C6,U+2C7,U+2D8-2DD,U+384-3CE,U+400-45F,U+490,U+491,U+2010-2022,U+2026,
regular+=U+2030-2033,U+2039,U+203A,U+2044,U+2070-2089,U+20AC,U+20B4,U+20BD,U+2116,U+2122,U+2126,U+212E,U+215B-215E,
regular+=U+2202,U+2206,U+220F,U+2211,U+2212,U+221A,U+221E,U+222B,U+2248,U+2260,U+2264,U+2265,U+25CA
subset roboto/unhinted/RobotoTTF/Roboto-Regular.ttf Roboto-Regular.ttf "$regular"

bold=U+20-7E,U+A0-FF,U+2013,U+2014,U+2018-201E,U+2022,U+2026,U+20AC
subset roboto/unhinted/RobotoTTF/Roboto-Bold.ttf Roboto-Bold.ttf "$bold"

symbols=U+2190-2199,U+21D0-21D5,U+2200,U+2203,U+2205,U+2207-2209,U+2213,U+2227-222A,U+2234,U+2245,U+2261,U+2282,
symbols+=U+2283,U+2286,U+2287,U+22C5,U+25A0,U+25A1,U+25B2,U+25B3,U+25B6,U+25B7,U+25BC,U+25BD,U+25C0,U+25C1,U+25CB,
symbols+=U+25CF,U+2605,U+2606,U+2610-2612,U+2660,U+2663,U+2665,U+2666,U+2713,U+2714,U+2717,U+2718
subset dejavu/DejaVuSans.ttf DejaVuSans-Symbols.ttf "$symbols"

if ! (cd "$folder" && sha256sum --quiet --check SHA256SUMS); then
    echo "make-fonts: these fonts are not those of Debian 12; SVG text may be drawn with other pixels" >&2
fi
