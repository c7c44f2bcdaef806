"""Questions about places, findings and build logs, answered without running anything of the workspace."""
