"""The notes about a picture's origin as an XMP packet (ISO 16684-1), in the terms of IPTC."""

import hashlib
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec

SourceType = Literal["trainedAlgorithmicMedia", "compositeWithTrainedAlgorithmicMedia", "algorithmicMedia", "composite"]
"""Terms of IPTC's vocabulary Digital Source Type (read 2024-10-23 edition): made by a trained model; a model's media
beside others; made by an algorithm without any training data; a mix whose parts may be of any kind.
"""
VOCABULARY: Final = "http://cv.iptc.org/newscodes/digitalsourcetype/"
CREATOR_TOOL: Final = "Coverwright"
TAG_CHARS: Final = 16
_PACKET: Final = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">
   <xmp:CreatorTool>{tool}</xmp:CreatorTool>
   <xmp:CreateDate>{date}</xmp:CreateDate>
   <Iptc4xmpExt:DigitalSourceType>{source}</Iptc4xmpExt:DigitalSourceType>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of a picture: what kind of source it comes from, and when it was made. Nothing about a person."""

    source: SourceType
    made_at: datetime

    @property
    def source_uri(self) -> str:
        """Return the term as the vocabulary's address."""
        return VOCABULARY + self.source

    @property
    def made_text(self) -> str:
        """Return the time in UTC, to the second."""
        return self.made_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def packet_of(mark: Mark) -> bytes:
    """Return the packet; the same mark always has the same bytes."""
    return _PACKET.format(tool=CREATOR_TOOL, date=mark.made_text, source=mark.source_uri).encode()


def tag_of(mark: Mark) -> str:
    """Return what distinguishes files with this mark from those with another one, for their validators."""
    return hashlib.sha256(packet_of(mark)).hexdigest()[:TAG_CHARS]
