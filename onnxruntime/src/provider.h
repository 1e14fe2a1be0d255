// The execution provider: what it claims of a model, and the nodes that it makes of that.
#pragma once

#include <cstdint>
#include <string>

#include "api.h"
#include "choice.h"
#include "provider_abi.h"

namespace residue::ort {

inline constexpr char kProviderName[] = "ResidueExecutionProvider";
// An entry of session options that have a provider which brought the standard Mod: what ONNX Runtime makes of
// the one option that the provider has a default for. Defaults of options that users set would be warnings in
// its log.
inline constexpr char kProviderMark[] = "ep.residueexecutionprovider.brings_mod";

// What a user may ask for: claim=gain|all|mod|none, threads=N (0 for ONNX Runtime's own number), trace=0|1|2.
struct ProviderOptions {
  Claim claim = Claim::kGain;
  uint32_t threads = 0;
  enum class Trace : uint8_t { kNothing, kSummary, kNodes } trace = Trace::kNothing;
};

// Reads them from a session's options. An unknown value is an error that names it.
Status* ReadProviderOptions(const Api& api, const SessionOptions* session, ProviderOptions* options);

class Provider : public Ep {
 public:
  // `functions` is ONNX Runtime's second table, for providers.
  Provider(const Api& api, FunctionTable functions, const Logger* logger, ProviderOptions options,
           bool claims_in_branches) noexcept;

 private:
  static Provider& Of(Ep* ep) noexcept { return *static_cast<Provider*>(ep); }

  Status* Claim(const Graph* graph, SupportInfo* support) const;
  Status* FindWhyNone(const Graph* graph, std::string* why_none) const;
  Status* CompileAll(const Graph** graphs, const GraphNode** nodes, size_t count,
                     NodeComputeInfo** infos) const;
  Status* CompileOne(const Graph* graph, const GraphNode* node, NodeComputeInfo** info) const;
  void Report(const std::vector<ModelNode>& nodes, const Choice& choice) const;
  void Log(const std::string& line) const noexcept;

  const Api api_;
  const Api functions_;
  const Logger* logger_;
  const ProviderOptions options_;
  const bool claims_in_branches_;  // of If, Loop and Scan
};

}  // namespace residue::ort
