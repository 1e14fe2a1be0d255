#include "choice.h"

#include <utility>

#include "gain.h"
#include "node_links.h"
#include "partition.h"
#include "translate.h"

namespace residue::ort {
namespace {

std::vector<std::string> FindWhyNot(const std::vector<ModelNode>& nodes, const NodeLinks& links, Claim claim,
                                    const std::string& why_none) {
  std::vector<std::string> why_not(nodes.size(), why_none);
  if (!why_none.empty()) return why_not;
  const std::vector<std::string> left =
      claim == Claim::kGain ? WhyLeft(nodes, links) : std::vector<std::string>(nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n) {
    why_not[n] = WhyNot(nodes[n]);
    if (why_not[n].empty()) why_not[n] = left[n];
    if (why_not[n].empty() && claim == Claim::kMod && nodes[n].op() != "Mod") why_not[n] = "claim=mod";
  }
  return why_not;
}

}  // namespace

Choice Choose(const std::vector<ModelNode>& nodes, Claim claim, const std::string& why_none) {
  const NodeLinks links(nodes);
  Choice choice = {{}, FindWhyNot(nodes, links, claim, why_none)};
  std::vector<bool> claimed;
  for (const std::string& why_not : choice.why_not) claimed.push_back(why_not.empty());
  for (std::vector<size_t>& part : Partition(nodes, links, claimed)) {
    if (claim != Claim::kGain || GainOf(nodes, links, part) >= kLeastGain) {
      choice.parts.push_back(std::move(part));
    } else {
      for (const size_t n : part) choice.why_not[n] = "gains too little";
    }
  }
  return choice;
}

}  // namespace residue::ort
