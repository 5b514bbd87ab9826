// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The launcher's commands on one page: by group, each with what it does and its options. Taken from
 * the commands' own descriptions, which {@code COMMAND --help} prints in full.
 */
final class CommandOverview implements IHelpSectionRenderer {
  private static final int INDENT = 6;
  private static final int NAMES_WIDTH = 30;
  private static final int GAP = 2;

  private final Map<String, CommandGroup> groups;

  /** An overview of the commands with these names; others are left out. */
  CommandOverview(Map<String, CommandGroup> groups) {
    this.groups = Map.copyOf(groups);
  }

  @Override
  public String render(Help help) {
    StringBuilder page = new StringBuilder();
    for (CommandGroup group : CommandGroup.values()) {
      List<Help> commands =
          help.subcommands().entrySet().stream()
              .filter(each -> groups.get(each.getKey()) == group)
              .map(Map.Entry::getValue)
              .toList();
      if (!commands.isEmpty()) {
        page.append(help.createHeading("%n" + group.heading() + ":%n"));
        commands.forEach(each -> page.append(entry(each)));
      }
    }
    return page.toString();
  }

  private static String entry(Help help) {
    CommandSpec command = help.commandSpec();
    String synopsis =
        Stream.of(
                Stream.of(help.colorScheme().commandText(command.name())),
                Stream.concat(
                        command.options().stream()
                            .filter(each -> each.required() && each.group() == null),
                        positional(command))
                    .map(each -> label(help, each)),
                command.argGroups().stream()
                    .filter(ArgGroupSpec::exclusive)
                    .map(group -> choice(help, group)),
                Stream.of(command.usageMessage().synopsisSubcommandLabel())
                    .filter(unused -> !command.subcommands().isEmpty())
                    .map(help.colorScheme()::parameterText))
            .flatMap(parts -> parts)
            .map(Text::toString)
            .collect(Collectors.joining(" "));
    int width = command.usageMessage().width();
    TextTable description =
        TextTable.forColumns(help.colorScheme(), new Column(width, INDENT, Column.Overflow.WRAP));
    description.indentWrappedLines = 0;
    description.addRowValues(command.usageMessage().description()[0]);
    TextTable arguments =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(INDENT + NAMES_WIDTH, INDENT, Column.Overflow.SPAN),
            new Column(width - INDENT - NAMES_WIDTH, GAP, Column.Overflow.WRAP));
    arguments.indentWrappedLines = 0;
    if (!command.subcommands().isEmpty()) {
      arguments.addRowValues(
          help.colorScheme().parameterText(command.usageMessage().synopsisSubcommandLabel()),
          help.colorScheme().text("one of " + String.join(", ", command.subcommands().keySet())));
    }
    Map<ArgSpec, String> listed = new LinkedHashMap<>();
    command.positionalParameters().forEach(each -> listed.put(each, ""));
    command.options().forEach(each -> listed.put(each, ""));
    listed.putAll(shared(command));
    listed.forEach(
        (each, limits) -> {
          if (!isHelp(each) && !each.hidden()) {
            arguments.addRowValues(
                label(help, each), help.colorScheme().text(each.description()[0] + limits));
          }
        });
    return "  " + synopsis + System.lineSeparator() + description + arguments;
  }

  private static boolean isHelp(ArgSpec argument) {
    return argument instanceof OptionSpec option && (option.usageHelp() || option.versionHelp());
  }

  private static Stream<? extends ArgSpec> positional(CommandSpec command) {
    return command.positionalParameters().stream().filter(each -> !each.hidden());
  }

  /** {@code (--one=A | --other=B)}. */
  private static Text choice(Help help, ArgGroupSpec group) {
    return help.colorScheme()
        .text(
            group.options().stream()
                .map(each -> label(help, each).toString())
                .collect(Collectors.joining(" | ", "(", ")")));
  }

  /** The options that all subcommands have, or all but a third of them at most. */
  private static Map<OptionSpec, String> shared(CommandSpec command) {
    Map<String, CommandLine> subcommands = command.subcommands();
    Map<OptionSpec, String> shared = new LinkedHashMap<>();
    subcommands.values().stream()
        .limit(1)
        .flatMap(first -> first.getCommandSpec().options().stream())
        .forEach(
            option -> {
              List<String> without =
                  subcommands.entrySet().stream()
                      .filter(
                          one ->
                              one.getValue().getCommandSpec().findOption(option.longestName())
                                  == null)
                      .map(Map.Entry::getKey)
                      .toList();
              if (without.isEmpty()) {
                shared.put(option, "");
              } else if (without.size() <= subcommands.size() / 3) {
                shared.put(option, "; not of " + String.join(" or ", without));
              }
            });
    return shared;
  }

  /** {@code -n, --namespace=NS}, {@code NAME}. */
  private static Text label(Help help, ArgSpec argument) {
    Text label =
        help.parameterLabelRenderer()
            .renderParameterLabel(argument, help.colorScheme().ansi(), List.of());
    return argument instanceof OptionSpec option
        ? help.colorScheme().optionText(String.join(", ", option.names())).concat(label)
        : label;
  }
}
