// The custom operators as ONNX Runtime takes them: in domains, which are made once for each copy of it.
#pragma once

#include "api.h"

namespace residue::ort {

// ModulusFloor and ModulusTruncate in the domain "residue", Mod in the standard one. All functions may throw
// std::bad_alloc, and may be called from any thread.
Status* AddOwnOperators(const Api& api, SessionOptions* options);
Status* AddStandardMod(const Api& api, SessionOptions* options);

// The domain of the standard Mod, which stays for the life of the process.
Status* FindStandardMod(const Api& api, Domain** domain);

}  // namespace residue::ort
