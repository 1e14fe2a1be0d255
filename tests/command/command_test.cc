// The command as a person or a script sees it: what it prints, where, and how it ends.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "command_fixture.h"
#include "npy.h"
#include "residue/residue.h"
#include "verification/binary_problem.h"
#include "verify.h"

namespace residue::tool {
namespace {

TEST_F(CommandTest, EvalShowsEverything) {
  const Result result = Run("eval floor -7 3");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(
      result.out,
      "-7 mod 3 = 2\n"
      "  operator                       modulus_floor, int64\n"
      "  bits                           0xfffffffffffffff9 mod 0x0000000000000003 = 0x0000000000000002\n"
      "  quotient, rounded down         -3\n"
      "  Python: a % b                  2\n"
      "  C: a % b                       -1\n"
      "  NumPy: remainder(a, b)         2\n");
  EXPECT_NE(Run("eval --type float32 floor 16777216 1").out.find("DirectML 1.15.4, observed      -2"),
            std::string::npos);
  EXPECT_NE(Run("eval --type int32 trunc -2147483648 -1").out.find("undefined; x86 traps"),
            std::string::npos);
  EXPECT_TRUE(Run("eval floor -inf 2").out.starts_with("-inf mod 2 = nan\n"));
  EXPECT_TRUE(Run("eval floor -Infinity 2").out.starts_with("-inf mod 2 = nan\n"));
  EXPECT_TRUE(Run("eval floor 18446744073709551615 10").out.starts_with("18446744073709551615 mod 10 = 5\n"));
  EXPECT_TRUE(Run("eval --type float16 floor 65504 1000").out.starts_with("65504 mod 1000 = 504\n"));
  EXPECT_TRUE(Run("eval floor -.5 2").out.starts_with("-0.5 mod 2 = 1.5\n"));
  EXPECT_TRUE(Run("eval floor 0x1.8p1 2").out.starts_with("3 mod 2 = 1\n"));
  EXPECT_TRUE(
      Run("eval --type f32 --bits trunc 7f7fffff 1").out.starts_with("3.4028235e+38 mod 1e-45 = 0\n"));
  EXPECT_EQ(Run("eval truncate -7 3").out, Run("eval trunc -7 3").out);
  // Beyond the type's largest number: told, and computed with.
  const Result beyond = Run("eval --type float32 floor 1 1e39");
  EXPECT_EQ(beyond.error, "residue: B is '1e39', which is beyond float32: infinity is used\n");
  EXPECT_TRUE(beyond.out.starts_with("1 mod inf = 1\n")) << beyond.out;
  EXPECT_EQ(beyond.code, 0);
  EXPECT_EQ(Run("eval --type float16 floor 1 65520").error,
            "residue: B is '65520', which is beyond float16: infinity is used\n");
  EXPECT_EQ(Run("eval --type float16 floor 1 65519").error, "");
  EXPECT_EQ(Run("eval floor 1 -infinity").error, "") << "as it was typed";
  EXPECT_NE(Run("eval trunc 7 3 --json").out.find("\"result\": \"1\""), std::string::npos);
}

TEST_F(CommandTest, EvalOfAnyOperator) {
  EXPECT_EQ(Run("eval sqrt 2").out,
            "sqrt(2) = 1.4142135623730951\n"
            "  operator                       sqrt, float64\n"
            "  bits                           sqrt(0x4000000000000000) = 0x3ff6a09e667f3bcd\n");
  EXPECT_TRUE(Run("eval floor 2.5").out.starts_with("floor(2.5) = 2\n"));
  EXPECT_TRUE(Run("eval leaky_relu --type f32 -2").out.starts_with("leaky_relu(-2) = -0.02\n"));
  EXPECT_EQ(Run("list").out.find("gives \n"), std::string::npos);
  EXPECT_NE(Run("list").out.find("; gives float16 of float32, too\n"), std::string::npos);
  EXPECT_TRUE(Run("eval equals 1 1").out.starts_with("equals(1, 1) = 1\n"));
  EXPECT_TRUE(Run("eval clip 300 --param min=1 --param max=200").out.starts_with("clip(300) = 200\n"));
  EXPECT_TRUE(Run("eval clip -5 --param max=9").out.starts_with("clip(-5) = -5\n"))
      << "what is not named is no bound";
  EXPECT_TRUE(Run("eval --type f32 clip_grad inf 5 --param min=0").out.starts_with("clip_grad(inf, 5) = 5\n"))
      << "not even infinity";
  EXPECT_TRUE(Run("eval --type i8 clip_grad 9 5 --param min=0 --param max=99")
                  .out.starts_with("clip_grad(9, 5) = 5\n"));
  EXPECT_TRUE(Run("eval clip 5.5 --param min=6").out.starts_with("clip(5.5) = 6\n"));
  EXPECT_NE(Run("eval --type f32 --bits add 7f800001 0").out.find("= 0x7fc00000"), std::string::npos);
  const Result json = Run("eval --json max 1 2.5");
  EXPECT_NE(json.out.find("\"result\": \"2.5\""), std::string::npos) << json.out;
}

TEST_F(CommandTest, BadInputIsOneLine) {
  ExpectRefusal("eval floor 1 x", "B is 'x', which is not a number of type float64");
  ExpectRefusal("eval --type int8 floor 128 1", "A is '128', which is not a number of type int8");
  ExpectRefusal("eval --type int9 floor 1 1", "the type is 'int9'");
  ExpectRefusal("eval --bits floor 1 1", "--bits needs --type");
  ExpectRefusal("eval round 1 1", "round");
  ExpectRefusal("eval floor", "numbers is required");
  ExpectRefusal("eval --type i8 clip_grad -128 5 --param max=100",
                "--param min=NUMBER is missing: clip_grad of integers cuts at any bound");
  ExpectRefusal("eval modulus_floor 1", "modulus_floor takes 2 numbers, but 1 was given");
  ExpectRefusal("eval sqrt 1 2", "sqrt takes 1 number, but 2 were given");
  ExpectRefusal("eval if 1 2", "if has operands of several types");
  ExpectRefusal("eval --type int8 sqrt 1", "the type is int8, but sqrt takes float32, float16, float64");
  ExpectRefusal("bench --op sqrt --type int8", "sqrt does not take int8, but float32, float16, float64");
  ExpectRefusal("nonsense", "there is no command 'nonsense'; see residue --help");
  ExpectRefusal("evl floor 1 2", "there is no command 'evl'; did you mean 'eval'?");
  ExpectRefusal("help evl", "did you mean 'eval'?");
  ExpectRefusal("--typo", "there is no option '--typo'; see residue --help");
  ExpectRefusal("--verison", "did you mean '--version'?");
  ExpectRefusal("eval --typo floor 1", "there is no option '--typo'; did you mean '--type'?");
  ExpectRefusal("eval floor 1 2 --jsno=x", "there is no option '--jsno'; did you mean '--json'?");
  ExpectRefusal("eval flor 1 2",
                "the operator is 'flor', but must be one that `residue list` names; did you mean 'floor'?");
  ExpectRefusal("eval --type flaot32 floor 1 2", "did you mean 'float32'?");
  ExpectRefusal("verify --target AVX4", "did you mean 'AVX3'?");
  ExpectRefusal("verify --target AVX9", "the target is 'AVX9'");
  ExpectRefusal("bench --type int9", "the type is 'int9'");
  ExpectRefusal("bench --svg /nowhere/x.svg --size 1", "'/nowhere/x.svg' cannot be written");
  ExpectRefusal("run", "a model is missing");
  ExpectRefusal("run /nowhere.json", "/nowhere.json: there is no such file");
  ExpectRefusal("run -a GeForce " RESIDUE_MODELS "/modulus_floor_f32.json",
                "there is no adapter whose name has 'GeForce'");
  ExpectRefusal("run --dml_feature_level 7.0 " RESIDUE_MODELS "/modulus_floor_f32.json",
                "the feature level is '7.0'");
  ExpectRefusal("run " + Write("broken.json", "{\"resources\": {},\n \"dispatchables\": }"),
                "broken.json:2:19: ");
  ExpectRefusal("run -i 0 x.json", "--dispatch_iterations: '0' is not an integer from 1 to");
  ExpectRefusal("run -t nan x.json", "'nan' is not a number from 0 to");
  ExpectRefusal("verify --seconds nan", "'nan' is not a number from 0 to");
  ExpectRefusal("verify --seed -1", "'-1' is not an integer from 0 to");
  ExpectRefusal("bench --size nan", "'nan' is not a number from");
  ExpectRefusal("bench --threads 65536", "is not an integer from 1 to");
  ExpectRefusal("eval floor 123456789012345678901234567890 97", "fit no integer type together");
  ExpectRefusal("eval floor 0x1ffffffffffffffff 16", "fit no integer type together");
  ExpectRefusal("eval floor 0x 3", "A is '0x', which is not a number");
  ExpectRefusal("run " + Write("empty.json", ""), "empty.json:1:1: ");
  ExpectRefusal("run .", ".: is not a plain file");
  ExpectRefusal("run " + Write("deep.json",
                               "{\"resources\":{},\"dispatchables\":{},\"commands\":[{\"type\":\"x\",\"x\":" +
                                   std::string(100000, '[') + std::string(100000, ']') + "}]}"),
                "The nesting is too deep.");
  // A closed standard error still leaves the status.
  EXPECT_EQ(WEXITSTATUS(std::system(RESIDUE_COMMAND " eval floor 1 x 2>&-")), 2);
  EXPECT_NE(std::system(RESIDUE_COMMAND " --version >/dev/full 2>/dev/null"), 0);
  EXPECT_EQ(Run("").code, 2);
  EXPECT_NE(std::system(RESIDUE_COMMAND " eval floor 1 2 >/dev/full 2>/dev/null"), 0);
}

// What libdirectml refuses is said in its words.
TEST_F(CommandTest, RefusalsOfTheLibrary) {
  std::string model = ReadFile(RESIDUE_MODELS "/modulus_floor_f32.json");
  const std::string from = "\"OutputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [2, 4] }";
  ASSERT_NE(model.find(from), std::string::npos);
  model.replace(model.find(from), from.size(),
                "\"OutputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [2, 3] }");
  const std::string path = Write("sizes.json", model);
  const std::string words =
      "Sizes[1] of tensor 'Output' is 3, but that of tensor 'A' is 4: they must be equal";
  ExpectRefusal("run " + path + " >/dev/null", words);
  ExpectRefusal("explain " + path,
                "dispatchable 'mod' is refused: DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR: " + words);
  std::string small = ReadFile(RESIDUE_MODELS "/modulus_floor_f32.json");
  const std::string binding = "\"ATensor\": \"A\"";
  small.replace(small.find(binding), binding.size(), "\"ATensor\": {\"name\": \"A\", \"elementOffset\": 4}");
  ExpectRefusal("run " + Write("small.json", small) + " >/dev/null", "binding 'mod': E_INVALIDARG: ");
}

// The specification's models give the bytes that the C interface gives.
TEST_F(CommandTest, ModelsAreComputedAsByTheLibrary) {
  const Result first = Run("run " + WritingModel("\"targetPath\": \"out.npy\", \"dimensions\": [2, 4]"));
  ASSERT_EQ(first.code, 0) << first.error;
  EXPECT_TRUE(first.out.starts_with("Running on 'Residue CPU'\nDispatch 'mod': 1 iterations, "));
  const float infinity = std::numeric_limits<float>::infinity();
  const float a[] = {-4.3f, 7.2f, 5.0f, 4.3f, -7.2f, 8.0f, infinity, std::numeric_limits<float>::quiet_NaN()};
  const float b[] = {2.1f, -3.4f, 8.0f, -2.1f, 3.4f, 5.0f, 3.0f, 1.0f};
  float expected[8];
  ASSERT_EQ(residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, a, b, expected, 8), RESIDUE_OK);
  const std::string file = ReadFile(folder_ + "/out.npy");
  const NpyArray array = ReadNpy(file, "out.npy");
  EXPECT_EQ(array.type, DataType::kFloat32);
  EXPECT_EQ(array.shape, (std::vector<uint64_t>{2, 4}));
  EXPECT_EQ(array.bytes, std::string_view(reinterpret_cast<const char*>(expected), sizeof(expected)));
  EXPECT_NE(first.out.find("[0] 2 (0x3FFFFFFC)\n"), std::string::npos) << first.out;
  EXPECT_NE(first.out.find("[6] nan (0x7FC00000)\n"), std::string::npos) << first.out;

