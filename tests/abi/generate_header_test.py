#!/usr/bin/env python3
"""Writes a test of DirectML.h from the table of its binary interface: generate_header_test.py TABLE OUTPUT

Values, sizes, offsets and types become static assertions; interface identifiers and places in virtual tables are
compared at run time.
"""
import json
import sys


def assertions(table):
    for enum in table["enums"]:
        yield f"static_assert(sizeof({enum['name']}) == 4);"
        for value in enum["values"]:
            yield f"static_assert(static_cast<int>({value['name']}) == {value['value']});"
    for constant in table["constants"]:
        yield f"static_assert({constant['name']} == {constant['value']});"
    for aggregate in table["structs"] + table["unions"]:
        name = aggregate["name"]
        yield f"static_assert(sizeof({name}) == {aggregate['sizeof_x86_64']});"
        yield f"static_assert(alignof({name}) == {aggregate['alignof_x86_64']});"
        yield f"static_assert(std::is_standard_layout_v<{name}> && std::is_trivial_v<{name}>);"
        for field in aggregate["fields"]:
            kind = field["type"] + (f"[{field['array']}]" if "array" in field else "")
            yield f"static_assert(offsetof({name}, {field['name']}) == {field['offset']});"
            yield f"static_assert(std::is_same_v<decltype({name}::{field['name']}), {kind}>);"
    for alias in table["type_aliases"]:
        yield f"static_assert(std::is_same_v<{alias['name']}, {alias['target']}>);"
    for function in table["functions"]:
        parameters = ", ".join(parameter["type"] for parameter in function["params"])
        yield (f"static_assert(std::is_same_v<decltype(&{function['name']}), "
               f"HRESULT(STDAPICALLTYPE*)({parameters})>);")


def interface_tests(table):
    for interface in table["interfaces"]:
        name = interface["name"]
        initializer = interface["guid_initializer"]
        yield f"TEST(DirectMlHeaderTest, {name}) {{"
        yield f"  static_assert(std::is_base_of_v<{interface['base']}, {name}>);"
        guid = f"{', '.join(initializer[:3])}, {{{', '.join(initializer[3:])}}}"
        yield f"  const GUID id = {{{guid}}};"
        yield f"  EXPECT_EQ(std::memcmp(&id, &__uuidof({name}), sizeof(GUID)), 0);"
        for method in interface["methods"]:
            parameters = ", ".join(parameter["type"] for parameter in method["params"])
            yield "  {"
            yield (f"    {method['return']} (STDMETHODCALLTYPE {name}::*method)({parameters}) = "
                   f"&{name}::{method['name']};")
            yield f"    EXPECT_EQ(SlotOf(method), {method['vtable_index']}u) << \"{method['name']}\";"
            yield "  }"
        yield "}"
        yield ""


PROLOGUE = """// Made by tests/abi/generate_header_test.py.
#include <directml.h>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace {

// The slot a virtual method has in its table, from the Itanium ABI's pointer to member: offset + 1 on most
// machines; on Arm the one is in the second word.
template <class Method>
uint64_t SlotOf(Method method) {
  static_assert(sizeof(method) == 2 * sizeof(uint64_t));
  uint64_t words[2];
  std::memcpy(words, &method, sizeof(words));
  return words[0] / sizeof(void*);
}
"""


def main():
    table_name, output_name = sys.argv[1:]
    with open(table_name) as file:
        table = json.load(file)
    lines = [PROLOGUE, *assertions(table), "", *interface_tests(table), "}  // namespace", ""]
    with open(output_name, "w") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
