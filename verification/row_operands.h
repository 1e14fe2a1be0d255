// What any row can be tried on, whatever its operator and types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cpu/rows/row.h"
#include "verification/random.h"
#include "verification/sample_params.h"
#include "verification/values.h"

namespace residue::testing {

// Operands of one operator: bytes for elements of any type, and params.
class RowOperands {
 public:
  RowOperands(RowKey key, size_t count, uint64_t seed) : key_(key), count_(count), random_(seed) {
    for (std::vector<std::byte>& bytes : bytes_) bytes.resize(count * sizeof(uint64_t));
  }

  // Edges and random numbers of all sizes; the first two are a pair that is hard together.
  void Fill() {
    for (uint32_t k = 0; k < InputCount(key_.op); k += 2) {
      VisitType(TypeOf(k), [&]<class T>(T) {
        PairGenerator<T> generator(random_.Next());
        const std::vector<T> edges = EdgeValues<T>();
        for (size_t i = 0; i < count_; ++i) {
          T pair[2];
          generator.Next(&pair[0], &pair[1]);
          // Two edges together are rare there: 0 and 0, for one.
          if (i % 3 == 0) {
            for (T& one : pair) one = edges[random_.Below(edges.size())];
          }
          std::memcpy(&bytes_[k][i * sizeof(T)], &pair[0], sizeof(T));
          if (k + 1 < InputCount(key_.op)) Put(k + 1, i, pair[1]);
        }
      });
    }
    if (key_.op == OperatorId::kSequence && random_.OneIn(2)) FillWithSmallIndices();
    params_ = SampleParams(key_.op, key_.type, key_.result, &random_);
  }

  DataType TypeOf(uint32_t k) const { return OperandType(key_.op, k, key_.type, key_.result); }
  size_t out_bytes() const { return SizeOf(key_.result); }

  Row MakeRow(std::byte* out, size_t count, uint8_t single) const {
    Row row = {};
    for (uint32_t k = 0; k < kMostInputs; ++k) row.in[k] = bytes_[k].data();
    row.out = out;
    row.count = count;
    row.params = params_.bytes;
    row.single = single;
    return row;
  }
  const std::vector<std::byte>& bytes(uint32_t k) const { return bytes_[k]; }
  Random& random() { return random_; }

  // The inputs of one element, as their bits, and the params.
  std::string DescribeElement(size_t i) const {
    std::string text = "inputs";
    char hex[24];
    for (uint32_t k = 0; k < InputCount(key_.op); ++k) {
      uint64_t bits = 0;
      std::memcpy(&bits, &bytes_[k][i * SizeOf(TypeOf(k))], SizeOf(TypeOf(k)));
      std::snprintf(hex, sizeof(hex), " 0x%llx", static_cast<unsigned long long>(bits));
      text += hex;
    }
    text += " params";
    for (size_t n = 0; n < ParamsBytes(key_.op); ++n) {
      std::snprintf(hex, sizeof(hex), " %02x", static_cast<unsigned>(params_.bytes[n]));
      text += hex;
    }
    return text;
  }

 private:
  // Such as all elements of a tensor have: most indices above are too large for one.
  void FillWithSmallIndices() {
    for (size_t i = 0; i < count_; ++i) {
      const uint64_t index = random_.Next() >> (35 + random_.Below(29));
      std::memcpy(&bytes_[0][i * sizeof(index)], &index, sizeof(index));
    }
  }

  // The second number of a pair, if it has the type that is wanted; otherwise the same bits.
  template <class T>
  void Put(uint32_t k, size_t i, T number) {
    const size_t size = SizeOf(TypeOf(k));
    uint64_t bits = ToBits(number);
    if (sizeof(T) < size) bits = random_.Next() & random_.Next();
    std::memcpy(&bytes_[k][i * size], &bits, size);
  }

  RowKey key_;
  size_t count_;
  Random random_;
  std::vector<std::byte> bytes_[kMostInputs];
  Params params_;
};

}  // namespace residue::testing