  std::string second = ReadFile(RESIDUE_MODELS "/modulus_truncate_i64_inplace_broadcast.json");
  const std::string print = "{ \"type\": \"print\", \"resource\": \"X\" }";
  ASSERT_NE(second.find(print), std::string::npos);
  second.replace(second.find(print), print.size(),
                 print + ", {\"type\": \"writeFile\", \"resource\": \"X\", \"targetPath\": \"x.dat\"}");
  const Result result = Run("run " + Write("second.json", second));
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_NE(result.out.find("\nResource 'X': -2, -1, -4, -3, -2, -1, 0, 1, 2, 3, 0, 0\n"), std::string::npos);
  int64_t x[12];
  for (int64_t i = 0; i < 12; ++i) x[i] = i - 6;
  const int64_t d[] = {4, -4, 5};
  residue::testing::BinaryProblem problem(RESIDUE_MODULUS_TRUNCATE, RESIDUE_INT64, 2);
  problem.problem.sizes[0] = 4;
  problem.problem.sizes[1] = 3;
  problem.a_strides()[0] = problem.out_strides()[0] = 24;
  problem.a_strides()[1] = problem.out_strides()[1] = problem.b_strides()[1] = 8;
  ASSERT_EQ(problem.Run(x, d, x), RESIDUE_OK);
  EXPECT_EQ(ReadFile(folder_ + "/x.dat"), std::string(reinterpret_cast<const char*>(x), sizeof(x)));
}

// Files in: the .npy that one run writes is what the next one reads.
TEST_F(CommandTest, FilesGoInAndOut) {
  ASSERT_EQ(Run("run " + WritingModel("\"targetPath\": \"out.npy\"")).code, 0);
  Write("raw.dat", std::string("\3\0\0\0\2\0\0\0", 8));
  const std::string model = R"({
    "resources": {
      "A": {"initialValues": {"sourcePath": "out.npy"}},
      "N": {"initialValuesDataType": "INT32", "initialValues": {"sourcePath": "raw.dat"}},
      "O": {"initialValuesDataType": "INT8", "initialValues": [-7, 65, 7]}},
    "dispatchables": {"same": {"type": "DML_OPERATOR_ELEMENT_WISE_IDENTITY", "desc": {
      "InputTensor": {"DataType": "FLOAT32", "Sizes": [8]}, "OutputTensor": {"DataType": "FLOAT32", "Sizes": [8]}}}},
    "commands": [
      {"type": "dispatch", "dispatchable": "same", "bindings": {"InputTensor": "A", "OutputTensor": "A"}},
      {"type": "print", "resource": "A"}, {"type": "print", "resource": "N"}, {"type": "print", "resource": "O"}]})";
  const Result result = Run("run -i 3 -v 1 --print_commands " + Write("files.json", model));
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_NE(result.out.find("Resource 'A': 2, -3, 5, -2, 3, 3, nan, nan\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("Resource 'N': 3, 2\n"), std::string::npos);
  // Eight bits are numbers, not characters.
  EXPECT_NE(result.out.find("Resource 'O': -7, 65, 7\n"), std::string::npos);
  EXPECT_NE(result.out.find("Dispatch 'same': 3 iterations\nCPU Timings (Cold) : 1 samples, "),
            std::string::npos);
  EXPECT_NE(result.out.find("\nCPU Timings (Hot)  : 2 samples, "), std::string::npos);
  EXPECT_NE(result.out.find("Command: {\"type\":\"print\",\"resource\":\"A\"}\n"), std::string::npos);
}

// What cannot be written is said before anything is touched.
TEST_F(CommandTest, WritingIsCheckedFirst) {
  Write("old.npy", "old");
  ExpectRefusal("run " + WritingModel("\"targetPath\": \"old.npy\", \"dimensions\": [2, 5]"),
                "need 40 bytes, but the resource has 32");
  EXPECT_EQ(ReadFile(folder_ + "/old.npy"), "old");
  // Four times these is 32 modulo 2^64.
  ExpectRefusal(
      "run " +
          WritingModel("\"targetPath\": \"o.npy\", \"dimensions\": [8, 2147483649, 2147483649, 4294967292]"),
      "dimensions need");
  ExpectRefusal("run " + WritingModel("\"targetPath\": \"o.png\""), "images are not supported");
  ExpectRefusal("run " + WritingModel("\"targetPath\": \"a\\u001bb\""), "has control characters");
  ExpectRefusal("run " + WritingModel("\"targetPath\": \"a\\u009bb\""), "has control characters");
  EXPECT_EQ(Run("run " + WritingModel("\"targetPath\": \"\u00fc.npy\"")).code, 0) << "letters are none";
  EXPECT_EQ(Run("run " + WritingModel("\"targetPath\": \"new/folder/o.NPY\"")).code, 0);
  EXPECT_TRUE(ReadFile(folder_ + "/new/folder/o.NPY").starts_with("\x93NUMPY"));
}

// A model may come from anybody: it names files of its own folders alone.
TEST_F(CommandTest, AModelReachesNoOtherFolder) {
  std::filesystem::create_directory(folder_ + "/inside");
  std::filesystem::create_symlink("..", folder_ + "/inside/link");
  Write("other.npy", "other");
  const std::string into = " --output_path " + folder_ + "/inside";
  for (const std::string& path : {folder_ + "/other.npy", std::string("../other.npy"),
                                  std::string("link/other.npy"), std::string("new/../../other.npy")}) {
    ExpectRefusal("run " + WritingModel("\"targetPath\": \"" + path + "\"") + into,
                  "is outside the folder '");
  }
  EXPECT_EQ(ReadFile(folder_ + "/other.npy"), "other");
  const Result result = Run("run " + WritingModel("\"targetPath\": \"a/../b.npy\"") + into);
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(ReadFile(folder_ + "/inside/b.npy").starts_with("\x93NUMPY"));
}

// Its own folder, or that of --input_path, and the current one.
TEST_F(CommandTest, AModelReadsItsFolderAndTheCurrentOne) {
  std::filesystem::create_directories(folder_ + "/current/models");
  std::filesystem::create_directory(folder_ + "/given");
  const auto model = [&](const std::string& source) {
    return Write("current/models/model.json", R"({
      "resources": {"X": {"initialValuesDataType": "UINT8", "initialValues": {"sourcePath": ")" +
                                                  source + R"("}}},
      "dispatchables": {}, "commands": [{"type": "print", "resource": "X"}]})");
  };
  Write("current/models/own.dat", "1");
  Write("current/data.dat", "2");
  Write("given/here.dat", "3");
  Write("else.dat", "4");
  const auto run = [&](const std::string& arguments) { return Run("run " + arguments, "cd current &&"); };
  for (const std::string source : {"own.dat", "data.dat", "../data.dat"}) {
    const Result result = run(model(source));
    EXPECT_EQ(result.code, 0) << source << ": " << result.error;
  }
  const std::string given = "--input_path " + folder_ + "/given ";
  EXPECT_EQ(run(model(folder_ + "/current/data.dat")).code, 0);
  EXPECT_EQ(run(given + model("here.dat")).code, 0);
  EXPECT_EQ(run(given + model("data.dat")).code, 0);
  EXPECT_NE(run(given + model("own.dat")).error.find("there is no file 'own.dat'"), std::string::npos);
  for (const std::string& source : {std::string("../../else.dat"), folder_ + "/else.dat"})
    EXPECT_NE(run(model(source)).error.find("is outside the folder '"), std::string::npos) << source;
}

