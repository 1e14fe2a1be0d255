// The command, run by a shell in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace residue::tool {

struct Result {
  int code;
  std::string out;
  std::string error;
};

inline std::string ReadFile(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class CommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "residue_command." + std::to_string(getpid());
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Through a shell, in a folder of its own; `before` may set variables.
  Result Run(const std::string& arguments, const std::string& before = "") {
    const std::string line = "cd '" + folder_ + "' && " + before + " " RESIDUE_COMMAND " " + arguments +
                             " >'" + folder_ + "/out' 2>'" + folder_ + "/error'";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFile(folder_ + "/out"),
            ReadFile(folder_ + "/error")};
  }
  // One line on standard error, nothing else, status 2.
  void ExpectRefusal(const std::string& arguments, const std::string& part) {
    const Result result = Run(arguments);
    EXPECT_EQ(result.code, 2) << arguments;
    EXPECT_NE(result.error.find(part), std::string::npos) << arguments << "\n" << result.error;
    EXPECT_TRUE(result.error.starts_with("residue: ")) << result.error;
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    return folder_ + "/" + name;
  }

  // The example of FLOOR, which then writes its result; `target` is the rest of that command.
  std::string WritingModel(const std::string& target) {
    std::string model = ReadFile(RESIDUE_MODELS "/modulus_floor_f32.json");
    const std::string print = "{ \"type\": \"print\", \"resource\": \"Out\", \"verbose\": true }";
    EXPECT_NE(model.find(print), std::string::npos);
    model.replace(model.find(print), print.size(),
                  print + ", {\"type\": \"writeFile\", \"resource\": \"Out\", " + target + "}");
    return Write("writing.json", model);
  }

  std::string folder_;
};

}  // namespace residue::tool
