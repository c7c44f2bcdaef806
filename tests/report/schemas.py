"""Schemas of formats whose own are not in a registry, written from the documentation of who reads them, strictly.

GitLab: Code Quality, "Code Quality report format". reviewdog: "Reviewdog Diagnostic Format" (the fields that are used).
"""

from __future__ import annotations

from typing import Any


def closed(required: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    """An object with these properties and no others."""
    properties = required | (optional or {})
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


TEXT = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 1}
POSITION = closed({"line": COUNT, "column": COUNT})

GITLAB = {
    "type": "array",
    "items": closed(
        {
            "description": TEXT,
            "check_name": TEXT,
            "fingerprint": TEXT,
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": closed({"path": TEXT, "positions": closed({"begin": POSITION, "end": POSITION})}),
        }
    ),
}

_RANGE = closed({"start": POSITION, "end": POSITION})
_LOCATION = closed({"path": TEXT, "range": _RANGE})
RDJSON = closed(
    {
        "source": closed({"name": TEXT}, {"url": TEXT}),
        "diagnostics": {
            "type": "array",
            "items": closed(
                {"message": TEXT, "location": _LOCATION, "severity": {"enum": ["ERROR", "WARNING", "INFO"]}},
                {
                    "code": closed({"value": TEXT}, {"url": TEXT}),
                    "related_locations": {
                        "type": "array",
                        "items": closed({"message": TEXT, "location": _LOCATION}),
                    },
                    "suggestions": {
                        "type": "array",
                        "items": closed({"range": _RANGE, "text": {"type": "string"}}),
                    },
                },
            ),
        },
    }
)
