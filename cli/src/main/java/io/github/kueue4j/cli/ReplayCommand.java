// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.core.config.Launch;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.observe.recording.ForecastReplay;
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
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
  /** A forecast takes up to a second. */
  private static final int MOST_ASKED = 300;

  @Parameters(paramLabel = "FILE", description = "what record has written")
  private Path file = Path.of("");

  @Mixin private WhatIfOptions whatIf = new WhatIfOptions();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "the core's configuration (default: what was recorded)")
  private @Nullable Path config;

  @Mixin private FormatOption format = new FormatOption();

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description =
          "write an SVG of the use over time, recorded and replayed; with --when of the bands and"
              + " the waits")
  private @Nullable Path picture;

  @Option(
      names = "--when",
      description =
          "ask instead when Workloads get quota, a second after each came and with what was known"
              + " then, and count how often the band held; of up to 300")
  private boolean when;

  @Spec private @Nullable CommandSpec command;

  @Override
  public Integer call() {
    Logging.quiet();
    if (picture != null
        && picture.toAbsolutePath().normalize().equals(file.toAbsolutePath().normalize())) {
      throw new UserError(
          "--picture would overwrite the recording " + file + "; name another file");
    }
    RecordedLoad load = read(RecordedLoad::read);
    String answer = when ? forecasts(load) : comparison(load);
    PrintWriter out = Objects.requireNonNull(command).commandLine().getOut();
    out.print(answer);
    out.flush();
    return 0;
  }

  private String comparison(RecordedLoad load) {
    ReplayReport report = report(load);
    ReplayText text =
        new ReplayText(
            report,
            whatIf.quotas().isEmpty() && whatIf.withoutChecks().isEmpty() && config == null);
    if (picture != null) {
      draw(picture, UsePicture.svg(report));
    }
    return format.print(text::text, text::tree);
  }

  private String forecasts(RecordedLoad load) {
    if (!whatIf.quotas().isEmpty() || !whatIf.withoutChecks().isEmpty()) {
      throw new UserError(
          "--when compares forecasts with what was recorded; leave out --quota and --without-check");
    }
    int every = Math.max(1, Math.ceilDiv(load.workloads(), MOST_ASKED));
    ForecastReplayText text =
        new ForecastReplayText(read(in -> ForecastReplay.of(in, configuration(load), every)));
    if (picture != null) {
      draw(picture, BandPicture.svg(text.outcomes()));
    }
    return format.print(text::text, text::tree);
  }

  /** The part of a recording that is read. */
  @FunctionalInterface
  private interface RecordingUse<T> {
    T of(InputStream recording) throws IOException;
  }

  private <T> T read(RecordingUse<T> use) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return use.of(in);
    } catch (IllegalArgumentException e) {
      throw new UserError(file + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw new UserError(file + " can't be read: " + e + "; name a file of record", e);
    }
  }

  private ReplayReport report(RecordedLoad load) {
    try {
      return LoadReplay.of(
          load, configuration(load), new ReplayChanges(whatIf.quotas(), whatIf.withoutChecks()));
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

  private static void draw(Path picture, String svg) {
    try {
      Files.writeString(picture, svg);
    } catch (IOException e) {
      throw new UserError(
          picture + " can't be written: " + e + "; name a file in a folder that can be written to",
          e);
    }
  }
}
