#include "d3d12/debug.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include <residue_win32.h>
#include "com/com_object.h"

namespace residue {
namespace {

std::atomic<bool> debug_layer_enabled{false};

class Debug final : public ComObject<ID3D12Debug4> {
 public:
  void STDMETHODCALLTYPE EnableDebugLayer() noexcept override { SetDebugLayerEnabled(true); }
  void STDMETHODCALLTYPE DisableDebugLayer() noexcept override { SetDebugLayerEnabled(false); }
  // Shaders and drivers, which these would watch, are not here.
  void STDMETHODCALLTYPE SetEnableGPUBasedValidation(BOOL) noexcept override {}
  void STDMETHODCALLTYPE SetEnableSynchronizedCommandQueueValidation(BOOL) noexcept override {}
  void STDMETHODCALLTYPE SetGPUBasedValidationFlags(D3D12_GPU_BASED_VALIDATION_FLAGS) noexcept override {}

 private:
  void* FindInterface(REFIID iid) noexcept override {
    return MatchInterface<ID3D12Debug4, ID3D12Debug3, ID3D12Debug, IUnknown>(iid, this);
  }
};

struct Sink {
  std::recursive_mutex mutex;  // a handler may call what writes debug strings
  ResidueDebugStringHandler handler = nullptr;
  void* context = nullptr;
};

Sink& TheSink() noexcept {
  static Sink sink;
  return sink;
}

}  // namespace

bool IsDebugLayerEnabled() noexcept {
  return debug_layer_enabled.load() || AskedStrictness() != Strictness::kOff;
}

Strictness AskedStrictness() noexcept {
  const char* asked = std::getenv("RESIDUE_D3D12_STRICT");
  if (asked == nullptr || asked[0] == 0 || std::string_view(asked) == "0") return Strictness::kOff;
  return std::string_view(asked) == "break" ? Strictness::kBreak : Strictness::kTell;
}

void SetDebugLayerEnabled(bool enabled) noexcept { debug_layer_enabled.store(enabled); }

HRESULT CreateDebugInterface(REFIID iid, void** debug) noexcept {
  if (debug == nullptr) return E_INVALIDARG;
  *debug = nullptr;
  return MoveToCaller(TryMake<Debug>(), iid, debug);
}

void WriteDebugString(const char* text) noexcept {
  Sink& sink = TheSink();
  const std::scoped_lock lock(sink.mutex);
  if (sink.handler != nullptr) {
    sink.handler(sink.context, text);
  } else {
    std::fputs(text, stderr);
  }
}

bool IsDebugStringWanted() noexcept {
  Sink& sink = TheSink();
  const std::scoped_lock lock(sink.mutex);
  return sink.handler != nullptr || std::getenv("RESIDUE_DEBUG_STRINGS") != nullptr;
}

}  // namespace residue

void ResidueSetDebugStringHandler(ResidueDebugStringHandler handler, void* context) noexcept {
  residue::Sink& sink = residue::TheSink();
  const std::scoped_lock lock(sink.mutex);
  sink.handler = handler;
  sink.context = context;
}