// An input that DirectML owns is bound to the dispatchable.
TEST_F(CommandTest, OwnedTensors) {
  std::string model = ReadFile(RESIDUE_MODELS "/modulus_floor_f32.json");
  const auto replace = [&](const std::string& from, const std::string& to) {
    ASSERT_NE(model.find(from), std::string::npos) << from;
    model.replace(model.find(from), from.size(), to);
  };
  replace("\"BTensor\":      { ", "\"BTensor\":      { \"Flags\": \"OWNED_BY_DML\", ");
  replace("\"executionFlags\"", "\"bindings\": {\"BTensor\": \"B\"}, \"executionFlags\"");
  replace("\"BTensor\": \"B\", \"OutputTensor\"", "\"OutputTensor\"");
  const Result result = Run("run " + Write("owned.json", model));
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_NE(result.out.find("[0] 2 (0x3FFFFFFC)\n"), std::string::npos) << result.out;
  replace("{\"BTensor\": \"B\"}", "{\"BTensor\": {\"name\": \"B\", \"elementOffset\": 4}}");
  ExpectRefusal("run " + Write("owned.json", model) + " >/dev/null",
                "initializing 'mod': E_INVALIDARG: the SizeInBytes of input 1 is ");
}

// More dispatches than one list takes, each of which adds one.
TEST_F(CommandTest, ManyDispatches) {
  const std::string model = Write("count.json", R"({
    "resources": {"X": {"initialValuesDataType": "FLOAT32", "initialValues": [0]}},
    "dispatchables": {"add": {"type": "DML_OPERATOR_ELEMENT_WISE_IDENTITY", "desc": {
        "InputTensor": {"DataType": "FLOAT32", "Sizes": [1]},
        "OutputTensor": {"DataType": "FLOAT32", "Sizes": [1]},
        "ScaleBias": {"Scale": 1, "Bias": 1}}}},
    "commands": [
        {"type": "dispatch", "dispatchable": "add", "bindings": {"InputTensor": "X", "OutputTensor": "X"}},
        {"type": "print", "resource": "X"}]})");
  const Result result = Run("run -r 20001 " + model);
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_NE(result.out.find("Resource 'X': 20001\n"), std::string::npos) << result.out;
}

