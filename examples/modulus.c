/* The C interface: one call on packed memory, then a plan that is made once and run twice. */
#include <inttypes.h>
#include <residue/residue.h>
#include <stdio.h>

int main(void) {
  const int64_t a[4] = {7, -7, INT64_MIN, 9007199254740993};
  const int64_t b[4] = {3, 3, -1, 10};
  int64_t out[4];
  residue_status status = residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_INT64, a, b, out, 4);
  if (status != RESIDUE_OK) {
    fprintf(stderr, "%s\n", residue_status_text(status));
    return 1;
  }
  printf("floor: %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", out[0], out[1], out[2], out[3]);

  /* Every second element of a, modulo one divisor. */
  residue_operand operands[3] = {
      {RESIDUE_INT64, 0, {16}}, /* a */
      {RESIDUE_INT64, 0, {0}},  /* b */
      {RESIDUE_INT64, 0, {8}},  /* out */
  };
  residue_problem problem = {0};
  problem.size = sizeof(problem);
  problem.op = RESIDUE_MODULUS_TRUNCATE;
  problem.rank = 1;
  problem.sizes[0] = 2;
  problem.operand_count = 3;
  problem.operands = operands;

  residue_plan* plan;
  status = residue_plan_create(&problem, &plan);
  if (status != RESIDUE_OK) {
    char why[256];
    residue_describe(&problem, why, sizeof(why));
    fprintf(stderr, "%s\n", why);
    return 1;
  }
  for (int i = 0; i < 2; ++i) {
    const void* const inputs[2] = {a + i, b + 3};
    if (residue_plan_run(plan, inputs, out, NULL) != RESIDUE_OK) return 1;
    printf("truncate, elements %d and %d mod 10: %" PRId64 " %" PRId64 "\n", i, i + 2, out[0], out[1]);
  }
  residue_plan_destroy(plan);

  /* What a refusal looks like. */
  char why[256];
  operands[2].strides[0] = 0;
  residue_describe(&problem, why, sizeof(why));
  printf("%s\n", why);
  return 0;
}
