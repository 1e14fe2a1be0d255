// What the tests of the execution provider have in common.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "provider_abi.h"
#include "session.h"

namespace residue::ort::testing {

class ProviderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Runtime::At("").base()->GetApi(kProviderApiVersion) == nullptr)
      GTEST_SKIP() << "ONNX Runtime " << Runtime::At("").version() << " has no providers of others";
  }

  static Session::Settings Provided(bool everything = true) {
    Session::Settings settings;
    settings.use = Use::kProvider;
    settings.optimization = 0;
    settings.provider_options = {{"claim", "all"}};
    // Whatever is not claimed is then an error.
    if (everything) settings.entries = {{"session.disable_cpu_ep_fallback", "1"}};
    return settings;
  }
  static Session::Settings BuiltIn() {
    Session::Settings settings;
    settings.use = Use::kBuiltIn;
    settings.optimization = 0;
    return settings;
  }
};

}  // namespace residue::ort::testing
