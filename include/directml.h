// The same header under the name its documentation uses, for case-sensitive file systems.
#pragma once
#include "DirectML.h"
