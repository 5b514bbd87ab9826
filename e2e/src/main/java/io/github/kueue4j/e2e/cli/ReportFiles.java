// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.testkit.conformance.ConformanceReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a report of the conformance kit is kept besides being printed. */
final class ReportFiles {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "also write the report to this file as JSON")
  private @Nullable Path jsonFile;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "also write it to this file as JUnit's XML, for build servers")
  private @Nullable Path junitFile;

  /** A run takes a minute; that its result can't be kept is told before. */
  void requireFolders() {
    requireFolder("--json", jsonFile);
    requireFolder("--junit", junitFile);
  }

  static void requireFolder(String option, @Nullable Path file) {
    if (file == null) {
      return;
    }
    Path folder = Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file);
    if (!Files.isDirectory(folder) || Files.isDirectory(file)) {
      throw new UserError(
          option + " " + file + ": name a file in a folder that exists, not a folder");
    }
  }

  void write(ConformanceReport report) {
    write(jsonFile, report.toJson());
    write(junitFile, report.toJunit());
  }

  private static void write(@Nullable Path file, String text) {
    if (file != null) {
      try {
        Files.writeString(file, text);
      } catch (IOException e) {
        throw new UserError("can't write " + file + ": " + e, e);
      }
    }
  }
}
