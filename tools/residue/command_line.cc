#include "command_line.h"

#include <thread>

#include "bench.h"
#include "eval.h"
#include "explain.h"
#include "failure.h"
#include "list.h"
#include "manual_and_completions.h"
#include "number.h"
#include "run.h"
#include "verify.h"
#include "version.h"

namespace residue::tool {
namespace {

// A number in a range, and nothing else: no NaN, no infinity, and no -1 that CLI11 would wrap round. As a
// transformation it also hands on what it has read, where CLI11 would take 010 for eight.
template <class T>
CLI::Validator InRange(const char* kind, T low, T high) {
  return CLI::Validator(
      [=](std::string& text) {
        const std::optional<T> value = ParseNumber<T>(text);
        const bool inside = value && *value >= low && *value <= high;  // which NaN is not
        if (!inside) return fmt::format("'{}' is not {} from {} to {}", OneLine(text), kind, low, high);
        text = fmt::format("{}", *value);
        return std::string();
      },
      "");
}
CLI::Validator Between(double low, double high) { return InRange("a number", low, high); }
CLI::Validator Natural(uint64_t low, uint64_t high) { return InRange("an integer", low, high); }

constexpr double kMostSeconds = 1e7;

// A subcommand whose options live as long as the command line does.
template <class Options>
CLI::App* AddCommand(CommandLine* line, const char* name, const char* description, int (*run)(const Options&),
                     std::shared_ptr<Options> options) {
  CLI::App* command = line->app->add_subcommand(name, description);
  command->callback([line, run, options] { line->run = [run, options] { return run(*options); }; });
  return command;
}

void AddRun(CommandLine* line) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = AddCommand(line, "run", "Run a DxDispatch model on the CPU", &RunModel, options);
  command->add_option("model,-m,--model", options->model, "JSON model")->type_name("FILE");
  command->add_option("--input_path", options->input_path, "Folder for input files (default: the model's)")
      ->type_name("FOLDER");
  command
      ->add_option("--output_path", options->output_path,
                   "Folder for output files (default: the current one)")
      ->type_name("FOLDER");
  command->add_flag("--print_commands", options->print_commands, "Print each command before it runs");
  command->add_option("-i,--dispatch_iterations", options->iterations, "Times to bind, dispatch and wait")
      ->capture_default_str()
      ->transform(Natural(1, UINT32_MAX));
  command->add_option("-r,--dispatch_repeat", options->repeat, "Dispatches in each iteration")
      ->capture_default_str()
      ->transform(Natural(1, UINT32_MAX));
  command
      ->add_option("-t,--milliseconds_to_run", options->milliseconds_to_run,
                   "Time to run, instead of iterations")
      ->check(Between(0, 1e3 * kMostSeconds));
  command
      ->add_option("-I,--dispatch_interval", options->interval_milliseconds,
                   "Least milliseconds from one iteration to the next")
      ->capture_default_str()
      ->check(Between(0, 1e3 * kMostSeconds));
  command->add_option("-w,--warmup_samples", options->warmup_samples, "Iterations that timings leave out")
      ->capture_default_str()
      ->transform(Natural(0, UINT32_MAX));
  command
      ->add_option("-v,--timing_verbosity", options->verbosity,
                   "0: median, 1: also initialization and cold, 2: everything")
      ->capture_default_str()
      ->transform(Natural(0, 2));
  command->add_flag("-d,--debug", options->debug, "Print DirectML's debug messages");
  command
      ->add_option("-q,--queue_type", options->queue_type, "compute or direct; there is no difference here")
      ->capture_default_str()
      ->check(CLI::IsMember({"compute", "direct"}))
      ->type_name("TYPE");
  command->add_option("-a,--adapter", options->adapter, "Part of the adapter's name")->type_name("NAME");
  command->add_flag("-s,--show_adapters", options->show_adapters, "Print the adapters, and end");
  command->add_flag("-S,--show_dependencies", options->show_dependencies, "Print versions, and end");
  command->add_option("--dml_feature_level", options->feature_level, "Least feature level, 1.0 to 6.4")
      ->capture_default_str()
      ->type_name("LEVEL");
}

void AddEval(CommandLine* line) {
  const auto options = std::make_shared<EvalOptions>();
  CLI::App* command =
      AddCommand(line, "eval", "Compute one remainder, and show what others would say", &Eval, options);
  command->add_option("operator", options->op, "floor (Python's %) or trunc (C's)")
      ->required()
      ->check(CLI::IsMember({"floor", "trunc"}))
      ->type_name("OPERATOR");
  command->add_option("a", options->a, "Dividend")->required()->type_name("A");
  command->add_option("b", options->b, "Divisor")->required()->type_name("B");
  command
      ->add_option("--type", options->type,
                   "Element type (default: int64, or uint64, for integers, else float64)")
      ->type_name("TYPE");
  command->add_flag("--bits", options->bits, "A and B are bit patterns, in hexadecimal; needs --type");
  command->add_flag("--json", options->json, "Print JSON");
}

void AddVerify(CommandLine* line) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      AddCommand(line, "verify", "Check that every kernel of this machine is exact", &Verify, options);
  command->add_option("--seconds", options->seconds, "Time for random pairs")
      ->capture_default_str()
      ->check(Between(0, kMostSeconds));
  command->add_option("--seed", options->seed, "Where random pairs begin")
      ->capture_default_str()
      ->transform(Natural(0, UINT64_MAX));
  command->add_option("--target", options->target, "One instruction set only, e.g. AVX2")
      ->type_name("TARGET");
  command->add_flag("--json", options->json, "Print JSON");
}

