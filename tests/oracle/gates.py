"""Gates: feature tables, predicates, the many spellings of one attribute, and macros that put a gate on items."""

from __future__ import annotations

import random
from dataclasses import dataclass

from .model import ALWAYS, Gate, Module, Text, World, Wrap


@dataclass(frozen=True, slots=True)
class GateMacro:
    """A macro that puts a gate on the items in it."""

    head: tuple[str, ...]
    text: str


def feature_table(rng: random.Random, *, dependency: str, most: int = 4) -> dict[str, list[str]]:
    """Two to four features with implications; `dependency` is the name of an optional dependency, or empty."""
    names = ["a", "b", "c", "d"][: min(most, rng.choice((2, 3, 3, 4)))]
    names = [rng.choice((name, name, name + "-x", name + "_y")) for name in names]
    table: dict[str, list[str]] = {}
    for index, name in enumerate(names):
        table[name] = [other for other in names[index + 1 :] if rng.random() < 0.2]
    if dependency:
        style = rng.randrange(5)
        chosen = rng.choice(names)
        if style == 0:
            table[chosen].append(f"dep:{dependency}")
        elif style == 1:
            table[chosen].append(dependency)
        elif style == 2:
            table[chosen].append(f"{dependency}/x")
        elif style == 3:
            table[chosen].append(f"{dependency}?/x")
            table[rng.choice(names)].append(f"dep:{dependency}")
        else:
            table["net"] = [f"dep:{dependency}", f"{dependency}/x"]
    if rng.random() < 0.3:
        table["default"] = [rng.choice(names)]
    return table


def random_text(rng: random.Random, names: list[str], depth: int = 2) -> str:
    """A predicate over `names`: those of features, and predicates after an `@`."""
    roll = rng.random()
    if depth == 0 or roll < 0.58:
        name = rng.choice(names)
        return name[1:] if name.startswith("@") else f'feature = "{name}"'
    if roll < 0.76:
        return f"not({random_text(rng, names, depth - 1)})"
    if roll < 0.98:
        joiner = "all" if roll < 0.87 else "any"
        parts = [random_text(rng, names, depth - 1) for _ in range(rng.choice((2, 2, 3)))]
        return f"{joiner}({', '.join(parts)})"
    return rng.choice(("all()", "any()", "true", "false", "not(any())"))


def spell(rng: random.Random, text: str) -> Gate:
    """The gate `text` with one of the spellings of its attribute."""
    if text == "all()":
        return ALWAYS
    roll = rng.random()
    inside = text[4:-1] if text.startswith("all(") else ""
    parts = inside.split(", ") if inside and "(" not in inside else []
    if len(parts) > 1 and roll < 0.3:
        return Gate(text, tuple(f"#[cfg({part})]" for part in parts))
    if roll < 0.06:
        return Gate(text, (f"#[cfg_attr(not({text}), cfg(any()))]",))
    if roll < 0.1:
        return Gate(text, (f"#[cfg_attr(all(), cfg({text}), allow(unused))]",))
    if roll < 0.14:
        return Gate(text, (f"#[cfg(/* why */ {text},)]",))
    if roll < 0.18:
        return Gate(text, (f"#[cfg({text.replace(' = ', '=')})]",))
    if roll < 0.22:
        return Gate(text, ("/// Documented.", "#[allow(unused)]", f"#[cfg({text})]"))
    return Gate(text, (f"#[cfg({text})]",))


def joined(texts: tuple[str, ...]) -> str:
    """The conjunction of some predicates, as a person would write it."""
    kept = tuple(dict.fromkeys(text for text in texts if text != "all()"))
    return "all()" if not kept else kept[0] if len(kept) == 1 else f"all({', '.join(kept)})"


def random_gate(world: World, share: float) -> Gate:
    """A gate with probability `share`, else none."""
    if not world.chance(share):
        return ALWAYS
    return spell(world.rng, random_text(world.rng, names_of(world)))


def names_of(world: World) -> list[str]:
    """What gates speak of: features (`default` is not one of them), and what may be asked of a target."""
    return [name for name in world.features if name != "default"] + [f"@{text}" for text in world.platforms]


def put(world: World, module: Module, piece: Text | Module, text: str, gates: list[GateMacro]) -> bool:
    """Put `piece` into the module by way of a gate macro or `cfg_select!` that says `text`; False if there is none."""
    fitting = [gate for gate in gates if gate.text == text]
    if fitting and world.chance(0.8):
        macro = world.rng.choice(fitting)
        module.body.append(Wrap(list(macro.head), ["}"], [piece]))
        return True
    if world.chance(0.05):
        arm = Wrap([f"    {text} => {{"], ["    }", "    _ => {}", "}"], [piece])
        module.body.append(Wrap(["cfg_select! {"], [], [arm]))
        return True
    return False
