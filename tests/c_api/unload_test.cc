// libresidue as a plugin of a plugin: loaded by name, used, and unloaded while its pool still has threads.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <residue/residue.h>

#include <vector>

namespace {

TEST(UnloadTest, ThreadsKeepTheirCode) {
  void* library = dlopen(RESIDUE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto run = reinterpret_cast<decltype(&residue_run_packed)>(dlsym(library, "residue_run_packed"));
  ASSERT_NE(run, nullptr);
  std::vector<float> a(1 << 20, 5.5f);
  const std::vector<float> b(a.size(), 3.0f);
  ASSERT_EQ(run(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, a.data(), b.data(), a.data(), a.size()), RESIDUE_OK);
  EXPECT_EQ(a.back(), 2.5f);
  EXPECT_EQ(dlclose(library), 0);
  void* still_there = dlopen(RESIDUE_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  EXPECT_NE(still_there, nullptr) << "its pool's threads would run code that is gone";
  if (still_there != nullptr) dlclose(still_there);
}

}  // namespace
