// DXGI; see dxgi1_6.h.
#ifndef RESIDUE_COMPAT_DXGI1_5_H_
#define RESIDUE_COMPAT_DXGI1_5_H_

#include "dxgi1_6.h"

#endif  // RESIDUE_COMPAT_DXGI1_5_H_
