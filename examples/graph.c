/* A graph of two operators: (a * 0.5 + 1) mod b, computed in one walk over memory. */
#include <residue/residue.h>
#include <stdio.h>

enum { COUNT = 4 };

/* Every call that builds says whether it could; the first refusal is kept. */
static residue_status status = RESIDUE_OK;
static void check(residue_status given) {
  if (status == RESIDUE_OK) status = given;
}

int main(void) {
  const float a_values[COUNT] = {1.0f, 2.0f, 3.0f, -9.0f};
  const float b_values[COUNT] = {1.0f, 1.0f, 2.0f, 2.0f};
  float out_values[COUNT];

  residue_graph* graph;
  if (residue_graph_create(&graph) != RESIDUE_OK) return 1;
  uint32_t a = 0, b = 0, scaled = 0, out = 0;
  check(residue_graph_add_tensor(graph, RESIDUE_TENSOR_INPUT, sizeof(a_values), NULL, &a));
  check(residue_graph_add_tensor(graph, RESIDUE_TENSOR_INPUT, sizeof(b_values), NULL, &b));
  check(residue_graph_add_tensor(graph, RESIDUE_TENSOR_TEMPORARY, sizeof(a_values), NULL, &scaled));
  check(residue_graph_add_tensor(graph, RESIDUE_TENSOR_OUTPUT, sizeof(out_values), NULL, &out));

  const residue_operand packed = {RESIDUE_FLOAT32, 0, {sizeof(float)}};
  const residue_operand operands[3] = {packed, packed, packed};
  const residue_scale_bias scale_bias = {0.5f, 1.0f};
  residue_problem problem = {0};
  problem.size = sizeof(problem);
  problem.op = RESIDUE_SCALE_BIAS;
  problem.rank = 1;
  problem.sizes[0] = COUNT;
  problem.operand_count = 2;
  problem.operands = operands;
  problem.params = &scale_bias;
  problem.params_size = sizeof(scale_bias);
  const uint32_t first[2] = {a, scaled};
  check(residue_graph_add_node(graph, &problem, first, NULL));

  problem.op = RESIDUE_MODULUS_FLOOR;
  problem.operand_count = 3;
  problem.params = NULL;
  problem.params_size = 0;
  const uint32_t second[3] = {scaled, b, out};
  check(residue_graph_add_node(graph, &problem, second, NULL));
  check(residue_graph_compile(graph));

  const void* const inputs[2] = {a_values, b_values};
  void* const outputs[1] = {out_values};
  if (status == RESIDUE_OK) status = residue_graph_run(graph, inputs, outputs, NULL, NULL);
  if (status == RESIDUE_OK) {
    printf("%g %g %g %g\n", out_values[0], out_values[1], out_values[2], out_values[3]);
    printf("temporary memory: %u bytes\n", (unsigned)residue_graph_temporary_size(graph));
  } else {
    fprintf(stderr, "%s\n", residue_status_text(status));
  }
  residue_graph_destroy(graph);
  return status == RESIDUE_OK ? 0 : 1;
}
