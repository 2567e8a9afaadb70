"""Records what the reference's public headers declare, as tables that tests/api compares with ours.

  tests/recorded/layout.def      size of every struct; offset, size and type of every field; every enum value; every
                                 numeric macro
  tests/recorded/signatures.def  type of every function and of every global variable
  tests/recorded/xmacro.def      rows of every list macro of mjxmacro.h

Names come from mujoco.introspect, from the preprocessor (macros) and, for the few structs introspect leaves out, from
the lists below. Numbers are measured: a C program that includes the reference's headers prints them. Every type is
put to the compiler too, so that a wrong entry stops the recording instead of reaching the tables.

Usage: python tests/record/record_layout.py    (the interpreter must have mujoco 3.5.0; needs cc)
"""

import os
import re
import subprocess
import tempfile

from mujoco.introspect import ast_nodes, enums, functions, structs

from recorded import reference

mujoco = reference()

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDED = os.path.join(HERE, os.pardir, "recorded")
INCLUDE = os.path.join(os.path.dirname(mujoco.__file__), "include")

# Structs that introspect does not list: field, and the type of its address.
EXTRA_STRUCTS = {
    "struct mjuiItemSingle_": [("modifier", "int*"), ("shortcut", "int*")],
    "struct mjuiItemMulti_": [("nelem", "int*"), ("name", "char(*)[35][40]")],
    "struct mjuiItemSlider_": [("range", "double(*)[2]"), ("divisions", "double*")],
    "struct mjuiItemEdit_": [("nelem", "int*"), ("range", "double(*)[7][2]")],
    "mjResource": [
        ("name", "char**"), ("data", "void**"), ("vfs", "mjVFS**"), ("timestamp", "char(*)[512]"),
        ("provider", "const struct mjpResourceProvider**"),
    ],
    "mjpResourceProvider": [
        ("prefix", "const char**"), ("open", "mjfOpenResource*"), ("read", "mjfReadResource*"),
        ("close", "mjfCloseResource*"), ("mount", "mjfMountResource*"),
        ("unmount", "mjfUnmountResource*"), ("modified", "mjfResourceModified*"), ("data", "void**"),
    ],
    "mjpDecoder": [
        ("content_type", "const char**"), ("extension", "const char**"),
        ("can_decode", "mjfCanDecode*"), ("decode", "mjfDecode*"),
    ],
    "mjpPlugin": [
        ("name", "const char**"), ("nattribute", "int*"), ("attributes", "const char* const**"),
        ("capabilityflags", "int*"), ("needstage", "int*"),
        ("nstate", "int (**)(const mjModel*, int)"),
        ("nsensordata", "int (**)(const mjModel*, int, int)"),
        ("init", "int (**)(const mjModel*, mjData*, int)"),
        ("destroy", "void (**)(mjData*, int)"),
        ("copy", "void (**)(mjData*, const mjModel*, const mjData*, int)"),
        ("reset", "void (**)(const mjModel*, mjtNum*, void*, int)"),
        ("compute", "void (**)(const mjModel*, mjData*, int, int)"),
        ("advance", "void (**)(const mjModel*, mjData*, int)"),
        ("visualize", "void (**)(const mjModel*, mjData*, const mjvOption*, mjvScene*, int)"),
        ("actuator_act_dot", "void (**)(const mjModel*, mjData*, int)"),
        ("sdf_distance", "mjtNum (**)(const mjtNum[3], const mjData*, int)"),
        ("sdf_gradient", "void (**)(mjtNum[3], const mjtNum[3], const mjData*, int)"),
        ("sdf_staticdistance", "mjtNum (**)(const mjtNum[3], const mjtNum*)"),
        ("sdf_attribute", "void (**)(mjtNum[], const char*[], const char*[])"),
        ("sdf_aabb", "void (**)(mjtNum[6], const mjtNum*)"),
    ],
}

# Global variables, and the type of their address.
GLOBALS = [
    ("mju_user_error", "void (**)(const char*)"),
    ("mju_user_warning", "void (**)(const char*)"),
    ("mju_user_malloc", "void* (**)(size_t)"),
    ("mju_user_free", "void (**)(void*)"),
    ("mjcb_passive", "mjfGeneric*"),
    ("mjcb_control", "mjfGeneric*"),
    ("mjcb_contactfilter", "mjfConFilt*"),
    ("mjcb_sensor", "mjfSensor*"),
    ("mjcb_time", "mjfTime*"),
    ("mjcb_act_dyn", "mjfAct*"),
    ("mjcb_act_gain", "mjfAct*"),
    ("mjcb_act_bias", "mjfAct*"),
    ("mjCOLLISIONFUNC", "mjfCollision(*)[9][9]"),
    ("mjDISABLESTRING", "const char*(*)[19]"),
    ("mjENABLESTRING", "const char*(*)[6]"),
    ("mjTIMERSTRING", "const char*(*)[15]"),
    ("mjLABELSTRING", "const char*(*)[17]"),
    ("mjFRAMESTRING", "const char*(*)[8]"),
    ("mjVISSTRING", "const char*(*)[31][3]"),
    ("mjRNDSTRING", "const char*(*)[11][3]"),
]