void AddBench(CommandLine* line) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command = AddCommand(
      line, "bench", "Measure throughput beside the limit of this machine's memory", &Bench, options);
  command->add_option("--op", options->ops, "floor, trunc (default: both)")
      ->check(CLI::IsMember({"floor", "trunc"}))
      ->delimiter(',')
      ->type_name("OPERATOR");
  command->add_option("--type", options->types, "Element types (default: all)")
      ->delimiter(',')
      ->type_name("TYPE");
  command->add_option("--size", options->mebibytes, "MiB of each of the three tensors")
      ->capture_default_str()
      ->check(Between(0.001, 1048576));
  command->add_option("--threads", options->threads, "Threads, at most as many as there are")
      ->capture_default_str()
      ->transform(Natural(1, std::max(1u, std::thread::hardware_concurrency())));
  command->add_option("--repetitions", options->repetitions, "Measurements of each, in turn")
      ->capture_default_str()
      ->transform(Natural(1, 100000));
  CLI::Option* json = command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("--csv", options->csv, "Print CSV")->excludes(json);
  command->add_option("--svg", options->svg, "Draw a picture into this file")->type_name("FILE");
}

void AddExplain(CommandLine* line) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* command =
      AddCommand(line, "explain", "Say which kernel a model would run, and why, or why it is refused",
                 &Explain, options);
  command->add_option("model", options->model, "JSON model")->required()->type_name("FILE");
  command->add_option("--input_path", options->input_path, "Folder for input files (default: the model's)")
      ->type_name("FOLDER");
  command->add_option("--dml_feature_level", options->feature_level, "Feature level, 1.0 to 6.4")
      ->capture_default_str()
      ->type_name("LEVEL");
  command->add_option("--threads", options->threads, "Threads (default: all)")->transform(Natural(1, 65536));
}

}  // namespace

std::unique_ptr<CommandLine> MakeCommandLine() {
  auto line = std::make_unique<CommandLine>();
  line->app = std::make_unique<CLI::App>(
      "Exact modulus at memory speed: run, evaluate, verify, measure, explain.", "residue");
  CLI::App& app = *line->app;
  app.set_version_flag("--version", VersionText,
                       "Print versions and this machine's instruction sets, and end");
  app.require_subcommand(1);
  app.footer("Exit status: 0 fine, 1 a difference was found, 2 bad input, 130 interrupted.");
  AddRun(line.get());
  AddEval(line.get());
  AddVerify(line.get());
  AddBench(line.get());
  AddExplain(line.get());
  const auto json = std::make_shared<bool>(false);
  CLI::App* list = app.add_subcommand("list", "Show operators, types, feature levels and kernels");
  list->add_flag("--json", *json, "Print JSON");
  list->callback([at = line.get(), json] { at->run = [json] { return List(*json); }; });
  AddDocuments(line.get());
  return line;
}

}  // namespace residue::tool
