"""Names of tree-sitter-rust's node kinds and fields, as the small integers that the parser uses.

Only this module spells grammar names, so a new version of the grammar is met here. It parses nothing.
"""

from __future__ import annotations

import tree_sitter
import tree_sitter_rust

LANGUAGE = tree_sitter.Language(tree_sitter_rust.language())


def kind(name: str) -> int:
    """The id of a named node kind; raises LookupError when the grammar has none of that name."""
    found = LANGUAGE.id_for_node_kind(name, True)
    if not found:
        raise LookupError(name)
    return found


def token(text: str) -> int:
    """The id of an anonymous token such as `::`."""
    found = LANGUAGE.id_for_node_kind(text, False)
    if not found:
        raise LookupError(text)
    return found


def field(name: str) -> int:
    """The id of a field name."""
    found = LANGUAGE.field_id_for_name(name)
    if not found:
        raise LookupError(name)
    return found


def is_named(kind_id: int) -> bool:
    """Whether nodes of that kind are named ones: no tokens such as `::`."""
    return LANGUAGE.node_kind_is_named(kind_id)


KIND_COUNT = LANGUAGE.node_kind_count
ERROR = 0xFFFF

# Files, items and their parts
SOURCE_FILE = kind("source_file")
DECLARATION_LIST = kind("declaration_list")
FUNCTION_ITEM = kind("function_item")
FUNCTION_SIGNATURE_ITEM = kind("function_signature_item")
STRUCT_ITEM = kind("struct_item")
UNION_ITEM = kind("union_item")
ENUM_ITEM = kind("enum_item")
ENUM_VARIANT_LIST = kind("enum_variant_list")
ENUM_VARIANT = kind("enum_variant")
TRAIT_ITEM = kind("trait_item")
IMPL_ITEM = kind("impl_item")
MOD_ITEM = kind("mod_item")
CONST_ITEM = kind("const_item")
STATIC_ITEM = kind("static_item")
TYPE_ITEM = kind("type_item")
ASSOCIATED_TYPE = kind("associated_type")
FOREIGN_MOD_ITEM = kind("foreign_mod_item")
USE_DECLARATION = kind("use_declaration")
EXTERN_CRATE = kind("extern_crate_declaration")
MACRO_DEFINITION = kind("macro_definition")
MACRO_RULE = kind("macro_rule")
MACRO_INVOCATION = kind("macro_invocation")
FIELD_DECLARATION_LIST = kind("field_declaration_list")
FIELD_DECLARATION = kind("field_declaration")
ORDERED_FIELDS = kind("ordered_field_declaration_list")
VISIBILITY = kind("visibility_modifier")
ATTRIBUTE_ITEM = kind("attribute_item")
INNER_ATTRIBUTE_ITEM = kind("inner_attribute_item")
ATTRIBUTE = kind("attribute")

# Use trees
USE_LIST = kind("use_list")
USE_AS = kind("use_as_clause")
USE_WILDCARD = kind("use_wildcard")
SCOPED_USE_LIST = kind("scoped_use_list")

# Paths
IDENTIFIER = kind("identifier")
TYPE_IDENTIFIER = kind("type_identifier")
SCOPED_IDENTIFIER = kind("scoped_identifier")
SCOPED_TYPE_IDENTIFIER = kind("scoped_type_identifier")
GENERIC_TYPE = kind("generic_type")
GENERIC_TYPE_TURBOFISH = kind("generic_type_with_turbofish")
GENERIC_FUNCTION = kind("generic_function")
BRACKETED_TYPE = kind("bracketed_type")
QUALIFIED_TYPE = kind("qualified_type")
CRATE = kind("crate")
SELF = kind("self")
SUPER = kind("super")
METAVARIABLE = kind("metavariable")
MUTABLE = kind("mutable_specifier")
PRIMITIVE_TYPE = kind("primitive_type")
TYPE_ARGUMENTS = kind("type_arguments")
TRAIT_BOUNDS = kind("trait_bounds")
REFERENCE_TYPE = kind("reference_type")
TUPLE_TYPE = kind("tuple_type")
ABSTRACT_TYPE = kind("abstract_type")
DYNAMIC_TYPE = kind("dynamic_type")

# Generics
TYPE_PARAMETERS = kind("type_parameters")
TYPE_PARAMETER = kind("type_parameter")
CONST_PARAMETER = kind("const_parameter")
LIFETIME_PARAMETER = kind("lifetime_parameter")
HIGHER_RANKED = kind("higher_ranked_trait_bound")
TYPE_BINDING = kind("type_binding")

