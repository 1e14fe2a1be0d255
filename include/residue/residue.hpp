// Residue: exact element-wise operators on arrays, spans and strided views. The C++20 interface, header-only
// over residue.h.
//
//   std::vector<float> a{5.5f, -5.5f}, out(2);
//   if (!residue::ModulusFloor(a, 2.0f, out)) return 1;              // out = {1.5f, 0.5f}
//   float angle = residue::ModulusFloor(725.0f, 360.0f);  // 5
//
// See residue.h for the numerics. The inline namespace keeps these names apart from those inside the library,
// and from those of later editions.
#ifndef RESIDUE_RESIDUE_HPP_
#define RESIDUE_RESIDUE_HPP_

#if !defined(__cplusplus) || __cplusplus < 202002L
#error \
    "the C++ interface of Residue needs C++20: compile with -std=c++20. residue/residue.h is for C and older C++."
#else

// First, so that compilers name few files when they complain about what is in them.
#include <residue/detail/call.hpp>
#include <residue/detail/evaluate.hpp>

#include <residue/element.hpp>    // IWYU pragma: export
#include <residue/functions.hpp>  // IWYU pragma: export
#include <residue/graph.hpp>      // IWYU pragma: export
#include <residue/operators.hpp>  // IWYU pragma: export
#include <residue/plan.hpp>       // IWYU pragma: export
#include <residue/result.hpp>     // IWYU pragma: export
#include <residue/view.hpp>       // IWYU pragma: export

#endif
#endif  // RESIDUE_RESIDUE_HPP_
