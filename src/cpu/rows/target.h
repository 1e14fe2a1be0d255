// Instruction sets: which there are, which this machine has, and which is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace residue {

// Worst first within one architecture. kReference is the reference itself and always there; kScalar and
// kEmu128 are Highway's portable code, of which a build has at most one, by compiler. kAvx3Spr is AVX3 with
// AVX512-FP16, as from Sapphire Rapids on, and has rows only for the types that gain by it.
enum class Target : uint8_t { kReference, kScalar, kEmu128, kSse4, kAvx2, kAvx3, kAvx3Spr, kNeon, kSve };

// The targets this machine can run, best first, ending with kReference.
std::span<const Target> SupportedTargets() noexcept;

inline constexpr const char* kMaxTargetVariable = "RESIDUE_MAX_TARGET";

// The best supported target, or the best one that the environment variable allows (a name as TargetName gives
// it, in any case; read once).
Target BestTarget() noexcept;

// What the variable had when it was read, if that is no target's name: its beginning. Otherwise nothing.
std::string_view UnknownMaxTarget() noexcept;

const char* TargetName(Target target) noexcept;

// Reads a target's name in any case; false if there is none of that name.
bool ParseTarget(std::string_view name, Target* target) noexcept;

// Writes the names of all targets, best first, with commas, and a zero, cut to `size` bytes; returns the full
// length.
size_t FormatTargetNames(char* text, size_t size) noexcept;

}  // namespace residue