# Types of functions that users write.
CALLBACKS = [
    ("mjfGeneric", "void (*)(const mjModel*, mjData*)"),
    ("mjfConFilt", "int (*)(const mjModel*, mjData*, int, int)"),
    ("mjfSensor", "void (*)(const mjModel*, mjData*, int)"),
    ("mjfTime", "mjtNum (*)(void)"),
    ("mjfAct", "mjtNum (*)(const mjModel*, const mjData*, int)"),
    ("mjfCollision", "int (*)(const mjModel*, const mjData*, mjContact*, int, int, mjtNum)"),
    ("mjfItemEnable", "int (*)(int, void*)"),
    ("mjfTask", "void* (*)(void*)"),
    ("mjfOpenResource", "int (*)(mjResource*)"),
    ("mjfReadResource", "int (*)(mjResource*, const void**)"),
    ("mjfCloseResource", "void (*)(mjResource*)"),
    ("mjfMountResource", "int (*)(mjResource*)"),
    ("mjfUnmountResource", "int (*)(mjResource*)"),
    ("mjfResourceModified", "int (*)(const mjResource*, const char*)"),
    ("mjfDecode", "mjSpec* (*)(mjResource*, const mjVFS*)"),
    ("mjfCanDecode", "int (*)(const mjResource*)"),
    ("mjfPluginLibraryLoadCallback", "void (*)(const char*, int, int)"),
]


def tidy(type_text):
  return re.sub(r"\s*\*", "*", type_text)


def pointer_to(node):
  """The type of the address of something of this type, as C spells it."""
  if isinstance(node, ast_nodes.ArrayType):
    extents = "".join(f"[{n}]" for n in node.extents)
    return f"{tidy(node.inner_type.decl())}(*){extents}"
  return tidy(node.decl()) + "*"


def fields_of(decls, prefix=""):
  """Yields (path, type of its address or None) for every field, those of nested structs and unions included."""
  for decl in decls:
    if isinstance(decl, (ast_nodes.AnonymousUnionDecl, ast_nodes.AnonymousStructDecl)):
      yield from fields_of(decl.fields, prefix)
    elif isinstance(decl.type, ast_nodes.AnonymousStructDecl):
      yield prefix + decl.name, None
      yield from fields_of(decl.type.fields, prefix + decl.name + ".")
    else:
      yield prefix + decl.name, pointer_to(decl.type)


def macro_definitions(directory):
  """What the preprocessor knows after the reference's headers, as #define lines."""
  source = os.path.join(directory, "macros.c")
  with open(source, "w") as f:
    f.write("#include <mujoco/mujoco.h>\n#include <mujoco/mjxmacro.h>\n")
  return subprocess.run(["cc", "-dM", "-E", "-I", INCLUDE, source], check=True, capture_output=True,
                        text=True).stdout


def numeric_macros(directory):
  """Names of the object-like macros mj... that expand to a number."""
  found = re.findall(r"^#define (mj[A-Z]\w*) ([-+.\w]+)$", macro_definitions(directory), re.M)
  return sorted(name for name, value in found if re.match(r"[-+]?\.?\d", value))


def layout_program(directory):
  """A C program that prints layout.def."""
  out = ["#include <mujoco/mujoco.h>", "#include <stdio.h>", "int main(void) {"]

  def struct(name, fields):
    out.append(f'printf("\\nLAYOUT_STRUCT({name}, %zu)\\n", sizeof({name}));')
    for path, type_ in fields:
      place = f"offsetof({name}, {path}), sizeof((({name}*)0)->{path})"
      if type_ is None:
        out.append(f'printf("LAYOUT_PART({name}, {path}, %zu, %zu)\\n", {place});')
      else:
        out.append(f'_Static_assert(_Generic(&(({name}*)0)->{path}, {type_}: 1, default: 0), "{name}.{path}");')
        out.append(f'printf("LAYOUT_FIELD({name}, {path}, %zu, %zu, {type_})\\n", {place});')

  for name, decl in structs.STRUCTS.items():
    struct(name, fields_of(decl.fields))
  for name, fields in EXTRA_STRUCTS.items():
    struct(name, fields)
  enum_values = {name: list(decl.values) for name, decl in enums.ENUMS.items()}
  for name, values in enum_values.items():
    out.append('printf("\\n");')
    for value in values:
      out.append(f'printf("LAYOUT_ENUM({name}, {value}, %lld)\\n", (long long){value});')
  out.append('printf("\\n");')
  for name in numeric_macros(directory):
    out.append(f'printf("LAYOUT_CONST({name}, %.17g)\\n", (double)({name}));')
  out.append("return 0; }")
  return "\n".join(out)


# Functions that introspect leaves out, because they take a function.
UNLISTED = [("mjs_setUserValueWithCleanup", "void", "(mjsElement*, const char*, const void*, void (*)(const void*))")]


