// The debug layer's switch, and the sink for debug strings.
#pragma once

#include <residue_d3d12.h>

namespace residue {

// ID3D12Debug::EnableDebugLayer sets it, ID3D12Debug4::DisableDebugLayer takes it back; devices made while it
// is set have an info queue.
bool IsDebugLayerEnabled() noexcept;
// The environment variable RESIDUE_D3D12_STRICT turns the layer on for programs that do not. Its messages
// then go to the debug strings as well, because nobody reads the info queue; `break` also stops at the first
// error.
enum class Strictness : uint8_t { kOff, kTell, kBreak };
Strictness AskedStrictness() noexcept;
void SetDebugLayerEnabled(bool enabled) noexcept;

HRESULT CreateDebugInterface(REFIID iid, void** debug) noexcept;

// To the handler that ResidueSetDebugStringHandler installed, else to standard error. Devices made with the
// debug flag write here.
void WriteDebugString(const char* text) noexcept;

// Whether a program's own debug strings go anywhere: to a handler, or to standard error if the environment
// variable RESIDUE_DEBUG_STRINGS is set. On Windows, too, nobody sees them without a debugger.
bool IsDebugStringWanted() noexcept;

}  // namespace residue
