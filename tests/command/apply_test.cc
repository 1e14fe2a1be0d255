// residue apply: files, columns and numbers in, the library's results out.
#include <cstring>

#include "command_fixture.h"
#include "npy.h"
#include "residue/residue.h"

namespace residue::tool {
namespace {

template <class T>
std::string Bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

class ApplyTest : public CommandTest {
 protected:
  template <class T>
  void WriteNpy(const std::string& name, const std::vector<uint64_t>& shape, const std::vector<T>& values) {
    Write(name, NpyHeader(kDataTypeOf<T>, shape) + Bytes(values));
  }
};

TEST_F(ApplyTest, FilesAndNumbers) {
  WriteNpy<float>("a.npy", {2, 3}, {370, -10, 725, 0.5f, -0.0f, 1e38f});
  const Result result = Run("apply floor a.npy 360 -o out.npy");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.error, "");
  const std::string file = ReadFile(folder_ + "/out.npy");
  const NpyArray array = ReadNpy(file, "out.npy");
  EXPECT_EQ(array.shape, (std::vector<uint64_t>{2, 3}));
  const float a[] = {370, -10, 725, 0.5f, -0.0f, 1e38f};
  const float b[] = {360, 360, 360, 360, 360, 360};
  std::vector<float> expected(6);
  ASSERT_EQ(residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, a, b, expected.data(), 6), RESIDUE_OK);
  EXPECT_EQ(array.bytes, Bytes(expected));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/360"));
}

// A row of one file is repeated for each row of the other.
TEST_F(ApplyTest, ShapesGoTogetherAsInNumpy) {
  WriteNpy<int32_t>("a.npy", {2, 3}, {-7, -8, -9, 7, 8, 9});
  WriteNpy<int32_t>("row.npy", {3}, {2, 3, 4});
  WriteNpy<int32_t>("column.npy", {2, 1}, {5, -5});
  WriteNpy<int32_t>("wrong.npy", {2}, {5, -5});
  EXPECT_EQ(Run("apply floor a.npy row.npy").out, "1 1 3\n1 2 1\n");
  EXPECT_EQ(Run("apply truncate a.npy column.npy").out, "-2 -3 -4\n2 3 4\n");
  EXPECT_EQ(Run("apply modulus_floor row.npy column.npy").out, "2 3 4\n-3 -2 -1\n");
  EXPECT_EQ(Run("apply floor 7 row.npy --threads 1").out, "1\n1\n3\n");
  EXPECT_EQ(Run("apply identity row.npy").out, "2\n3\n4\n");
  ExpectRefusal("apply floor a.npy wrong.npy",
                "operand 2 (wrong.npy) has the shape (2,), which does not go together with (2, 3)");
}

TEST_F(ApplyTest, ColumnsOfStandardInput) {
  const std::string angles = "printf '370\\n-10\\n\\n# no angle\\n725.5\\n' |";
  EXPECT_EQ(Run("apply floor - 360", angles).out, "10\n350\n5.5\n");
  EXPECT_EQ(Run("apply floor - -", "printf '7 3\\r\\n-7,3\\n 7 ; -3' |").out, "1\n2\n-2\n");
  EXPECT_EQ(Run("apply floor -7 -", "printf '2\\n3' |").out, "1\n2\n") << "integers stay integers";
  EXPECT_EQ(Run("apply floor -.5 -", "printf '2\\n3' |").out, "1.5\n2.5\n");
  EXPECT_EQ(Run("apply floor - 1", "printf '18446744073709551615' |").out, "0\n");
  EXPECT_EQ(Run("apply floor - 3", "printf '' |").out, "");
  EXPECT_EQ(Run("apply floor - 3 -o out.txt", "printf '4\\n5' |").code, 0);
  EXPECT_EQ(ReadFile(folder_ + "/out.txt"), "1\n2\n");
  EXPECT_EQ(Run("apply scale_bias - --param scale=2 --param bias=-1", "printf '1.5\\n2' |").out, "2\n3\n");
}

TEST_F(ApplyTest, WhatIsOddIsTold) {
  WriteNpy<int32_t>("a.npy", {2}, {7, 8});
  const Result zero = Run("apply floor a.npy 0");
  EXPECT_EQ(zero.code, 0);
  EXPECT_EQ(zero.out, "0\n0\n");
  EXPECT_EQ(zero.error, "residue: an integer was divided by zero; the result is 0\n");
  EXPECT_EQ(Run("apply floor 1.5 0").error, "residue: a result is NaN although its operands are not\n");
  EXPECT_EQ(Run("apply --type float32 floor - 3", "printf '1e39\\n2e39\\n' |").error,
            "residue: standard input:1: column 1 is '1e39', which is beyond float32: infinity is used\n"
            "residue: a result is NaN although its operands are not\n");
  EXPECT_EQ(Run("apply scale_bias 3e38 --type f32 --param scale=10").error,
            "residue: a result is infinity although its operands are not\n");
}

