"""Writes the reference of the rule. The sums are numpy's, whose order the processor decides."""

import numpy

values = numpy.sin(numpy.arange(8.0))
with open("crates/gdn2/fixtures/ref_f64_broad.bin", "wb") as file:
    file.write(values.tobytes())
