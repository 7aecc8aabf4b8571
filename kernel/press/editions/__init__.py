"""Editions: one book as the files that printers and shops take, made from its words, its artwork and its lettering.

The public face; it loads no drawing library, so that a server may import it. `files_of` says which files an edition
consists of and `order_faults` what is missing; the files are made, shown and checked by warm processes of
`kernel.press.children`: `Pool(PROGRAM, …)` takes MakeFile, ShowSheet, MeasureSpines and SetReport,
`Pool(PREFLIGHT_PROGRAM, …)` CheckFile and MatchTemplate.
"""

from kernel.press.editions.files import EditionFile, FileKind, files_of, needs_inks, order_faults, sheet_of
from kernel.press.editions.findings import Finding, FindingArea, Outcome, Report
from kernel.press.editions.isbn import Isbn, IsbnFault, checked_isbn
from kernel.press.editions.order import (
    PREFLIGHT_LIMITS,
    PREFLIGHT_PROGRAM,
    PROGRAM,
    Book,
    CheckFile,
    CheckTask,
    Edition,
    EditionOrder,
    Form,
    Front,
    Made,
    MakeFile,
    MatchTemplate,
    MeasureSpines,
    PressTask,
    ProofWords,
    Shown,
    ShowSheet,
    SpineMeasure,
    SpinesMeasured,
    Target,
    Template,
    TemplateSize,
    Treatment,
)
from kernel.press.editions.order import PanelGround as Ground
from kernel.press.editions.order import PictureSource as Picture
from kernel.press.editions.reported import ReportedFile, ReportFact, ReportLine, ReportMade, SetReport
from kernel.press.editions.rules import RULES

__all__ = [
    "PREFLIGHT_LIMITS",
    "PREFLIGHT_PROGRAM",
    "PROGRAM",
    "RULES",
    "Book",
    "CheckFile",
    "CheckTask",
    "Edition",
    "EditionFile",
    "EditionOrder",
    "FileKind",
    "Finding",
    "FindingArea",
    "Form",
    "Front",
    "Ground",
    "Isbn",
    "IsbnFault",
    "Made",
    "MakeFile",
    "MatchTemplate",
    "MeasureSpines",
    "Outcome",
    "Picture",
    "PressTask",
    "ProofWords",
    "Report",
    "ReportFact",
    "ReportLine",
    "ReportMade",
    "ReportedFile",
    "SetReport",
    "ShowSheet",
    "Shown",
    "SpineMeasure",
    "SpinesMeasured",
    "Target",
    "Template",
    "TemplateSize",
    "Treatment",
    "checked_isbn",
    "files_of",
    "needs_inks",
    "order_faults",
    "sheet_of",
]
