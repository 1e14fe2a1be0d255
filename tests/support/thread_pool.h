// A thread pool of the plainest kind, to be injected: one thread per task. Being part of the test, it is
// instrumented when the test is, which a system's oneTBB is not.
#pragma once

#include <thread>
#include <vector>

#include "cpu/engine/executor.h"

namespace residue::testing {

// on_start runs first on every thread of the pool.
inline Executor PlainThreads(uint32_t num_threads, void (*on_start)() = nullptr) {
  return {reinterpret_cast<void*>(on_start), num_threads,
          [](void* context, uint32_t count, Executor::Task task, void* argument) {
            const auto start = reinterpret_cast<void (*)()>(context);
            std::vector<std::thread> threads;
            for (uint32_t i = 0; i < count; ++i) {
              threads.emplace_back([=] {
                if (start != nullptr) start();
                task(argument, i);
              });
            }
            for (std::thread& thread : threads) thread.join();
          }};
}

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kUnderThreadSanitizer = true;
#elif defined(__has_feature)
inline constexpr bool kUnderThreadSanitizer = __has_feature(thread_sanitizer);
#else
inline constexpr bool kUnderThreadSanitizer = false;
#endif

}  // namespace residue::testing
