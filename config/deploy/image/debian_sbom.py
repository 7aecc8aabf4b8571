"""Write the Debian packages of this system as a CycloneDX list. Usage: debian_sbom.py FILE [PACKAGE…]"""

import json
import subprocess
import sys
from pathlib import Path

FIELDS = "${Package}\t${Version}\t${Architecture}\t${source:Package}\n"


def main() -> None:
    """Ask dpkg, and write what it knows."""
    command = ["dpkg-query", "-W", "-f", FIELDS, *sys.argv[2:]]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    components = []
    for line in told.splitlines():
        name, version, architecture, source = line.split("\t")
        purl = f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch={architecture}"
        components.append(
            {
                "type": "library",
                "bom-ref": purl,
                "name": name,
                "version": version,
                "purl": purl,
                "properties": [{"name": "debian:source", "value": source}],
            }
        )
    document = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": components}
    Path(sys.argv[1]).write_text(json.dumps(document, indent=1) + "\n")


main()