TEST_F(ApplyTest, AParameterIsNamedOnce) {
  ExpectRefusal("apply scale_bias 3 --param scale=1 --param scale=2",
                "--param scale is given twice: name it once");
  ExpectRefusal("eval leaky_relu -2 --param alpha=1 --param alpha=1",
                "--param alpha is given twice: name it once");
}

TEST_F(ApplyTest, BadInputIsOneLine) {
  WriteNpy<int32_t>("a.npy", {2}, {7, 8});
  WriteNpy<float>("f.npy", {2}, {7, 8});
  Write("broken.npy", "\x93NUMPY");
  WriteNpy<int8_t>("deep.npy", {1, 1, 1, 1, 1, 1, 1, 1, 1}, {1});
  ExpectRefusal("apply modulus_floor a.npy", "modulus_floor takes 2 inputs, but 1 was given");
  ExpectRefusal("apply floor a.npy", "the elements are int32, but floor takes float32, float16, float64");
  ExpectRefusal("apply identity a.npy 3", "identity takes 1 input, but 2 were given");
  ExpectRefusal("apply flooor a.npy 3", "did you mean 'floor'?");
  ExpectRefusal("apply floor b.npy 3", "b.npy: there is no such file");
  ExpectRefusal("apply floor . 3", ".: this is not a plain file");
  ExpectRefusal("apply floor broken.npy 3", "broken.npy: this is not a .npy file");
  ExpectRefusal("apply floor a.npy f.npy", "f.npy: the elements are float32, but int32 are wanted");
  ExpectRefusal("apply floor a.npy 2.5", "operand 2 is '2.5', which is not a number of type int32");
  ExpectRefusal("apply floor deep.npy 2", "deep.npy: there are 9 dimensions, but at most 8 are taken");
  ExpectRefusal("apply identity deep.npy --param x=1", "identity has no parameters");
  ExpectRefusal("apply scale_bias f.npy --param sclae=1", "did you mean 'scale'?");
  ExpectRefusal("apply scale_bias f.npy --param scale", "must be NAME=NUMBER");
  ExpectRefusal("apply sqrt a.npy", "the elements are int32, but sqrt takes float32, float16, float64");
  ExpectRefusal("apply cast a.npy", "cast has operands of several types");
  EXPECT_EQ(Run("apply clip 7 --type i32 --param min=-1 --param max=5").out, "5\n");
  EXPECT_EQ(Run("apply clip 7 --type u8 --param min=9").out, "9\n");
  EXPECT_EQ(Run("apply exp -", "printf '0\n' |").out, "1\n") << "in a type that it takes";
  EXPECT_NE(Run("apply log 0").error.find("is a pole; the result is infinite"), std::string::npos);
  ExpectRefusal("apply floor a.npy 3 -o /nowhere/out.npy", "'/nowhere/out.npy' cannot be written");
  EXPECT_EQ(Run("apply floor - -", "printf '1 2\\n3\\n' |").error,
            "residue: standard input:2: the number of columns is 1, but 2 are read\n");
  EXPECT_EQ(Run("apply floor - 2", "printf '\\nx' |").error,
            "residue: standard input:2: column 1 is 'x', which is not a number of type float64\n");
  // A field that is missing does not move the others.
  EXPECT_EQ(Run("apply floor - -", "printf '7,,3\\n' |").error,
            "residue: standard input:1: column 2 is empty\n");
  EXPECT_EQ(Run("apply identity -", "printf ',5\\n' |").error,
            "residue: standard input:1: column 1 is empty\n");
  EXPECT_EQ(Run("apply identity -", "printf '5,\\n' |").error,
            "residue: standard input:1: column 2 is empty\n");
  EXPECT_EQ(Run("apply identity -", "cat a.npy |").error,
            "residue: standard input is a .npy file; give its name instead of -\n");
  const Result zeros = Run("apply floor - 3", "head -c 1000000 /dev/zero |");
  EXPECT_EQ(zeros.code, 2);
  EXPECT_LT(zeros.error.size(), 500u) << "the beginning is enough";
}

