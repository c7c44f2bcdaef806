"""The repair room: edits that would mend a finding, each tried in memory before it is shown."""
