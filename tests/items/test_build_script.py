"""Build scripts: what is read by example, then cargo as the judge of what scripts really print."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest

from cfglint.condition.atom import feature, flag, key_value
from cfglint.condition.diagram import TRUE, Condition, literal
from cfglint.condition.parse import parse_predicate
from cfglint.condition.predicate import All, Any, Invalid, MacroGate, Not, Option, Predicate, lower
from cfglint.items.build_script import NO_SCRIPT, BuildScript, read

FEATURES = ("default", "std", "a-b", "x")


def script(body: str, rest: str = "") -> BuildScript:
    return read(f"use std::env;\nfn main() {{\n{body}\n}}\n{rest}".encode(), FEATURES)


def meaning(leaf: Option | Invalid | MacroGate) -> Condition:
    assert isinstance(leaf, Option)
    return literal(flag(leaf.key) if leaf.value is None else key_value(leaf.key, leaf.value))


def condition(predicate: Predicate) -> Condition:
    return lower(predicate, meaning)


def options(found: BuildScript) -> dict[str, Condition | None]:
    return {
        option.name if option.value is None else f'{option.name}="{option.value}"': None
        if option.predicate is None
        else condition(option.predicate)
        for option in found.options
    }


def holds(when: Condition, true: Collection[str]) -> bool:
    return when.evaluate(lambda atom: atom.text in true)


def cfg(text: str) -> Condition:
    return condition(parse_predicate(text))


PRINT = 'println!("cargo:rustc-cfg=on");'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (PRINT, "true"),
        ('println!("cargo::rustc-cfg=on");', "true"),
        ('println!("{}", "cargo::rustc-cfg=on");', None),
        ('print!("cargo::rustc-cfg=on\\ncargo::rustc-link-lib=z\\n");', "true"),
        ('println!("cargo:rustc-cfg={}", "on");', "true"),
        ('println!(r#"cargo:rustc-cfg=on"#);', "true"),
        ('let x = "cargo:rustc-cfg=on"; println!("{x}");', None),
        (f"if true {{ {PRINT} }}", "true"),
        (f'if env::var("CARGO_FEATURE_STD").is_ok() {{ {PRINT} }}', 'feature = "std"'),
        (f'if std::env::var_os("CARGO_FEATURE_A_B").is_none() {{ {PRINT} }}', 'not(feature = "a-b")'),
        (f'if env::var("CARGO_FEATURE_NOPE").is_ok() {{ {PRINT} }}', "false"),
        (f'if cfg!(feature = "std") && !cfg!(feature = "x") {{ {PRINT} }}', 'all(feature = "std", not(feature = "x"))'),
        (f"if cfg!(windows) {{ {PRINT} }}", None),
        (f'if cfg!(all(feature = "nope", windows)) {{ {PRINT} }}', "false"),
        (f'if let Ok(_) = env::var("CARGO_FEATURE_STD") {{ }} else {{ {PRINT} }}', 'not(feature = "std")'),
        (f'if let Some(_) = env::var_os("CARGO_FEATURE_STD") {{ {PRINT} }}', 'feature = "std"'),
        (f'if env::var("CARGO_CFG_TARGET_OS").unwrap() == "linux" {{ {PRINT} }}', 'target_os = "linux"'),
        (f'if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {{ {PRINT} }}', 'target_os = "linux"'),
        (f'if Ok("linux") != env::var("CARGO_CFG_TARGET_OS").as_deref() {{ {PRINT} }}', 'not(target_os = "linux")'),
        (f'if env::var("CARGO_CFG_TARGET_FAMILY").unwrap() == "unix" {{ {PRINT} }}', None),
        (
            f'if env::var("CARGO_CFG_UNIX").is_ok() || env::var_os("CARGO_CFG_WINDOWS").is_some() {{ {PRINT} }}',
            "any(unix, windows)",
        ),
        (f'if env::var("HOME").is_ok() {{ {PRINT} }}', None),
        (f'if env::var("TARGET").unwrap().contains("windows") {{ {PRINT} }}', None),
        (f'let std = env::var("CARGO_FEATURE_STD").is_ok(); if !std {{ {PRINT} }}', 'not(feature = "std")'),
        (f'let mut std = env::var("CARGO_FEATURE_STD").is_ok(); std |= probe(); if std {{ {PRINT} }}', None),
        (f'let std = cfg!(feature = "std"); let std = probe(std); if std {{ {PRINT} }}', None),
        (f'#[cfg(feature = "x")] let y = true; #[cfg(not(feature = "x"))] let y = false; if y {{ {PRINT} }}', None),
        (
            f'let os = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default(); match os.as_str() {{ "linux" | "macos" => {{ {PRINT} }} _ => {{}} }}',
            'any(target_os = "linux", target_os = "macos")',
        ),
        (
            f'match env::var("CARGO_CFG_TARGET_OS").as_deref() {{ Ok("linux") => {{}} Ok(os) if os.len() > 3 => {{}} _ => {PRINT.removesuffix(";")} }}',
            None,
        ),
        (
            f'match env::var("CARGO_CFG_TARGET_OS").as_deref() {{ Ok("linux") => {{}} _ => {PRINT.removesuffix(";")} }}',
            'not(target_os = "linux")',
        ),
        (
            f'let os = env::var("CARGO_CFG_TARGET_OS")?; if matches!(os.as_str(), "linux" | "ios") {{ {PRINT} }}',
            'any(target_os = "linux", target_os = "ios")',
        ),
        (
            f'let os = env::var("CARGO_CFG_TARGET_OS").expect("os"); if ["linux", "ios"].contains(&os.as_str()) {{ {PRINT} }}',
            'any(target_os = "linux", target_os = "ios")',
        ),
        (f'#[cfg(feature = "std")] {PRINT}', 'feature = "std"'),
        (f'#[cfg(feature = "std")] {{ {PRINT} }} #[cfg(not(feature = "std"))] {PRINT}', "true"),
        (f"#[cfg(unix)] {PRINT}", None),
        (f"#[rustversion::nightly] {PRINT}", None),
        (f"#[allow(unused)] {PRINT}", "true"),
        (f"if probe() {{ return; }} {PRINT}", None),
        (f"if probe() {{ panic!() }} {PRINT}", "true"),
        (f'if probe() {{ return Err("no".into()); }} {PRINT}', "true"),
        (f"let x = probe()?; {PRINT}", "true"),
        (f'if cfg!(feature = "x") {{ return; }} {PRINT}', 'not(feature = "x")'),
        (
            f'if cfg!(feature = "x") {{ if cfg!(feature = "std") {{ return; }} }} else {{ {PRINT} }} {PRINT}',
            'not(all(feature = "x", feature = "std"))',
        ),
        (f'#[cfg(feature = "x")] return; {PRINT}', 'not(feature = "x")'),
        (f"#[cfg(windows)] if true {{ return; }} {PRINT}", None),
        (f"let Some(x) = probe() else {{ return }}; {PRINT}", None),
        (f"if probe() {{ std::process::exit(0); }} {PRINT}", None),
        (f"if probe() {{ std::process::exit(1); }} {PRINT}", "true"),
        (f"for x in list() {{ {PRINT} }}", None),
        (f"loop {{ {PRINT} break; }}", None),
        (f"'a: {{ if probe() {{ break 'a; }} {PRINT} }}", None),
        (f"unsafe {{ {PRINT} }}", "true"),
        (f"let f = || {{ {PRINT} }};", None),
        (f"let f = if probe() {{ {PRINT} 1 }} else {{ 2 }};", None),
        (f"if probe() {{ {PRINT} }} {PRINT}", "true"),
        ('if probe() { println!("cargo:rustc-cfg={}", "on"); }', None),
    ],
)
def test_when_an_option_is_printed(body: str, expected: str | None) -> None:
    assert options(script(body)) == {"on": None if expected is None else cfg(expected)}


def test_functions_are_followed_with_what_they_are_given() -> None:
    found = script(
        'set("one"); if cfg!(feature = "std") { set("two"); helper(); } set(&name()); for x in ["u", "v"] { set(x); }',
        'fn set(name: &str) { println!("cargo:rustc-cfg={}", name); }\n'
        'fn helper() { if probe() { return; } println!("cargo:rustc-cfg=three"); }\n'
        'fn unused() { println!("cargo:rustc-cfg=four"); }\n',
    )
    std = literal(feature("std"))
    assert options(found) == {"one": TRUE, "two": std, "three": None, "four": None, "u": TRUE, "v": TRUE}
    assert found.makes_up
    assert not script('set("one");', 'fn set(n: &str) { println!("cargo:rustc-cfg={n}"); }').makes_up


def test_a_function_that_is_used_otherwise_is_unknown() -> None:
    found = script('if cfg!(feature = "x") { f(); } list().map(f);', f"fn f() {{ {PRINT} }}")
    assert options(found) == {"on": None}
    endless = script("f();", f"fn f() {{ {PRINT} f(); }}")
    assert options(endless) == {"on": TRUE}


def test_gated_mains_are_all_read() -> None:
    text = f'#[cfg(feature = "x")]\nfn main() {{}}\n#[cfg(not(feature = "x"))]\nfn main() {{ {PRINT} }}\n'
    assert options(read(text.encode(), FEATURES)) == {"on": cfg('not(feature = "x")')}


def test_values_declarations_and_names_that_are_made_up() -> None:
    found = script(
        'println!("cargo:rustc-cfg=tls=\\"native\\"");\n'
        'println!("cargo:rustc-cfg=version=\\"{}\\"", v);\n'
        'println!("cargo::rustc-check-cfg=cfg(tls, values(\\"native\\"))");\n'
        'println!("cargo::rustc-check-cfg=cfg({})", v);\n'
    )
    assert options(found) == {'tls="native"': TRUE}
    assert found.check_cfg == ('cfg(tls, values("native"))',)
    assert found.open_names == ("version",)
    assert not found.makes_up
    assert script('println!("cargo:rustc-cfg={}", v);').makes_up
    assert script('println!("cargo:rustc-cfg={v}");').makes_up
    assert script("let ac = autocfg::new(); ac.emit_has_path(p);").makes_up
    assert script("", "mod other;").makes_up
    assert not script('println!("cargo:rerun-if-changed=build.rs"); println!("cargo:rustc-env=A={}", v);').makes_up


def test_aliases_are_exact() -> None:
    found = script(
        'cfg_aliases! {\n  wasm: { target_arch = "wasm32" }, // comment\n  gl: { all(feature = "x", not(wasm)) },\n'
        "  desktop: { any(windows, late) }, late: { unix },\n}\n"
        "if probe() { cfg_aliases::cfg_aliases! { maybe: { unix } } }\n"
        'println!("cargo:rustc-check-cfg=cfg(extra)");'
    )
    assert dict(found.aliases) == {
        "wasm": Option("target_arch", "wasm32"),
        "gl": All((Option("feature", "x"), Not(Option("target_arch", "wasm32")))),
        "desktop": Any((Option("windows"), Option("unix"))),
        "late": Option("unix"),
    }
    assert options(found) == {"maybe": None}
    assert not found.makes_up
    assert script("cfg_aliases! { a: { b }, b: { a } }").aliases == ()
    assert options(script("cfg_aliases! { a: { b }, b: { a } }")) == {"a": None, "b": None}


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"fn main() {",
        b"fn main() { if { } println!( }",
        b'\xff\xfe fn main() { println!("cargo:rustc-cfg=\xff"); }',
        b'fn main() { println!("cargo:rustc-cfg=a',
        b"fn main() {" + b"{" * 5000 + b"}" * 5000 + b"}",
        b"fn main() { if " + b"(" * 3000 + b"true" + b")" * 3000 + b" {} }",
        b"fn main() { if " + b"!" * 3000 + b"true {} }",
        b"cfg_aliases! { : {}, a {}, { } }",
        b'fn main() { println!("cargo:rustc-cfg=\\u{ffffffff}"); }',
    ],
)
def test_hostile_scripts_are_survived(source: bytes) -> None:
    read(source, FEATURES)


def test_no_script_sets_nothing() -> None:
    assert read(b"fn main() {}", ()) == NO_SCRIPT


JUDGED = (
    """
