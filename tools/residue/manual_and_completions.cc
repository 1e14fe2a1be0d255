#include "manual_and_completions.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "failure.h"
#include "residue/residue.h"

namespace residue::tool {
namespace {

std::vector<const CLI::App*> CommandsOf(const CLI::App& app) { return app.get_subcommands({}); }

bool IsPositional(const CLI::Option& option) {
  return option.get_lnames().empty() && option.get_snames().empty();
}

// "-i, --dispatch_iterations"
std::string NamesOf(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames())
    names += fmt::format("{}-{}", names.empty() ? "" : ", ", name);
  for (const std::string& name : option.get_lnames())
    names += fmt::format("{}--{}", names.empty() ? "" : ", ", name);
  return names;
}

// What follows an option's name, or nothing for a flag.
std::string ValueOf(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string type = option.get_type_name();
  // Checks are part of CLI11's type name; the first word is the type.
  return type.substr(0, type.find_first_of(" :{"));
}

// For troff: hyphens that are hyphens, and no line that begins with a command.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

void PrintOptions(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string names = IsPositional(*option) ? option->get_name(true) : NamesOf(*option);
    const std::string value = IsPositional(*option) ? "" : ValueOf(*option);
    std::string text = option->get_description();
    if (!option->get_default_str().empty()) text += fmt::format(" (default: {})", option->get_default_str());
    fmt::print(".TP\n.B {}{}\n{}\n", Escaped(names), value.empty() ? "" : " \\fI" + Escaped(value) + "\\fR",
               Escaped(text));
  }
}

int PrintManual(const CLI::App& app) {
  fmt::print(".TH RESIDUE 1 \"\" \"residue {}\" \"User Commands\"\n", RESIDUE_VERSION_STRING);
  fmt::print(".SH NAME\nresidue \\- exact modulus at memory speed\n");
  fmt::print(".SH SYNOPSIS\n.B residue\n.I COMMAND\n[\\fIOPTIONS\\fR]\n");
  fmt::print(".SH DESCRIPTION\n{}\n", Escaped(app.get_description()));
  fmt::print(".SH OPTIONS\n");
  PrintOptions(app);
  fmt::print(".SH COMMANDS\n");
  for (const CLI::App* command : CommandsOf(app)) {
    fmt::print(".SS residue {}\n{}.\n", Escaped(command->get_name()), Escaped(command->get_description()));
    PrintOptions(*command);
  }
  fmt::print(
      ".SH ENVIRONMENT\n"
      ".TP\n.B RESIDUE_MAX_TARGET\nThe best instruction set that may be used, e.g. AVX2. A "
      "name that no instruction set has is ignored, with a warning.\n"
      ".TP\n.B RESIDUE_DIRECTML_FEATURE_LEVEL\n"
      "The feature level that models are run at, e.g. 2_1, as if DirectML had no other.\n"
      ".TP\n.B NO_COLOR\nIf set and not empty, no colours.\n");
  fmt::print(".SH EXIT STATUS\n{}\n", Escaped(app.get_footer()));
  fmt::print(
      ".SH EXAMPLES\n.nf\nresidue eval floor \\-7 3\nresidue eval \\-\\-type float32 trunc 1e38 1e\\-3\n"
      "residue verify \\-\\-seconds 60\nresidue bench \\-\\-svg speed.svg\nresidue run model.json\n.fi\n");
  return kExitOk;
}

std::string LongNames(const CLI::App& app) {
  std::string names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames())
      names += fmt::format("{}--{}", names.empty() ? "" : " ", name);
  }
  return names;
}

std::string CommandNames(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : CommandsOf(app))
    names += fmt::format("{}{}", names.empty() ? "" : " ", command->get_name());
  return names;
}

void PrintBash(const CLI::App& app) {
  fmt::print(
      "# bash completion of residue; from `residue completion bash`\n"
      "_residue() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words='{} {}'\n"
      "  if [ \"$COMP_CWORD\" -gt 1 ]; then\n"
      "    case ${{COMP_WORDS[1]}} in\n",
      CommandNames(app), LongNames(app));
  for (const CLI::App* command : CommandsOf(app))
    fmt::print("      {}) words='{}' ;;\n", command->get_name(), LongNames(*command));
  fmt::print(
      "      *) words= ;;\n"
      "    esac\n"
      "  fi\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "  case $word in -*) ;; *) if [ \"$COMP_CWORD\" -gt 1 ]; then\n"
      "    mapfile -t -O \"${{#COMPREPLY[@]}}\" COMPREPLY < <(compgen -f -- \"$word\")\n"
      "  fi ;; esac\n"
      "}}\n"
      "complete -o filenames -F _residue residue\n");
}

// Brackets and quotes would end a description early.
std::string ZshText(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':') safe += '\\';
    if (c == '\'') safe += "'\\'";
    safe += c;
  }
  return safe;
}

void PrintZsh(const CLI::App& app) {
  fmt::print(
      "#compdef residue\n# zsh completion of residue; from `residue completion zsh`\n_residue() {{\n  local "
      "-a commands\n  commands=(\n");
  for (const CLI::App* command : CommandsOf(app))
    fmt::print("    '{}:{}'\n", command->get_name(), ZshText(command->get_description()));
  fmt::print(
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  case "
      "$words[2] in\n");
  for (const CLI::App* command : CommandsOf(app)) {
    fmt::print("    {}) _arguments", command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        fmt::print(" '--{}[{}]{}'", name, ZshText(option->get_description()),
                   ValueOf(*option).empty() ? "" : ":value:_files");
      }
    }
    fmt::print(" '*:file:_files' ;;\n");
  }
  fmt::print("  esac\n}}\n_residue \"$@\"\n");
}

}  // namespace

void AddDocuments(CommandLine* line) {
  CLI::App* manual = line->app->add_subcommand("manual", "Print the manual page, for man -l -");
  manual->callback([line] { line->run = [line] { return PrintManual(*line->app); }; });
  const auto shell = std::make_shared<std::string>();
  CLI::App* completion =
      line->app->add_subcommand("completion", "Print what a shell needs to complete commands and options");
  completion->add_option("shell", *shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}))
      ->type_name("SHELL");
  completion->callback([line, shell] {
    line->run = [line, shell] {
      *shell == "bash" ? PrintBash(*line->app) : PrintZsh(*line->app);
      return int{kExitOk};
    };
  });
}

}  // namespace residue::tool
