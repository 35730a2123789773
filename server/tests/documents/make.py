"""Makes the documents that the test of PDF works on, with reportlab, pikepdf, Pillow and Typst.

    make.py FOLDER PHOTOGRAPH

Each function makes one file of its own name. Photographs are real, since noise and gradients are coded unlike anything that is scanned.
"""

import io
import sys
from pathlib import Path

import pikepdf
import typst
from PIL import Image, ImageDraw, ImageOps
from pikepdf import Array, Dictionary, Name, Stream, String
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

FOLDER = Path(sys.argv[1])
PHOTOGRAPH = Image.open(sys.argv[2]).convert("RGB")
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
WORDS = "The quick brown fox jumps over the lazy dog while nobody at all is looking at either of them."


def photograph(width, height):
    return PHOTOGRAPH.resize((width, height), Image.Resampling.LANCZOS)


def jpeg(picture, quality=92):
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=quality)
    return out.getvalue()


def lines(page, count=30, top=760):
    for line in range(count):
        page.drawString(72, top - 20 * line, f"{line + 1}. {WORDS}")


def letter(words=60):
    """A page of text as a scanner sees it, in black and white."""
    page = Image.new("1", (1654, 2339), 1)
    draw = ImageDraw.Draw(page)
    for line in range(words):
        draw.text((150, 150 + 34 * line), f"{line} {WORDS}", fill=0)
    return page


def picture_object(pdf, data, **members):
    return pdf.make_indirect(Stream(pdf, data, Type=Name.XObject, Subtype=Name.Image, **members))


def page_of(pdf, image, name="/Im0"):
    """A page of A4 that an image fills."""
    content = Stream(pdf, f"q 595 0 0 842 0 0 cm {name} Do Q".encode())
    resources = Dictionary(XObject=Dictionary({name: image}))
    pdf.pages.append(pikepdf.Page(Dictionary(
        Type=Name.Page, MediaBox=Array([0, 0, 595, 842]), Resources=resources, Contents=pdf.make_indirect(content))))


def forms(path):
    page = canvas.Canvas(str(path), pagesize=A4)
    page.drawString(72, 780, "Application")
    form = page.acroForm
    for row in range(12):
        form.textfield(name=f"text{row}", x=72, y=700 - 40 * row, width=200, height=24, value=f"value {row}")
        form.checkbox(name=f"check{row}", x=300, y=700 - 40 * row, checked=row % 2 == 0)
    form.choice(name="choice", x=350, y=700, options=["one", "two", "three"], value="two")
    for value in ("left", "right"):
        form.radio(name="radio", value=value, x=350 + 40 * (value == "left"), y=640, selected=value == "left")
    page.bookmarkPage("start")
    page.addOutlineEntry("Application", "start")
    page.showPage()
    lines(page)
    page.save()


def tagged(path):
    photograph(900, 600).save(FOLDER / "figure.jpg", quality=93)
    source = FOLDER / "tagged.typ"
    source.write_text(
        '#set document(title: "A tagged report")\n#set text(lang: "de")\n#set page(numbering: "1")\n'
        '= Bericht\n== Teil eins\n' + (WORDS + "\n\n") * 12 +
        '#figure(image("figure.jpg", width: 60%, alt: "A photograph"), caption: [Ein Bild])\n'
        '#table(columns: 3, table.header([a], [b], [c]), [1], [2], [3], [4], [5], [6])\n'
        '#link("https://example.org/")[Ein Verweis]\n- eins\n- zwei\n== Teil zwei\n' + (WORDS + "\n\n") * 40)
    typst.compile(str(source), output=str(path), pdf_standards=["ua-1"])