def parameters(decl, variadic):
  texts = []
  for p in decl.parameters:
    if isinstance(p.type, ast_nodes.ArrayType):
      texts.append(tidy(p.type.inner_type.decl()) + "".join(f"[{n}]" for n in p.type.extents))
    else:
      texts.append(tidy(p.type.decl()))
  return "(" + (", ".join(texts) or "void") + (", ..." if variadic else "") + ")"


def signature_program():
  """A C program that prints signatures.def; introspect does not say which functions are variadic, so both are tried."""
  out = ["#include <mujoco/mujoco.h>", "#include <stdio.h>", "int main(void) {"]
  for name, decl in functions.FUNCTIONS.items():
    result = tidy(decl.return_type.decl())
    fixed, open_ = parameters(decl, False), parameters(decl, True)
    generic = f"_Generic(&{name}, {result} (*){fixed}: 1"
    if decl.parameters:
      generic += f", {result} (*){open_}: 2"
    out.append(f'_Static_assert({generic}, default: 0), "{name}");')
    out.append(f'printf("SIGNATURE({result}, {name}, %s)\\n", {generic}) == 1 ? "{fixed}" : "{open_}");')
  for name, result, params in UNLISTED:
    out.append(f'_Static_assert(_Generic(&{name}, {result} (*){params}: 1, default: 0), "{name}");')
    out.append(f'printf("SIGNATURE({result}, {name}, {params})\\n");')
  out.append('printf("\\n");')
  for name, type_ in GLOBALS:
    out.append(f'_Static_assert(_Generic(&{name}, {type_}: 1, default: 0), "{name}");')
    out.append(f'printf("GLOBAL({name}, {type_})\\n");')
  out.append('printf("\\n");')
  for name, type_ in CALLBACKS:
    out.append(f'_Static_assert(_Generic(({name})0, {type_}: 1, default: 0), "{name}");')
    out.append(f'printf("CALLBACK({name}, {type_})\\n");')
  out.append("return 0; }")
  return "\n".join(out)


def xmacro_program(directory):
  """A C program that prints xmacro.def; constants are expanded, MJ_M and MJ_D become m-> and d->."""
  out = ["#include <mujoco/mujoco.h>", "#include <mujoco/mjxmacro.h>", "#include <stdio.h>",
         "#undef MJ_M", "#undef MJ_D", "#undef XNV",
         "#define MJ_M(n) m->n", "#define MJ_D(n) d->n", "#define TEXT(...) #__VA_ARGS__",
         '#define X(...) puts("XROW(\\"X(" TEXT(__VA_ARGS__) ")\\")");',
         '#define XNV(...) puts("XROW(\\"XNV(" TEXT(__VA_ARGS__) ")\\")");',
         "int main(void) {"]
  for name in sorted(re.findall(r"^#define (MJ(?:OPTION|STATISTIC|VISUAL|MODEL|DATA)_\w+) ",
                                macro_definitions(directory), re.M)):
    out.append(f'printf("\\nXLIST({name})\\n"); {name}')
  out.append("return 0; }")
  return "\n".join(out)


def run_program(directory, text):
  source = os.path.join(directory, "print.c")
  program = os.path.join(directory, "print")
  with open(source, "w") as f:
    f.write(text)
  subprocess.run(["cc", "-std=c17", "-w", "-I", INCLUDE, source, "-o", program], check=True)
  return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def check_no_gaps(text):
  """The fields listed for a struct must fill it but for alignment; a gap of a word or more is a field forgotten."""
  end, name = 0, None
  for row in re.findall(r"LAYOUT_(STRUCT|FIELD|PART)\(([^,]+), (.*)\)$", text, re.M):
    kind, struct, rest = row
    if kind == "STRUCT":
      end, size, name = 0, int(rest), struct
      continue
    offset, bytes_ = (int(n) for n in rest.split(", ")[1:3])
    assert offset - end < 8, f"{name}: nothing is listed between {end} and {offset}"
    end = max(end, offset + (0 if kind == "PART" else bytes_))
    assert end <= size, f"{name}: {rest} exceeds {size}"


def write(name, opening, body):
  with open(os.path.join(RECORDED, name), "w") as f:
    f.write(f"// {opening}\n// Written by tests/record/record_layout.py from mujoco {mujoco.__version__}; do not edit.\n\n")
    f.write(body.lstrip("\n"))


def main():
  with tempfile.TemporaryDirectory() as directory:
    layout = run_program(directory, layout_program(directory))
    check_no_gaps(layout)
    write("layout.def", "Sizes, offsets, field types (of the address), enum values and constants.", layout)
    signatures = run_program(directory, signature_program())
    write("signatures.def", "Types of all functions, of global variables (of the address) and of callbacks.", signatures)
    lists = run_program(directory, xmacro_program(directory))
    lists = re.sub(r",\s*", ", ", re.sub(r"\s*\*\s*", " * ", lists))
    write("xmacro.def", "Rows of the lists of mjxmacro.h.", lists)


if __name__ == "__main__":
  main()
