#include "manual_and_completions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  fmt::print(".SH NAME\nresidue \\- element-wise maths with the same bits everywhere\n");
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
      ".SH EXAMPLES\n.nf\nresidue eval floor \\-7 3\nresidue eval \\-\\-type float32 truncate 1e38 1e\\-3\n"
      "residue apply floor angles.npy 360 \\-o out.npy\n"
      "residue verify \\-\\-seconds 60\nresidue bench \\-\\-svg speed.svg\nresidue run model.json\n.fi\n");
  return kExitOk;
}

std::string Words(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, " ")); }

// The values of an option that can be listed, with blanks between, or nothing.
std::string ValuesOf(const CommandLine& line, const CLI::Option& option) {
  const auto found = line.values.find(&option);
  return found == line.values.end() ? "" : Words(found->second);
}

std::vector<const CLI::Option*> PositionalsOf(const CLI::App& app) {
  std::vector<const CLI::Option*> positionals;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) positionals.push_back(option);
  }
  return positionals;
}

// "'eval --type'|'eval -t'": a command and the names of an option, as a pattern of the shell.
std::string Pattern(const CLI::App& command, const CLI::Option& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.get_lnames())
    patterns.push_back(fmt::format("'{} --{}'", command.get_name(), name));
  for (const std::string& name : option.get_snames())
    patterns.push_back(fmt::format("'{} -{}'", command.get_name(), name));
  return fmt::format("{}", fmt::join(patterns, "|"));
}

// What each command's options and places may be followed by. A place is the number of a word that is neither
// an option nor the value of one.
void PrintBash(const CommandLine& line) {
  std::string with_values;  // patterns of options that take a value
  std::string after;        // cases: an option's values
  std::string places;       // cases: the values of a place
  std::string options;      // cases: a command's options
  for (const CLI::App* command : CommandsOf(*line.app)) {
    options += fmt::format("    {}) words='{}' ;;\n", command->get_name(), Words(OptionNames(*command)));
    for (const CLI::Option* option : command->get_options()) {
      if (IsPositional(*option) || ValueOf(*option).empty()) continue;
      const std::string pattern = Pattern(*command, *option);
      with_values += (with_values.empty() ? "" : "|") + pattern;
      if (const std::string values = ValuesOf(line, *option); !values.empty())
        after += fmt::format("    {}) words='{}' files= ;;\n", pattern, values);
    }
    size_t place = 0;
    for (const CLI::Option* option : PositionalsOf(*command)) {
      if (const std::string values = ValuesOf(line, *option); !values.empty())
        places += fmt::format("        '{} {}') words='{}' files= ;;\n", command->get_name(), place, values);
      ++place;
    }
  }
  fmt::print(R"(# bash completion of residue; from `residue completion bash`
_residue() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} words= files=yes place=0 i
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W '{} {}' -- "$word")
    return
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    case "$command ${{COMP_WORDS[i]}}" in
      {}) ((++i)) ;;
      "$command -"?*) ;;
      *) ((++place)) ;;
    esac
  done
  case "$command ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{}    {}) ;;
    *)
      case "$command $place" in
{}      esac
      ;;
  esac
  case $word in -*) case $command in
{}  esac ;; esac
  mapfile -t COMPREPLY < <(
    compgen -W "$words" -- "$word"
    case $word in -*) ;; *) [ -z "$files" ] || compgen -f -- "$word" ;; esac
  )
}}
complete -o filenames -F _residue residue
)",
             Words(CommandNames(*line.app)), Words(OptionNames(*line.app)), with_values, after, with_values,
             places, options);
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

std::string ZshAction(const CommandLine& line, const CLI::Option& option) {
  const std::string values = ValuesOf(line, option);
  return values.empty() ? "_files" : fmt::format("({})", values);
}

void PrintZsh(const CommandLine& line) {
  fmt::print(
      "#compdef residue\n# zsh completion of residue; from `residue completion zsh`\n_residue() {{\n  local "
      "-a commands\n  commands=(\n");
  for (const CLI::App* command : CommandsOf(*line.app))
    fmt::print("    '{}:{}'\n", command->get_name(), ZshText(command->get_description()));
  fmt::print(
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n");
  for (const CLI::App* command : CommandsOf(*line.app)) {
    fmt::print("    {}) _arguments", command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      const std::string rest =
          fmt::format("[{}]{}", ZshText(option->get_description()),
                      ValueOf(*option).empty() ? "" : ":value:" + ZshAction(line, *option));
      for (const std::string& name : option->get_lnames()) fmt::print(" '--{}{}'", name, rest);
      for (const std::string& name : option->get_snames()) fmt::print(" '-{}{}'", name, rest);
    }
    size_t place = 1;
    for (const CLI::Option* option : PositionalsOf(*command)) {
      const bool is_last_of_many = option->get_items_expected_max() > 1;
      fmt::print(" '{}:{}:{}'", is_last_of_many ? "*" : std::to_string(place), option->get_name(true),
                 ZshAction(line, *option));
      ++place;
    }
    fmt::print(" ;;\n");
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
  CLI::Option* which = completion->add_option("shell", *shell, "bash or zsh");
  line->values[which] = {"bash", "zsh"};
  which->required()->check(CLI::IsMember({"bash", "zsh"}))->type_name("SHELL");
  completion->callback([line, shell] {
    line->run = [line, shell] {
      *shell == "bash" ? PrintBash(*line) : PrintZsh(*line);
      return int{kExitOk};
    };
  });
}

}  // namespace residue::tool