def attachments(path):
    base = io.BytesIO()
    page = canvas.Canvas(base, pagesize=A4)
    lines(page)
    page.save()
    with pikepdf.open(base) as pdf:
        table = "\n".join(f"{row};{row * row};{WORDS}" for row in range(2000)).encode()
        pdf.attachments["table.csv"] = pikepdf.AttachedFileSpec(pdf, table, filename="table.csv", mime_type="text/csv")
        picture = jpeg(photograph(640, 480))
        pdf.attachments["photo.jpg"] = pikepdf.AttachedFileSpec(pdf, picture, filename="photo.jpg", mime_type="image/jpeg")
        note = pikepdf.AttachedFileSpec(pdf, b"a note " * 50, filename="note.txt", mime_type="text/plain")
        pdf.pages[0].obj.Annots = Array([pdf.make_indirect(Dictionary(
            Type=Name.Annot, Subtype=Name.FileAttachment, Rect=Array([500, 780, 520, 800]), FS=note.obj, Contents=String("A note")))])
        pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(S=Name.r)]))
        pdf.save(path)


def scans(path):
    """Three pages: color as JPEG, gray as JPEG, color as Flate."""
    page = canvas.Canvas(str(path), pagesize=A4)
    for number, picture in enumerate((photograph(2480, 1754), photograph(2480, 1754).convert("L"))):
        file = FOLDER / f"scan{number}.jpg"
        picture.save(file, quality=92)
        page.drawImage(str(file), 0, 0, A4[0], A4[1])
        page.showPage()
    file = FOLDER / "scan.png"
    photograph(1240, 877).save(file)
    page.drawImage(str(file), 0, 0, A4[0], A4[1] / 2)
    page.save()


def cmyk(path):
    pdf = pikepdf.new()
    picture = photograph(1600, 1200).convert("CMYK")
    inverted = Array([1, 0, 1, 0, 1, 0, 1, 0])
    size = {"Width": 1600, "Height": 1200, "BitsPerComponent": 8, "ColorSpace": Name.DeviceCMYK}
    page_of(pdf, picture_object(pdf, jpeg(picture), Filter=Name.DCTDecode, Decode=inverted, **size))
    page_of(pdf, picture_object(pdf, picture.tobytes(), **size))
    # A spot color, and a picture with a soft mask.
    function = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0, 0, 0, 0]), C1=Array([0, 1, 1, 0]), N=1)
    spot = Array([Name.Separation, Name("/Signal"), Name.DeviceCMYK, pdf.make_indirect(function)])
    gray = photograph(300, 200).convert("L").tobytes()
    page_of(pdf, picture_object(pdf, gray, Width=300, Height=200, BitsPerComponent=8, ColorSpace=spot))
    mask = picture_object(pdf, Image.linear_gradient("L").resize((1600, 1200)).tobytes(),
                          Width=1600, Height=1200, BitsPerComponent=8, ColorSpace=Name.DeviceGray)
    colors = photograph(1600, 1200).tobytes()
    page_of(pdf, picture_object(pdf, colors, Width=1600, Height=1200, BitsPerComponent=8, ColorSpace=Name.DeviceRGB, SMask=mask))
    pdf.save(path)


def jbig2(path):
    """The same letter as JBIG2, as CCITT and as Flate. The JBIG2 stream is a page of one generic region in MMR (ITU-T T.88, 7.4.6)."""
    page = letter()
    out = io.BytesIO()
    # To Pillow, a 1 is ink in such a file; to PDF it is paper.
    ImageOps.invert(page).save(out, "TIFF", compression="group4", strip_size=1 << 24)
    out.seek(0)
    with Image.open(out) as tiff:
        offset, length = tiff.tag_v2[273][0], tiff.tag_v2[279][0]
    fax = out.getvalue()[offset:offset + length]
    width, height = page.size

    def number(value, size=4):
        return value.to_bytes(size, "big")

    def segment(index, kind, data):
        return number(index) + bytes([kind, 0, 1]) + number(len(data)) + data

    information = number(width) + number(height) + bytes(8) + b"\x00" + bytes(2)
    region = number(width) + number(height) + bytes(8) + b"\x00" + b"\x01" + fax
    stream = segment(0, 48, information) + segment(1, 38, region)
    pdf = pikepdf.new()
    size = {"Width": width, "Height": height, "BitsPerComponent": 1, "ColorSpace": Name.DeviceGray}
    page_of(pdf, picture_object(pdf, stream, Filter=Name.JBIG2Decode, **size))
    parameters = Dictionary(K=-1, Columns=width, Rows=height, BlackIs1=False)
    page_of(pdf, picture_object(pdf, fax, Filter=Name.CCITTFaxDecode, DecodeParms=parameters, **size))
    page_of(pdf, picture_object(pdf, letter(40).tobytes(), **size))
    pdf.save(path)


