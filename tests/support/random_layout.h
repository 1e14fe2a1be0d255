// Random layouts of every class a tensor can have: packed, padded, permuted, reversed, misaligned, broadcast,
// self-overlapping inputs, one to eight dimensions, empty now and then.
#pragma once

#include <algorithm>
#include <numeric>

#include "cpu/engine/plan.h"
#include "verification/random.h"

namespace residue::testing {

class RandomLayout {
 public:
  RandomLayout(Random* random, uint64_t most_elements) : random_(*random), most_elements_(most_elements) {}

  OpRequest Make(OperatorId op, DataType type) {
    OpRequest request{};
    request.op = op;
    request.type = type;
    request.rank = static_cast<uint32_t>(random_.Between(1, kMaxRank));
    MakeSizes(&request);
    request.params = DefaultParams(op);
    request.strides[request.output()] = DistinctStrides(request);
    for (uint32_t k = 0; k < request.output(); ++k) request.strides[k] = InputStrides(request);
    return request;
  }

 private:
  void MakeSizes(OpRequest* request) {
    uint64_t elements = 1;
    for (uint32_t i = 0; i < request->rank; ++i) {
      const uint64_t room = most_elements_ / elements;
      // Mostly short dimensions, sometimes all that is left, rarely none.
      uint64_t size =
          random_.OneIn(4) ? 1 + random_.Below(room) : 1 + random_.Below(std::min<uint64_t>(room, 5));
      if (random_.OneIn(200)) size = 0;
      request->sizes[i] = size;
      elements = std::max<uint64_t>(1, elements * size);
    }
  }

  // Every element in its own place: each step clears what lies inside it, with a gap at random.
  Strides DistinctStrides(const OpRequest& request) {
    std::array<uint32_t, kMaxRank> order{};
    std::iota(order.begin(), order.end(), 0u);
    const bool permuted = random_.OneIn(2);
    if (permuted) {
      for (uint32_t i = request.rank; i > 1; --i) std::swap(order[i - 1], order[random_.Below(i)]);
    } else {
      std::reverse(order.begin(), order.begin() + request.rank);
    }
    const bool padded = random_.OneIn(2);
    const bool reversed = random_.OneIn(4);
    const bool misaligned = random_.OneIn(6);
    const auto size = static_cast<int64_t>(SizeOf(request.type));
    int64_t reach = size;
    Strides strides{};
    for (uint32_t i = 0; i < request.rank; ++i) {
      const uint32_t dimension = order[i];
      int64_t stride = reach;
      if (padded && random_.OneIn(2)) stride += size * random_.Between(0, 3);
      if (misaligned && random_.OneIn(2)) stride += random_.Between(0, size - 1);
      const auto steps = static_cast<int64_t>(std::max<uint64_t>(request.sizes[dimension], 1)) - 1;
      reach = stride * steps + reach;
      strides[dimension] = reversed && random_.OneIn(2) ? -stride : stride;
    }
    return strides;
  }

  Strides InputStrides(const OpRequest& request) {
    Strides strides = random_.OneIn(2) ? request.strides[request.output()] : DistinctStrides(request);
    const auto size = static_cast<int64_t>(SizeOf(request.type));
    switch (random_.Below(6)) {
      case 0:  // some dimensions broadcast
        for (uint32_t i = 0; i < request.rank; ++i) strides[i] = random_.OneIn(2) ? 0 : strides[i];
        break;
      case 1:  // one element for all
        strides.fill(0);
        break;
      case 2:  // windows that overlap each other, which is fine for an input
        for (uint32_t i = 0; i < request.rank; ++i) strides[i] = size * random_.Between(-3, 3);
        break;
      default:
        break;
    }
    return strides;
  }

  Random& random_;
  uint64_t most_elements_;
};

}  // namespace residue::testing
