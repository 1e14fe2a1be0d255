// How long the calling thread has computed, whatever its neighbours do.
#pragma once

#include <time.h>

namespace residue::bench {

inline double ThreadNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

}  // namespace residue::bench