def duplicates(path):
    pdf = pikepdf.new()
    picture = photograph(700, 500)
    coded = jpeg(picture, 85)
    size = {"Width": 700, "Height": 500, "BitsPerComponent": 8, "ColorSpace": Name.DeviceRGB}
    for number in range(12):
        page_of(pdf, picture_object(pdf, coded, Filter=Name.DCTDecode, **size), f"/Im{number}")
    samples = picture.quantize(64).convert("RGB").tobytes()
    for number in range(4):
        page_of(pdf, picture_object(pdf, samples, **size), f"/Im{number}")
    palette = picture.quantize(200)
    colors = bytes(palette.getpalette()[:600])
    space = Array([Name.Indexed, Name.DeviceRGB, 199, pdf.make_indirect(Stream(pdf, colors))])
    indexed = {**size, "ColorSpace": space}
    page_of(pdf, picture_object(pdf, palette.tobytes(), **indexed))
    pdf.save(path, compress_streams=False)


def encrypted(path):
    base = io.BytesIO()
    page = canvas.Canvas(base, pagesize=A4)
    lines(page)
    page.drawImage(str(FOLDER / "scan0.jpg"), 72, 72, 200, 140)
    page.save()
    with pikepdf.open(base) as pdf:
        rights = pikepdf.Permissions(extract=False, modify_annotation=False)
        pdf.save(path, encryption=pikepdf.Encryption(owner="owner", user="", R=6, allow=rights))


def portfolio(path):
    base = io.BytesIO()
    page = canvas.Canvas(base, pagesize=A4)
    page.drawString(72, 760, "This document is a portfolio.")
    page.save()
    with pikepdf.open(base) as pdf:
        for number in range(5):
            data = f"file {number}\n".encode() * 400
            pdf.attachments[f"part{number}.txt"] = pikepdf.AttachedFileSpec(pdf, data, filename=f"part{number}.txt", mime_type="text/plain")
        field = Dictionary(Type=Name.CollectionField, Subtype=Name.F, N=String("Name"), O=0)
        pdf.Root.Collection = Dictionary(Type=Name.Collection, View=Name.D, D=String("part0.txt"),
                                         Schema=Dictionary(Type=Name.CollectionSchema, name=field))
        group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Layer")))
        pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=Dictionary(Order=Array([group]), ON=Array([group])))
        pdf.save(path)


def fonts(path):
    """Fonts that are named and not embedded: one of the standard 14, and one whose codes mean nothing without it."""
    base = io.BytesIO()
    pdfmetrics.registerFont(TTFont("DejaVu", FONT))
    page = canvas.Canvas(base, pagesize=A4)
    lines(page, 10)
    page.setFont("DejaVu", 11)
    for line in range(10):
        page.drawString(72, 500 - 20 * line, f"Größe {line} – {WORDS}")
    page.save()
    with pikepdf.open(base) as pdf:
        for thing in pdf.objects:
            if isinstance(thing, Dictionary) and "/FontFile2" in thing:
                del thing["/FontFile2"]
        pdf.save(path)


for make in (forms, tagged, attachments, scans, cmyk, jbig2, duplicates, encrypted, portfolio, fonts):
    make(FOLDER / f"{make.__name__}.pdf")
