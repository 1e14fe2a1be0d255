// NumPy's files: what is written is read again, what NumPy writes is read, and anything else is refused.
#include "npy.h"

#include <gtest/gtest.h>

#include "failure.h"

namespace residue::tool {
namespace {

TEST(NpyTest, EveryTypeComesBack) {
  for (const DataType type : kAllDataTypes) {
    const uint64_t shape[] = {2, 3};
    const std::string file = NpyHeader(type, shape) + std::string(6 * SizeOf(type), 'x');
    EXPECT_EQ((file.size() - 6 * SizeOf(type)) % 64, 0u);
    const NpyArray array = ReadNpy(file, "test");
    EXPECT_EQ(array.type, type);
    EXPECT_EQ(array.shape, (std::vector<uint64_t>{2, 3}));
    EXPECT_EQ(array.bytes, std::string(6 * SizeOf(type), 'x'));
  }
  const uint64_t long_one[] = {uint64_t{1} << 32};
  EXPECT_NE(NpyHeader(DataType::kInt8, long_one).find("(4294967296,)"), std::string::npos);
}

std::string File(const std::string& header, const std::string& elements, char version = 1) {
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  file += static_cast<char>(header.size() & 0xFF);
  file += static_cast<char>(header.size() >> 8);
  if (version > 1) file += std::string(2, '\0');
  return file + header + elements;
}

// Byte for byte what numpy.save writes for int16 [1, 2] and for a scalar.
TEST(NpyTest, WhatNumPyWrites) {
  const NpyArray array = ReadNpy(
      File("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }  \n", std::string("\1\0\2\0", 4)), "f");
  EXPECT_EQ(array.type, DataType::kInt16);
  EXPECT_EQ(array.shape, std::vector<uint64_t>{2});
  EXPECT_EQ(ReadNpy(File("{'descr': '|u1', 'fortran_order': False, 'shape': (), }\n", "a", 2), "f").bytes,
            "a");
}

TEST(NpyTest, WhatIsNotSoIsRefused) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n";
  EXPECT_NO_THROW(ReadNpy(File(good, "aaaa"), "f"));
  for (const std::string& file : {
           std::string(),
           std::string("\x93NUMPY"),
           std::string("NUMPY, but not quite"),
           File(good, "aaa"),
           File(good, "aaaaa"),
           File(good, "aaaa", 4),
           File(good, "aaaa").substr(0, 30),
           File("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n", "aaaa"),
           File("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }\n", "aaaaaaaa"),
           File("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }\n", "aaaa"),
           File("{'fortran_order': False, 'shape': (1,), }\n", "aaaa"),
           File("{'descr': '<f4', 'fortran_order': False}\n", "aaaa"),
           File("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 'x')}\n", "aaaa"),
           File("{'descr': '<f4', 'fortran_order': False, 'shape': (1\n", "aaaa"),
           File("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n", std::string(16, 'a')),
           File("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }\n", ""),
       }) {
    EXPECT_THROW(ReadNpy(file, "f"), Failure) << file;
  }
}

}  // namespace
}  // namespace residue::tool
