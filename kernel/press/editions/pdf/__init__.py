"""A scene as a PDF that printers take: one page, one picture, type as text in embedded fonts; RGB, or CMYK PDF/X-1a."""
