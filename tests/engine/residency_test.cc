// Memory that nobody has touched is told from memory that somebody has.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

#include "cpu/engine/residency.h"

namespace residue::testing {
namespace {

class ResidencyTest : public ::testing::Test {
 protected:
  ResidencyTest() : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))), bytes_(9 * page_) {
    void* mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(mapped, MAP_FAILED);
    memory_ = static_cast<std::byte*>(mapped);
  }
  ~ResidencyTest() override { munmap(memory_, bytes_); }

  const size_t page_;
  const size_t bytes_;
  std::byte* memory_;
};

TEST_F(ResidencyTest, FirstMiddleAndLastPageMustBeTouched) {
  EXPECT_FALSE(IsResident(memory_, bytes_));
  memory_[0] = std::byte{1};
  EXPECT_FALSE(IsResident(memory_, bytes_));
  memory_[bytes_ - 1] = std::byte{1};
  EXPECT_FALSE(IsResident(memory_, bytes_));
  memory_[bytes_ / 2] = std::byte{1};
  EXPECT_TRUE(IsResident(memory_, bytes_));
  EXPECT_TRUE(IsResident(memory_ + 5, 1));
  EXPECT_FALSE(IsResident(memory_ + page_, 1));
}

TEST_F(ResidencyTest, WhereNobodyCanTellItIs) {
  std::vector<std::byte> own(100'000, std::byte{1});
  EXPECT_TRUE(IsResident(own.data(), own.size()));
  munmap(memory_, bytes_);
  errno = EDOM;
  EXPECT_TRUE(IsResident(memory_, bytes_));
  EXPECT_EQ(errno, EDOM);
}

}  // namespace
}  // namespace residue::testing
