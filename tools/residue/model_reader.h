// From a DxDispatch model's JSON to a Model, or to one line that says what is wrong and where.
#pragma once

#include <string>
#include <string_view>

#include "initial_values.h"
#include "model.h"

namespace residue::tool {

// `name` is the model's in errors.
Model ParseModel(std::string_view text, const std::string& name, ModelLimits limits);

// Reads the file; empty folders stand for the model's own and for the current one.
Model LoadModel(const std::string& path, const std::string& input_folder, const std::string& output_folder);

}  // namespace residue::tool
