// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.cli.project.CheckProject;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kueue4j new-check NAME}: the project of a check of one's own. */
@Command(
    name = "new-check",
    description =
        "Writes a Maven project of a check with parameters: its code and test, its image, its rights"
            + " and manifests.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class NewCheckCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      description =
          "of the AdmissionCheck, such as license; the program is called NAME-check, or NAME where it"
              + " ends so")
  private String name = "";

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "where to write it; new or empty (default: the name of the program)")
  private @Nullable Path directory;

  @Option(
      names = "--package",
      paramLabel = "PACKAGE",
      description = "of its classes (default: com.example.NAME)")
  private @Nullable String javaPackage;

  @Option(
      names = "--controller-name",
      paramLabel = "NAME",
      description = "spec.controllerName of its AdmissionChecks (default: example.com/NAME)")
  private @Nullable String controllerName;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "where it runs and its parameters lie (default: ${DEFAULT-VALUE})")
  private String namespace = "default";

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    try {
      CheckProject project =
          new CheckProject(
              name,
              javaPackage == null ? CheckProject.usualPackage(name) : javaPackage,
              controllerName == null ? CheckProject.usualControllerName(name) : controllerName,
              namespace);
      Path folder = directory == null ? Path.of(project.program()) : directory;
      write(project, folder);
      return 0;
    } catch (IllegalArgumentException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private void write(CheckProject project, Path folder) {
    try {
      mustBeNewOrEmpty(folder);
      say(folder, project.program(), project.write(folder));
    } catch (IOException e) {
      throw new UserError("can't write the project to " + folder + ": " + e, e);
    }
  }

  private static void mustBeNewOrEmpty(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.isDirectory(folder) ? Files.list(folder) : Stream.of(folder)) {
      if (files.findAny().isPresent()) {
        throw new UserError(folder + " exists and isn't empty; choose another with --directory");
      }
    }
  }

  private void say(Path folder, String program, List<Path> files) {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    out.println("Wrote " + files.size() + " files to " + folder + ":");
    files.forEach(file -> out.println("  " + file));
    out.println();
    out.println("Next:");
    out.println("  cd " + folder);
    out.println("  mvn verify");
    out.println("  java -jar target/" + program + ".jar --help");
    out.println("Its README.md says where the SDK comes from, how to try it and how to deploy it.");
    out.flush();
  }
}
