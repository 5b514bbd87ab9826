// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java program in a process of its own, of the class path of this test. */
final class OwnProcess implements AutoCloseable {
  private static final List<String> NOT_IGNORING = List.of("env", "--default-signal=INT");

  private final Process process;
  private final Path errors;

  private OwnProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
  }

  /**
   * Starts it with the POD_NAME and the logging that are given.
   *
   * @param folder where its standard error and its configuration of the logging are kept
   */
  static OwnProcess start(
      Path folder, String podName, String logging, Class<?> program, List<String> arguments)
      throws IOException {
    Path errors = folder.resolve("stderr");
    Path configuration = Files.writeString(folder.resolve("logback.xml"), logging);
    List<String> command = new ArrayList<>(NOT_IGNORING);
    command.addAll(
        List.of(
            "POD_NAME=" + podName,
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Dlogback.configurationFile=" + configuration,
            "-cp",
            System.getProperty("java.class.path"),
            program.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectError(errors.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new OwnProcess(process, errors);
  }

  /** Processes in the background of a script, as builds are, inherit that they ignore SIGINT. */
  static void assumeItCanBeInterrupted() throws Exception {
    List<String> command = new ArrayList<>(NOT_IGNORING);
    command.add("true");
    assumeTrue(new ProcessBuilder(command).start().waitFor() == 0, "env knows no --default-signal");
  }

  /** Sends a signal, such as TERM. */
  void signal(String name) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  /** What it wrote on standard error until now. */
  String errors() throws IOException {
    return Files.readString(errors);
  }

  /** It ends with this status, and without a stack trace or an error in the log. */
  void assertEnds(int status) throws Exception {
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("it ends: " + errors()).isTrue();
    assertThat(process.exitValue()).as(errors()).isEqualTo(status);
    assertThat(errors())
        .contains("The process was asked to end")
        .doesNotContain("\tat ", "Exception", "ERROR");
  }

  /** Ends it by SIGKILL, and waits until it has ended. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