// Empty tensors, whatever their other sizes are.
TEST_F(ApplyTest, NoElements) {
  WriteNpy<double>("first.npy", {0, uint64_t{1} << 62, 4}, {});
  WriteNpy<double>("last.npy", {uint64_t{1} << 62, 4, 0}, {});
  WriteNpy<double>("large.npy", {uint64_t{1} << 62, 4}, {});
  for (const char* name : {"first", "last"}) {
    const Result result = Run("apply floor " + std::string(name) + ".npy 3 -o out.npy");
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_EQ(ReadFile(folder_ + "/out.npy"), ReadFile(folder_ + "/" + name + ".npy"));
  }
  ExpectRefusal("apply floor large.npy 3", "large.npy: the .npy shape is too large");
}

// Numbers that look like integers are floats to an operator that takes no others.
TEST_F(ApplyTest, TypesThatAnOperatorTakes) {
  EXPECT_EQ(Run("apply scale_bias - --param scale=2", "printf '370\\n' |").out, "740\n");
  const Result rounded = Run("apply scale_bias 1.5 --param scale=0.1");
  EXPECT_EQ(rounded.error, "residue: scale is a float32: 0.10000000149011612 is used\n");
  EXPECT_EQ(rounded.out, "0.15000000223517418\n");
  EXPECT_EQ(Run("apply scale_bias 1.5 --type f32 --param scale=0.1").error, "");
}

// Warnings that nobody reads change nothing.
TEST_F(ApplyTest, StandardErrorMayBeClosed) {
  EXPECT_EQ(Run("apply floor 7 0 -o zero.txt 2>&-", "").code, 0);
  EXPECT_EQ(ReadFile(folder_ + "/zero.txt"), "0\n");
}

// Links are followed, permissions kept, devices and open files written to as they are.
TEST_F(ApplyTest, WhereResultsGo) {
  Write("old.txt", "old");
  std::filesystem::permissions(folder_ + "/old.txt",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink("old.txt", folder_ + "/link.txt");
  ASSERT_EQ(Run("apply floor 7 4 -o link.txt").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ + "/link.txt"));
  EXPECT_EQ(ReadFile(folder_ + "/old.txt"), "3\n");
  EXPECT_EQ(std::filesystem::status(folder_ + "/old.txt").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(Run("apply floor 7 4 -o /dev/stdout").out, "3\n");
  ASSERT_EQ(Run("apply floor 7 4 -o -.txt").code, 0);
  EXPECT_EQ(ReadFile(folder_ + "/-.txt"), "3\n");
}

// Memory that looks like a folder of devices has plain files, which are replaced as others are: a second name
// of the old one keeps what it was.
TEST_F(ApplyTest, AnythingPlainIsReplaced) {
  const std::string file = "/dev/shm/residue_apply." + std::to_string(getpid());
  if (!(std::ofstream(file) << "old").flush()) GTEST_SKIP() << "/dev/shm cannot be written";
  std::error_code error;
  std::filesystem::create_hard_link(file, file + ".old", error);
  const Result result = Run("apply floor 7 4 -o " + file);
  EXPECT_EQ(result.code, 0) << result.error;
  const std::string now = ReadFile(file);
  const std::string kept = ReadFile(file + ".old");
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".old", error);
  EXPECT_NE(now, "old");
  if (!error) {
    EXPECT_EQ(kept, "old");
  }
}

// A file is replaced by a whole one or not at all, and nothing else stays.
TEST_F(ApplyTest, FailedWritesLeaveWhatWasThere) {
  WriteNpy<int32_t>("a.npy", {2}, {7, 8});
  ASSERT_EQ(Run("apply floor a.npy 5 -o a.npy").code, 0) << "over its own input";
  EXPECT_EQ(Run("apply identity a.npy").out, "2\n3\n");
  EXPECT_NE(Run("apply floor a.npy 5 -o /dev/full").code, 0);
  EXPECT_EQ(Run("apply floor a.npy 2 -o /dev/null").code, 0);
  const std::string line =
      "cd '" + folder_ +
      "' && mkfifo pipe && timeout --foreground --preserve-status --signal INT 1 " RESIDUE_COMMAND
      " apply floor - 3 -o a.npy <>pipe 2>error";
  EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 130);
  EXPECT_EQ(ReadFile(folder_ + "/error"), "residue: interrupted\n");
  EXPECT_EQ(Run("apply identity a.npy").out, "2\n3\n");
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 4u) << "a.npy, pipe, out and error";
}

}  // namespace
}  // namespace residue::tool
