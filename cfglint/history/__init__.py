"""Another revision of the project: its sources from git's objects, and what it has in common with this one.

revisions reads git, snapshot lays out the sources of a revision in a temporary folder, comparing tells new findings from
those that were there before. No process is started, and neither working tree nor index is touched.
"""
