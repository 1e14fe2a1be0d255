#include "command_line.h"

#include <algorithm>
#include <thread>

#include "apply.h"
#include "bench.h"
#include "choices.h"
#include "eval.h"
#include "explain.h"
#include "failure.h"
#include "list.h"
#include "manual_and_completions.h"
#include "number.h"
#include "run.h"
#include "suggestion.h"
#include "text.h"
#include "verify.h"
#include "version.h"

namespace residue::tool {
std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> OptionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

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

// CLI11 takes -7 for a number, but -inf and -.5 for options. With a blank in front they are neither, until
// they are read.
bool IsTakenForAnOption(const std::string& argument) {
  const std::string lower = Lower(argument);
  return lower.starts_with("-.") || lower.starts_with("-inf") || lower.starts_with("-nan");
}
CLI::Validator WithoutBlank() {
  return CLI::Validator(
      [](std::string& text) {
        if (text.starts_with(' ') && IsTakenForAnOption(text.substr(1))) text.erase(0, 1);
        return std::string();
      },
      "");
}

// An option whose values can be listed; whoever reads them says which are wrong.
CLI::Option* Choose(CommandLine* line, CLI::Option* option, std::vector<std::string> values) {
  line->values[option] = std::move(values);
  return option;
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
  Choose(line,
         command->add_option("-q,--queue_type", options->queue_type,
                             "compute or direct; there is no difference here"),
         {"compute", "direct"})
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
  CLI::App* command = AddCommand(
      line, "eval", "Compute one result; of a remainder, show what others would say", &Eval, options);
  Choose(line,
         command->add_option("operator", options->op,
                             "As `residue list` names them; floor (Python's %), truncate (C's)"),
         OperatorNames())
      ->required()
      ->type_name("OPERATOR");
  command->add_option("numbers", options->numbers, "One for each input of the operator")
      ->required()
      ->expected(1, 2)
      ->type_name("NUMBER")
      ->transform(WithoutBlank());
  Choose(line,
         command->add_option("--type", options->type,
                             "Element type (default: int64, or uint64, for integers, else float64, where "
                             "the operator takes these)"),
         TypeNames())
      ->type_name("TYPE");
  command->add_option("--param", options->parameters, "A parameter of the operator, e.g. scale=2")
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBER");
  command->add_flag("--bits", options->bits, "The numbers are bit patterns, in hexadecimal; needs --type");
  command->add_flag("--json", options->json, "Print JSON");
}

void AddApply(CommandLine* line) {
  const auto options = std::make_shared<ApplyOptions>();
  CLI::App* command = AddCommand(
      line, "apply", "Apply an operator to .npy files, columns of standard input, numbers", &Apply, options);
  Choose(line,
         command->add_option("operator", options->op, "As `residue list` names them, or floor, truncate"),
         OperatorNames())
      ->required()
      ->type_name("OPERATOR");
  command
      ->add_option("inputs", options->operands,
                   "Each a .npy file, a number, or - for a column of standard input; repeated as in NumPy")
      ->required()
      ->transform(WithoutBlank())
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "A .npy file, or another for text (default: print)")
      ->type_name("FILE")
      ->transform(WithoutBlank());
  Choose(line,
         command->add_option("--type", options->type,
                             "Element type (default: that of the files, or as eval chooses it)"),
         TypeNames())
      ->type_name("TYPE");
  command->add_option("--param", options->parameters, "A float32 parameter of the operator, e.g. scale=2")
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBER");
  command->add_option("--threads", options->threads, "Threads (default: all)")->transform(Natural(1, 65536));
}

void AddVerify(CommandLine* line) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      AddCommand(line, "verify", "Check that every operator is exact on this machine", &Verify, options);
  command->add_option("--seconds", options->seconds, "Time for random pairs")
      ->capture_default_str()
      ->check(Between(0, kMostSeconds));
  command->add_option("--seed", options->seed, "Where random pairs begin")
      ->capture_default_str()
      ->transform(Natural(0, UINT64_MAX));
  Choose(line, command->add_option("--target", options->target, "One instruction set only, e.g. AVX2"),
         TargetNames())
      ->type_name("TARGET");
  command->add_flag("--json", options->json, "Print JSON");
  command->add_option("--function", options->function, "One function, or all of one number, on 2^24 numbers")
      ->type_name("NAME");
  command->add_flag("--digest", options->digest, "Print one number for the results of all functions");
  command->add_flag("--exhaustive", options->exhaustive,
                    "On all 2^32 float32 numbers, or 1e10 pairs of them");
  command->add_flag("--halves", options->halves, "Results of float32 numbers as FLOAT16");
}

