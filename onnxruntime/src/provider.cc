#include "provider.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "choice.h"
#include "choice_text.h"
#include "fused_node.h"
#include "model_node.h"
#include "translate.h"

namespace residue::ort {
namespace {

// An option of the provider, as ONNX Runtime keeps it among those of the session; `otherwise` if there is
// none.
std::string ReadOption(const Api& api, const SessionOptions* session, const char* name,
                       const char* otherwise) {
  const std::string key = std::string("ep.residueexecutionprovider.") + name;
  size_t size = 0;
  const auto ask = [&](char* text) {
    Status* status = api.Call<Status*, const SessionOptions*, const char*, char*, size_t*>(
        slots::kGetSessionConfigEntry, session, key.c_str(), text, &size);
    api.Release(status);
    return status == nullptr;
  };
  if (!ask(nullptr)) return otherwise;  // which tells the size, with the zero behind it
  std::string text(size, '\0');
  if (!ask(text.data())) return otherwise;
  return text.c_str();
}

struct ClaimName {
  std::string_view name;
  Claim claim;
};
constexpr ClaimName kClaimNames[] = {
    {"gain", Claim::kGain}, {"all", Claim::kAll}, {"mod", Claim::kMod}, {"none", Claim::kNone}};

Status* Refuse(const Api& api, const char* name, const std::string& value, const char* expected) {
  return api.Fail(ErrorCode::kInvalidArgument, std::string("residue: the option ") + name + " is \"" + value +
                                                   "\", but " + expected + " was expected");
}

void ReleaseAll(NodeComputeInfo** infos, size_t count) noexcept {
  for (size_t i = 0; i < count; ++i) {
    delete static_cast<FusedNode*>(infos[i]);
    infos[i] = nullptr;
  }
}

}  // namespace

Status* ReadProviderOptions(const Api& api, const SessionOptions* session, ProviderOptions* options) {
  const std::string claim = ReadOption(api, session, "claim", "gain");
  const auto* named = std::ranges::find(kClaimNames, claim, &ClaimName::name);
  if (named == std::end(kClaimNames)) return Refuse(api, "claim", claim, "gain, all, mod or none");
  options->claim = named->claim;
  const std::string threads = ReadOption(api, session, "threads", "0");
  const char* end = threads.data() + threads.size();
  const auto [read_to, error] = std::from_chars(threads.data(), end, options->threads);
  if (error != std::errc() || read_to != end || options->threads > 4096)
    return Refuse(api, "threads", threads, "a number from 0 to 4096");
  const std::string trace = ReadOption(api, session, "trace", "0");
  if (trace != "0" && trace != "1" && trace != "2") return Refuse(api, "trace", trace, "0, 1 or 2");
  options->trace = static_cast<ProviderOptions::Trace>(trace[0] - '0');
  return nullptr;
}

Provider::Provider(const Api& api, FunctionTable functions, const Logger* logger, ProviderOptions options,
                   bool claims_in_branches) noexcept
    : Ep{},
      api_(api),
      functions_(functions),
      logger_(logger),
      options_(options),
      claims_in_branches_(claims_in_branches) {
  version = kProviderApiVersion;
  GetName = [](const Ep*) noexcept { return kProviderName; };
  GetCapability = [](Ep* ep, const Graph* graph, SupportInfo* support) noexcept {
    return Guarded(Of(ep).api_, [&] { return Of(ep).Claim(graph, support); });
  };
  Compile = [](Ep* ep, const Graph** graphs, const GraphNode** nodes, size_t count, NodeComputeInfo** infos,
               GraphNode**) noexcept {
    return Guarded(Of(ep).api_, [&] { return Of(ep).CompileAll(graphs, nodes, count, infos); });
  };
  ReleaseNodeComputeInfos = [](Ep*, NodeComputeInfo** infos, size_t count) noexcept {
    ReleaseAll(infos, count);
  };
}

void Provider::Log(const std::string& line) const noexcept {
  if (logger_ == nullptr) return;
  api_.Release(api_.Call<Status*, const Logger*, int32_t, const char*, const char*, int, const char*>(
      slots::kLogMessage, logger_, kLogWarning, line.c_str(), "residue", 0, "trace"));
}

void Provider::Report(const std::vector<ModelNode>& nodes, const Choice& choice) const {
  if (options_.trace == ProviderOptions::Trace::kNothing) return;
  Log("residue: " + Summarize(nodes, choice));
  if (options_.trace != ProviderOptions::Trace::kNodes) return;
  for (const std::string& line : DescribeNodes(nodes, choice)) Log("residue: " + line);
}

// What keeps all nodes of a graph from being claimed, or nothing.
Status* Provider::FindWhyNone(const Graph* graph, std::string* why_none) const {
  if (options_.claim == Claim::kNone) *why_none = "claim=none";
  const GraphNode* parent = nullptr;
  Status* status =
      api_.Call<Status*, const Graph*, const GraphNode**>(slots::kGraphGetParentNode, graph, &parent);
  if (parent != nullptr && !claims_in_branches_)
    *why_none = "is in a branch, and this ONNX Runtime is older than 1.27";
  return status;
}

Status* Provider::Claim(const Graph* graph, SupportInfo* support) const {
  std::vector<ModelNode> nodes;
  std::string why_none;
  if (Status* status = ReadNodes(api_, graph, &nodes)) return status;
  if (Status* status = FindWhyNone(graph, &why_none)) return status;
  const Choice choice = Choose(nodes, options_.claim, why_none);
  Report(nodes, choice);
  for (const std::vector<size_t>& part : choice.parts) {
    std::vector<const GraphNode*> taken;
    taken.reserve(part.size());
    for (const size_t n : part) taken.push_back(nodes[n].node());
    const FusionOptions fusion = {kProviderApiVersion, false};
    const auto slot = static_cast<Slot>(EpSlot::kAddNodesToFuse);
    if (Status* status =
            functions_.Call<Status*, SupportInfo*, const GraphNode* const*, size_t, const FusionOptions*>(
                slot, support, taken.data(), taken.size(), &fusion)) {
      return status;
    }
  }
  return nullptr;
}

Status* Provider::CompileAll(const Graph** graphs, const GraphNode** nodes, size_t count,
                             NodeComputeInfo** infos) const {
  for (size_t i = 0; i < count; ++i) infos[i] = nullptr;
  Status* status = nullptr;
  try {
    for (size_t i = 0; i < count && status == nullptr; ++i)
      status = CompileOne(graphs[i], nodes[i], &infos[i]);
  } catch (...) {  // without memory
    ReleaseAll(infos, count);
    throw;
  }
  if (status != nullptr) ReleaseAll(infos, count);
  return status;
}

Status* Provider::CompileOne(const Graph* graph, const GraphNode* node, NodeComputeInfo** info) const {
  std::vector<NodeValue> inputs;
  std::vector<NodeValue> outputs;
  std::vector<ModelNode> nodes;
  if (Status* status = ReadInputs(api_, node, &inputs)) return status;
  if (Status* status = ReadOutputs(api_, node, &outputs)) return status;
  if (Status* status = ReadNodes(api_, graph, &nodes)) return status;
  Program program;
  std::map<std::string, ValueId> values;
  for (const NodeValue& input : inputs) values[input.name] = program.AddInput(ToResidueType(input.type));
  for (const ModelNode& one : nodes) {
    std::vector<ValueId> operands;
    for (const NodeValue& input : one.inputs()) {
      const auto found = values.find(input.name);
      if (!input.name.empty() && found == values.end())
        return api_.Fail(ErrorCode::kFail, "residue: nobody computes " + input.name);
      operands.push_back(input.name.empty() ? kNoValue : found->second);
    }
    values[one.outputs().front().name] = Translate(one, operands, &program);
  }
  for (const NodeValue& output : outputs) {
    const auto found = values.find(output.name);
    if (found == values.end()) return api_.Fail(ErrorCode::kFail, "residue: nobody computes " + output.name);
    program.AddOutput(found->second);
  }
  *info = new FusedNode(api_, std::move(program), options_.threads);
  return nullptr;
}

}  // namespace residue::ort
