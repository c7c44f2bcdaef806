"""Access to nodes that costs no more than what is looked at.

To list a node's children makes a node of each token among them; most nodes have one or two children that matter. The
names of grammar nodes are in grammar.
"""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter


def named_children(node: tree_sitter.Node) -> Sequence[tree_sitter.Node]:
    """The same as `node.named_children`, for nodes of which nothing else will be asked."""
    count = node.named_child_count
    if count == 1:
        return (node.named_child(0),)
    if count == 2:
        return node.named_child(0), node.named_child(1)
    return node.named_children if count else ()