void AddBench(CommandLine* line) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command = AddCommand(
      line, "bench", "Measure throughput beside the limit of this machine's memory", &Bench, options);
  Choose(line, command->add_option("--op", options->ops, "Operators (default: all)"), OperatorNames())
      ->delimiter(',')
      ->type_name("OPERATOR");
  Choose(line, command->add_option("--type", options->types, "Element types (default: all)"), TypeNames())
      ->delimiter(',')
      ->type_name("TYPE");
  command->add_option("--size", options->mebibytes, "MiB of the largest tensor")
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

const CLI::App* FindCommand(const CLI::App& app, const std::string& name) {
  const std::vector<std::string> names = CommandNames(app);
  if (std::ranges::find(names, name) == names.end())
    Fail("there is no command '{}'{}", name, Suggestion(name, names, "; see residue --help"));
  return app.get_subcommand(name);
}

// What CLI11 would say less of: the first command or option that does not exist, and which is nearest.
void RefuseTypos(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* command = &app;
  for (const std::string& argument : arguments) {
    if (argument == "--") return;
    if (argument.starts_with("--")) {
      const std::string name = argument.substr(0, argument.find('='));
      const std::vector<std::string> names = OptionNames(*command);
      if (std::ranges::find(names, name) == names.end()) {
        const std::string of = command == &app ? "" : " " + command->get_name();
        Fail("there is no option '{}'{}", name,
             Suggestion(name, names, fmt::format("; see residue{} --help", of)));
      }
    } else if (command == &app && !argument.starts_with('-')) {
      command = FindCommand(app, argument);
    }
  }
}

// For those who type them; Parse makes the options of them.
void AddHelpAndVersion(CommandLine* line) {
  CLI::App* help =
      line->app->add_subcommand("help", "Print what --help prints, of a command if one is named");
  Choose(line, help->add_option("command", "A command"), CommandNames(*line->app))->type_name("COMMAND");
  line->app->add_subcommand("version", "Print what --version prints");
}

std::vector<std::string> WithoutHelpAndVersion(const std::vector<std::string>& arguments) {
  if (arguments.front() == "version") return {"--version"};
  if (arguments.front() != "help") return arguments;
  std::vector<std::string> options = {"--help"};
  if (arguments.size() > 1) options.insert(options.begin(), arguments[1]);
  return options;
}

}  // namespace

std::unique_ptr<CommandLine> MakeCommandLine() {
  auto line = std::make_unique<CommandLine>();
  line->app = std::make_unique<CLI::App>(
      "Exact element-wise maths at memory speed: apply, evaluate, run, verify, measure, explain.", "residue");
  CLI::App& app = *line->app;
  app.set_version_flag("--version", VersionText,
                       "Print versions and this machine's instruction sets, and end");
  app.require_subcommand(1);
  app.footer("Exit status: 0 fine, 1 a difference was found, 2 bad input, 130 interrupted.");
  AddEval(line.get());
  AddApply(line.get());
  AddRun(line.get());
  AddVerify(line.get());
  AddBench(line.get());
  AddExplain(line.get());
  const auto json = std::make_shared<bool>(false);
  CLI::App* list = app.add_subcommand("list", "Show operators, types, feature levels and instruction sets");
  list->add_flag("--json", *json, "Print JSON");
  list->callback([at = line.get(), json] { at->run = [json] { return List(*json); }; });
  AddDocuments(line.get());
  AddHelpAndVersion(line.get());
  return line;
}

void Parse(const CommandLine& line, const std::vector<std::string>& given) {
  const std::vector<std::string> arguments = WithoutHelpAndVersion(given);
  RefuseTypos(*line.app, arguments);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  const bool takes_numbers = arguments.front() == "eval" || arguments.front() == "apply";
  for (std::string& argument : reversed) {
    if (takes_numbers && IsTakenForAnOption(argument)) argument.insert(0, " ");
  }
  line.app->parse(reversed);
}

}  // namespace residue::tool