// The library ignores it. The command reports it once, on one line; results and status stay.
TEST_F(CommandTest, AnUnknownMaxTargetIsTold) {
  const Result good = Run("eval floor -7 3");
  const std::string begin = "residue: RESIDUE_MAX_TARGET: '";
  const std::string end = " was expected; it is ignored\n";
  for (const auto& [value, shown] : std::initializer_list<std::pair<std::string, std::string>>{
           {"AVX22", "AVX22"},
           {"$(printf '\\033[31m\\nAVX2\\r\\302\\233')", "\\x1b[31m\\x0aAVX2\\x0d\\xc2\\x9b"},
           {"$(head -c 100000 /dev/zero | tr '\\0' y)", std::string(32, 'y') + "..."}}) {
    const Result result = Run("eval floor -7 3", "RESIDUE_MAX_TARGET=\"" + value + "\"");
    EXPECT_EQ(result.code, 0);
    EXPECT_EQ(result.out, good.out);
    EXPECT_TRUE(result.error.starts_with(begin + shown + "' was provided, but one of ")) << result.error;
    EXPECT_TRUE(result.error.ends_with(end)) << result.error;
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
  EXPECT_EQ(Run("eval floor -7 3", "RESIDUE_MAX_TARGET=avx2").error, "");
  EXPECT_EQ(Run("eval floor -7 3", "RESIDUE_MAX_TARGET=").error, "");
  EXPECT_EQ(Run("--version", "RESIDUE_MAX_TARGET=AVX22").error, "") << "no row is used";
  const Result model = Run("run " RESIDUE_MODELS "/modulus_floor_f32.json", "RESIDUE_MAX_TARGET=AVX22");
  EXPECT_EQ(model.code, 0);
  EXPECT_EQ(std::count(model.error.begin(), model.error.end(), '\n'), 1) << model.error;
}

TEST_F(CommandTest, ExplainNamesRowLayoutAndTasks) {
  const Result result =
      Run("explain --threads 2 " RESIDUE_MODELS "/modulus_truncate_i64_inplace_broadcast.json",
          "RESIDUE_MAX_TARGET=reference");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_NE(result.out.find("12 elements in 2 loops"), std::string::npos);
  EXPECT_NE(result.out.find("row modulus_truncate.i64@REFERENCE: rows this short"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("1 task on the calling thread"), std::string::npos);
  EXPECT_NE(result.out.find("OutputTensor = X; in place"), std::string::npos);
  std::string large = ReadFile(RESIDUE_MODELS "/modulus_floor_f32.json");
  for (size_t at; (at = large.find("[2, 4] }")) != std::string::npos;) large.replace(at, 8, "[2048, 1024] }");
  EXPECT_NE(Run("explain --threads 2 " + Write("large.json", large)).out.find("tasks of "),
            std::string::npos);
  EXPECT_NE(
      Run("explain --threads 1 " + Write("large.json", large)).out.find("  1 task on the calling thread\n"),
      std::string::npos);
  ExpectRefusal("explain --dml_feature_level 2.0 " RESIDUE_MODELS "/modulus_floor_f32.json",
                "needs feature level 0x2100");
}

TEST_F(CommandTest, VerifyFindsNothingOnThisMachine) {
  const Result result = Run("verify --seconds 0 --seed 010 --json");
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_NE(result.out.find("\"differences\": 0"), std::string::npos);
  EXPECT_NE(result.out.find("\"seed\": 10,"), std::string::npos) << "not C's eight";
  EXPECT_NE(Run("verify --seconds 0 --target reference").out.find("every one exact; seed 1\n"),
            std::string::npos);
}

// A result that is not what it should be: the first is shown in bits, with the command that shows it again.
TEST_F(CommandTest, VerifyShowsTheFirstDifference) {
  VerifyOptions options;
  options.seconds = 0;
  ::testing::internal::CaptureStdout();
  const int code = VerifyWith(options, R"({"entries": []})", "INT32,7,3,1,1\nINT32,-7,3,-1,1\n");
  const std::string out = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(code, 1);
  EXPECT_NE(out.find("DIFFERENT: modulus_floor.i32@"), std::string::npos) << out;
  EXPECT_NE(out.find("index 1: a=0xfffffff9 (-7) b=0x3 (3) expected=0x1 (1) got=0x2 (2) seed=1"),
            std::string::npos)
      << out;
  EXPECT_NE(out.find("repeat with: residue verify --seed 1 --seconds 0"), std::string::npos);
}

TEST_F(CommandTest, BenchPrintsDrawsAndCounts) {
  const Result result =
      Run("bench --size 0.1 --type float32,int8 --op floor --repetitions 2 --csv --svg b.svg");
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_TRUE(result.out.starts_with("kernel,mebibytes,threads,gigabytes_per_second,"));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 3);
  const std::string svg = ReadFile(folder_ + "/b.svg");
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(Run("bench --size 0.1 --type f16 --repetitions 2 --threads 2 --json").out.find("\"p95_ms\""),
            std::string::npos);
  EXPECT_NE(Run("bench --size 0.1 --type f16 --repetitions 1").out.find("of limit"), std::string::npos);
}

// A picture is drawn in the end, or not at all.
TEST_F(CommandTest, InterruptedBenchLeavesNoPicture) {
  Write("old.svg", "old");
  for (const char* name : {"old.svg", "new.svg"}) {
    const std::string line = "cd '" + folder_ +
                             "' && timeout --foreground --preserve-status --signal INT 0.5 " RESIDUE_COMMAND
                             " bench --size 16 --repetitions 100000 --svg " +
                             name + " >/dev/null 2>error";
    const int status = std::system(line.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 130);
    EXPECT_EQ(ReadFile(folder_ + "/error"), "residue: interrupted\n");
  }
  EXPECT_EQ(ReadFile(folder_ + "/old.svg"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/new.svg"));
}

TEST_F(CommandTest, ListHasTheRegistry) {
  const Result result = Run("list");
  for (const char* part :
       {"DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR  modulus_floor, 2 inputs", "modulus_truncate", "identity",
        "from feature level 6_0: 1 to 8 dimensions", "REFERENCE"}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part;
  }
  EXPECT_NE(Run("list --json").out.find("\"operator\": \"identity\""), std::string::npos);
}

// The manual and --help are made of the same words.
TEST_F(CommandTest, ManualHelpAndCompletionsAgree) {
  std::string manual = Run("manual").out;
  for (size_t at; (at = manual.find("\\-")) != std::string::npos;) manual.erase(at, 1);
  const std::string bash = Run("completion bash").out;
  const std::string zsh = Run("completion zsh").out;
  for (const char* command : {"eval", "apply", "run", "verify", "bench", "explain", "list", "manual",
                              "completion", "help", "version"}) {
    const std::string help = Run(std::string(command) + " --help").out;
    EXPECT_NE(manual.find(".SS residue " + std::string(command) + "\n"), std::string::npos);
    std::istringstream lines(help);
    for (std::string word; lines >> word;) {
      const size_t dashes = word.find("--");
      if (dashes == std::string::npos) continue;
      const std::string name = word.substr(dashes);
      EXPECT_NE(manual.find(name), std::string::npos) << command << " " << name;
      EXPECT_NE(bash.find(name), std::string::npos) << command << " " << name;
      EXPECT_NE(zsh.find(name), std::string::npos) << command << " " << name;
    }
  }
  Write("completion.bash", bash);
  EXPECT_EQ(std::system(("bash -n '" + folder_ + "/completion.bash'").c_str()), 0);
}

TEST_F(CommandTest, VersionsAndAdapters) {
  EXPECT_EQ(Run("version").out, Run("--version").out);
  EXPECT_EQ(Run("help").out, Run("--help").out);
  EXPECT_EQ(Run("help apply").out, Run("apply --help").out);
  EXPECT_TRUE(Run("--version").out.starts_with("residue " RESIDUE_VERSION_STRING "\ntargets:"));
  EXPECT_EQ(Run("run -s").out, "Residue CPU\n");
  EXPECT_TRUE(Run("run -S").out.starts_with("residue " RESIDUE_VERSION_STRING "\n"));
}

// A pipe is no terminal: no colours, no progress bar.
TEST_F(CommandTest, PlainTextInPipes) {
  const Result result = Run("verify --seconds 0", "TERM=xterm");
  EXPECT_EQ(result.out.find('\033'), std::string::npos);
  EXPECT_EQ(result.error, "");
}

TEST_F(CommandTest, CtrlCEndsWithWhatIsKnown) {
  const pid_t child = fork();
  if (child == 0) {
    const std::string line =
        "cd '" + folder_ + "' && exec " RESIDUE_COMMAND " verify --seconds 600 >interrupted 2>&1";
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  // The first phases are through when random pairs begin.
  while (ReadFile(folder_ + "/interrupted").empty() && waitpid(child, nullptr, WNOHANG) == 0) {
    usleep(20'000);
    // Standard output is a file, so lines arrive late: ask for them by ending.
    static int turns = 0;
    if (++turns > 50) break;
  }
  kill(child, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_NE(ReadFile(folder_ + "/interrupted").find("every one exact"), std::string::npos);
}

}  // namespace
}  // namespace residue::tool
