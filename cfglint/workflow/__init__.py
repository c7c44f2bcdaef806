"""What CI does with cargo: workflow files and the scripts they call, read as cargo invocations. Nothing is run."""
