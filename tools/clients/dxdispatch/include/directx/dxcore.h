// Debian's header, and what newer ones have. DxDispatch includes this name before it uses any of that.
#pragma once

#include_next <directx/dxcore.h>

#include <residue_d3d12.h>