fn main() {
    println!("cargo::rustc-check-cfg=cfg(always)");
    println!("cargo:rustc-cfg=always");
    let std = env::var_os("CARGO_FEATURE_STD").is_some();
    if std && env::var("CARGO_FEATURE_A_B").is_err() { println!("cargo:rustc-cfg=one"); }
    if cfg!(feature = "x") { println!("cargo:rustc-cfg=two=\\"v\\""); } else if std { println!("cargo:rustc-cfg=three"); }
    else { helper("four"); }
    let os = env::var("CARGO_CFG_TARGET_OS").unwrap();
    match &*os {
        "linux" | "android" => println!("cargo:rustc-cfg=unixy"),
        other if std => println!("cargo:warning={other}"),
        _ => println!("cargo:rustc-cfg=other"),
    }
    if !matches!(os.as_str(), "windows") { helper("five") }
    if env::var("CARGO_CFG_WINDOWS").is_ok() { return; }
    for name in ["six", "seven"] { helper(name); }
}
fn helper(name: &str) { println!("cargo:rustc-cfg={name}"); }
""",
    """
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arch = env::var("CARGO_CFG_TARGET_ARCH")?;
    if arch == "x86_64" || cfg!(all(feature = "x", not(feature = "std"))) { println!("cargo::rustc-cfg=wide"); }
    #[cfg(feature = "a-b")]
    { println!("cargo::rustc-cfg=ab"); if cfg!(feature = "x") { return Ok(()); } }
    if let (Ok(_), true) = (env::var("CARGO_FEATURE_STD"), true) { println!("cargo::rustc-cfg=tuple"); }
    if env::var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("msvc") { println!("cargo::rustc-cfg=msvc\\ncargo::rustc-cfg=late"); }
    inner();
    println!("cargo::rustc-cfg=end");
    Ok(())
}
fn inner() -> Option<()> {
    let x = env::var_os("CARGO_FEATURE_X")?;
    println!("cargo::rustc-cfg=inner");
    drop(x);
    None
}
""",
)


@pytest.mark.cargo
@pytest.mark.parametrize("number", range(len(JUDGED)))
def test_cargo_prints_what_is_read(number: int, tmp_path: Path) -> None:
    cargo = shutil.which("cargo")
    if cargo is None:
        assert os.environ.get("CFGLINT_REQUIRE_CARGO") != "1"
        pytest.skip("cargo is not installed")
    source = f"use std::env;\n{JUDGED[number]}"
    (tmp_path / "src").mkdir()
    (tmp_path / "src/lib.rs").write_text("")
    (tmp_path / "build.rs").write_text(source)
    table = "".join(f"{name} = []\n" for name in FEATURES)
    (tmp_path / "Cargo.toml").write_text(
        f'[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[features]\n{table}'
    )
    found = read(source.encode(), FEATURES)
    assert not found.makes_up
    read_names = options(found)
    triples = {
        "x86_64-unknown-linux-gnu": {"unix", 'target_os = "linux"', 'target_arch = "x86_64"', 'target_env = "gnu"'},
        "aarch64-pc-windows-msvc": {
            "windows",
            'target_os = "windows"',
            'target_arch = "aarch64"',
            'target_env = "msvc"',
        },
    }
    wanted = [subset for size in range(4) for subset in itertools.combinations(("std", "a-b", "x"), size)]
    for features, (triple, holding) in itertools.product(wanted, triples.items()):
        command = [cargo, "check", "--offline", "--no-default-features", "--features", ",".join(features)]
        command += ["--target", triple, "--message-format", "json", "-q"]
        environment = {**os.environ, "CARGO_TARGET_DIR": str(tmp_path / "target")}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        messages = [json.loads(line) for line in done.stdout.splitlines()]
        printed = [message["cfgs"] for message in messages if message["reason"] == "build-script-executed"]
        assert len(printed) == 1, done.stderr
        assert set(printed[0]) <= read_names.keys()
        true = frozenset(holding | {f'feature = "{name}"' for name in features})
        for name, when in read_names.items():
            if when is not None:
                assert holds(when, true) is (name in printed[0]), (
                    name,
                    features,
                    triple,
                )
    assert sum(when is None for when in read_names.values()) <= 2
