// Windows does not tell the two names apart; Linux does.
#ifndef RESIDUE_COMPAT_WINDOWS_LOWER_CASE_H_
#define RESIDUE_COMPAT_WINDOWS_LOWER_CASE_H_

#include <Windows.h>

#endif  // RESIDUE_COMPAT_WINDOWS_LOWER_CASE_H_
