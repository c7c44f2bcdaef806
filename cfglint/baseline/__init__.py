"""The baseline: findings that were there when cfglint came, listed in a file that only gets shorter.

listing reads and writes the file, matching sets listed findings aside and tells which entries are no longer needed.
"""
