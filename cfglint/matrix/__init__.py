"""Which combinations to build: from presence conditions to the shortest list of builds that compiles all of them."""