# Statements and expressions that open scopes or bind names
BLOCK = kind("block")
LET = kind("let_declaration")
LET_CONDITION = kind("let_condition")
LET_CHAIN = kind("let_chain")
IF = kind("if_expression")
ELSE = kind("else_clause")
WHILE = kind("while_expression")
FOR = kind("for_expression")
MATCH = kind("match_expression")
MATCH_ARM = kind("match_arm")
MATCH_PATTERN = kind("match_pattern")
CLOSURE = kind("closure_expression")
CLOSURE_PARAMETERS = kind("closure_parameters")
PARAMETERS = kind("parameters")
SELF_PARAMETER = kind("self_parameter")
FUNCTION_MODIFIERS = kind("function_modifiers")
UNIT_TYPE = kind("unit_type")
PARAMETER = kind("parameter")
EXPRESSION_STATEMENT = kind("expression_statement")
EMPTY_STATEMENT = kind("empty_statement")
STRUCT_EXPRESSION = kind("struct_expression")
FIELD_INITIALIZER = kind("field_initializer")
SHORTHAND_FIELD_INITIALIZER = kind("shorthand_field_initializer")
BASE_FIELD_INITIALIZER = kind("base_field_initializer")
CALL_EXPRESSION = kind("call_expression")
FIELD_EXPRESSION = kind("field_expression")
ASSIGNMENT = kind("assignment_expression")
TUPLE_EXPRESSION = kind("tuple_expression")
PARENTHESIZED = kind("parenthesized_expression")
ARRAY_EXPRESSION = kind("array_expression")
ARGUMENTS = kind("arguments")
AWAIT = kind("await_expression")
BINARY = kind("binary_expression")
COMPOUND_ASSIGNMENT = kind("compound_assignment_expr")
INDEX = kind("index_expression")
REFERENCE = kind("reference_expression")
RETURN = kind("return_expression")
TRY = kind("try_expression")
UNARY = kind("unary_expression")
CONTINUE = kind("continue_expression")
LABEL = kind("label")
LIFETIME = kind("lifetime")

# Patterns
TUPLE_STRUCT_PATTERN = kind("tuple_struct_pattern")
STRUCT_PATTERN = kind("struct_pattern")
FIELD_PATTERN = kind("field_pattern")
CAPTURED_PATTERN = kind("captured_pattern")
OR_PATTERN = kind("or_pattern")
REFERENCE_PATTERN = kind("reference_pattern")
REMAINING_FIELD_PATTERN = kind("remaining_field_pattern")
RANGE_PATTERN = kind("range_pattern")
SHORTHAND_FIELD_IDENTIFIER = kind("shorthand_field_identifier")
FIELD_IDENTIFIER = kind("field_identifier")

# Tokens
TOKEN_TREE = kind("token_tree")
TOKEN_TREE_PATTERN = kind("token_tree_pattern")
TOKEN_REPETITION = kind("token_repetition")
TOKEN_BINDING_PATTERN = kind("token_binding_pattern")
TOKEN_REPETITION_PATTERN = kind("token_repetition_pattern")
FRAGMENT_SPECIFIER = kind("fragment_specifier")
STRING_LITERAL = kind("string_literal")
RAW_STRING_LITERAL = kind("raw_string_literal")
BOOLEAN_LITERAL = kind("boolean_literal")
INTEGER_LITERAL = kind("integer_literal")
LINE_COMMENT = kind("line_comment")
BLOCK_COMMENT = kind("block_comment")
SHEBANG = kind("shebang")
PATH_SEPARATOR = token("::")
COMMA = token(",")
DOT = token(".")
EQUALS = token("=")
ARROW = token("=>")
BANG = token("!")
STAR = token("*")
DOLLAR = token("$")
HASH = token("#")
SEMICOLON = token(";")
OPEN_BRACE = token("{")
COMMENTS = frozenset({LINE_COMMENT, BLOCK_COMMENT})

F_NAME = field("name")
F_PATH = field("path")
F_TYPE = field("type")
F_TRAIT = field("trait")
F_BODY = field("body")
F_PATTERN = field("pattern")
F_VALUE = field("value")
F_ALIAS = field("alias")
F_LIST = field("list")
F_ARGUMENT = field("argument")
F_ARGUMENTS = field("arguments")
F_MACRO = field("macro")
F_FUNCTION = field("function")
F_CONDITION = field("condition")
F_CONSEQUENCE = field("consequence")
F_ALTERNATIVE = field("alternative")
F_PARAMETERS = field("parameters")
F_TYPE_PARAMETERS = field("type_parameters")
F_RETURN_TYPE = field("return_type")
F_BOUNDS = field("bounds")
F_LEFT = field("left")
F_RIGHT = field("right")
F_FIELD = field("field")
F_DEFAULT_TYPE = field("default_type")
