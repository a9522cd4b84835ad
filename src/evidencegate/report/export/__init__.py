"""Answers as files: the whole of one (Markdown, HTML, PDF, DOCX, JSON), or its references (RIS, BibTeX, CSL-JSON)."""

from evidencegate.report.export._bibtex import bibtex
from evidencegate.report.export._csl import csl_json
from evidencegate.report.export._docx import docx
from evidencegate.report.export._pdf import pdf
from evidencegate.report.export._ris import ris
from evidencegate.report.export._write import SUFFIXES, check, write

__all__ = ["SUFFIXES", "bibtex", "check", "csl_json", "docx", "pdf", "ris", "write"]
