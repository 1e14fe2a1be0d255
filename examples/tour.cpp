// A tour of the C++ interface: arrays, numbers, views, errors, plans and graphs.
#include <cstdio>
#include <residue/residue.hpp>
#include <vector>

namespace {

void Arrays() {
  const std::vector<float> a = {5.5f, -5.5f, 725.0f};
  const std::vector<float> b = {3.0f, 3.0f, 360.0f};
  std::vector<float> out(3);
  if (!residue::ModulusFloor(a, b, out)) return;
  std::printf("arrays:      %g %g %g\n", out[0], out[1], out[2]);
  if (!residue::ModulusFloor(a, 2.0f, out)) return;
  std::printf("one number:  %g %g %g\n", out[0], out[1], out[2]);
}

void Values() {
  const float angle = residue::ModulusFloor(725.0f, 360.0f);
  const std::vector<int> hours = residue::ModulusFloor(std::vector<int>{25, -1, 48}, 24);
  std::printf("values:      %g, %d %d %d\n", angle, hours[0], hours[1], hours[2]);
}

void Views() {
  const int matrix[2][3] = {{10, 11, 12}, {13, 14, 15}};
  const std::vector<int> row = {3, 4, 5};
  int transposed[3][2];
  // The output is written column by column: its strides, counted in elements, are 1 and 2.
  const residue::StridedView to(&transposed[0][0], {2, 3}, {1, 2});
  if (!residue::ModulusFloor(residue::StridedView(&matrix[0][0], {2, 3}), row, to)) return;
  for (const auto& pair : transposed) std::printf("view:        %d %d\n", pair[0], pair[1]);
}

void Errors() {
  const std::vector<float> a(4);
  const std::vector<float> b(3);
  std::vector<float> out(4);
  const residue::Result result = residue::ModulusFloor(a, b, out);
  if (!result) std::printf("error:       %s\n", result.message().c_str());
}

void Plans() {
  const float a[2][2] = {{1.5f, 2.5f}, {3.5f, 4.5f}};
  const float b[1] = {2.0f};
  float out[2][2];
  const residue::StridedView from(&a[0][0], {2, 2}, {1, 2});
  const residue::StridedView to(&out[0][0], {2, 2});
  residue::Plan<float> plan;
  if (!plan.Prepare(RESIDUE_MODULUS_TRUNCATE, from, b, to)) return;
  if (!plan.Run(&a[0][0], b, &out[0][0])) return;
  std::printf("plan:        %g %g %g %g\n", out[0][0], out[0][1], out[1][0], out[1][1]);
}

void Graphs() {
  residue::Graph g;
  const auto a = g.Input<float>({3});
  const auto y = g.ModulusFloor(g.Identity(a, 2.0f, 1.0f), 360.f);
  g.Output(y);
  if (const residue::Result result = g.Compile(); !result) {
    std::printf("%s\n", result.message().c_str());
    return;
  }
  const std::vector<float> in = {179.0f, 180.0f, -1.0f};
  std::vector<float> out(3);
  if (!g.Run({in}, {out})) return;
  std::printf("graph:       %g %g %g\n", out[0], out[1], out[2]);
}

}  // namespace

int main() {
  Arrays();
  Values();
  Views();
  Errors();
  Plans();
  Graphs();
}
