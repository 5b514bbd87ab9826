// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.core.yaml.InvalidConfigurationException;
import io.github.kueue4j.observe.recording.LoadReplay;
import io.github.kueue4j.observe.recording.RecordedLoad;
import io.github.kueue4j.observe.recording.ReplayChanges;
import io.github.kueue4j.observe.recording.ReplayReport;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kueue4j replay FILE}: a recorded load, run anew in virtual time. */
@Command(
    name = "replay",
    description =
        "Runs a recorded load through the scheduler in virtual time, with another quota,"
            + " configuration or fewer checks, and compares waits, use and preemptions by"
            + " ClusterQueue. Needs no cluster.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class ReplayCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "what record has written")
  private Path file = Path.of("");

  @Option(
      names = "--quota",
      paramLabel = "CLUSTERQUEUE/RESOURCE=AMOUNT",
      description =
          "what if a ClusterQueue had this nominal quota; CLUSTERQUEUE/FLAVOR/RESOURCE where several"
              + " flavors have the resource")
  private Map<String, String> quotas = new LinkedHashMap<>();

  @Option(
      names = "--without-check",
      paramLabel = "CHECK",
      description = "what if no ClusterQueue required this admission check")
  private List<String> withoutChecks = new ArrayList<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "the core's configuration (default: what was recorded)")
  private @Nullable Path config;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, json or yaml (default: text)")
  private AnswerOptions.Format format = AnswerOptions.Format.TEXT;

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description = "write an SVG of the use over time, recorded and replayed")
  private @Nullable Path picture;

  @Spec private @Nullable CommandSpec command;

  @Override
  public Integer call() {
    Logging.quiet();
    if (picture != null
        && picture.toAbsolutePath().normalize().equals(file.toAbsolutePath().normalize())) {
      throw new UserError(
          "--picture would overwrite the recording " + file + "; name another file");
    }
    RecordedLoad load = load();
    ReplayReport report = report(load);
    ReplayText text =
        new ReplayText(report, quotas.isEmpty() && withoutChecks.isEmpty() && config == null);
    if (picture != null) {
      draw(picture, report);
    }
    PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
    out.print(format.print(text::text, text::tree));
    out.flush();
    return 0;
  }

  private RecordedLoad load() {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return RecordedLoad.read(in);
    } catch (IllegalArgumentException e) {
      throw new UserError(file + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UserError(file + " can't be read: " + e + "; name a file of record", e);
    }
  }

  private ReplayReport report(RecordedLoad load) {
    try {
      return LoadReplay.of(load, configuration(load), new ReplayChanges(quotas, withoutChecks));
    } catch (IllegalArgumentException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private Configuration configuration(RecordedLoad load) {
    Launch launch = Launch.plain().ignoringUnsupported(true);
    try {
      return config == null
          ? load.extent()
              .configuration()
              .map(text -> Configuration.parse(text, launch))
              .orElseGet(Configuration::defaults)
          : Configuration.load(config, launch);
    } catch (InvalidConfigurationException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private static void draw(Path picture, ReplayReport report) {
    try {
      Files.writeString(picture, UsePicture.svg(report));
    } catch (IOException e) {
      throw new UserError(
          picture + " can't be written: " + e + "; name a file in a folder that can be written to",
          e);
    }
  }
}
