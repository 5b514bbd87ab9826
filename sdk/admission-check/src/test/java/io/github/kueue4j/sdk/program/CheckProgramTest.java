// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.Verdict;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** What a program says of its command line, its environment and its cluster before it starts. */
class CheckProgramTest {
  private static final CheckProgram PROGRAM =
      CheckProgram.named("license-check", CheckProgramTest::controller);

  private record Outcome(int status, String out, String err) {}

  /** The options of an author. */
  static final class LicenseOptions {
    @Option(names = "--license-server", description = "where the licenses are")
    @Nullable String server;
  }

  @Test
  void listsItsOptionsAndThoseOfTheAuthor() {
    Outcome help = run(PROGRAM.options(new LicenseOptions()), "--help");

    assertThat(help.status()).isZero();
    assertThat(help.out())
        .startsWith("Usage: license-check ")
        .contains(
            "--kubeconfig=FILE",
            "--context=NAME",
            "--http-port=PORT",
            "--metrics-port=PORT",
            "--leader-elect",
            "--lease=[NS/]NAME",
            "--guards=FILE",
            "--log-format=FORMAT",
            "--license-server=<server>",
            "\nExit status:\n",
            "\n  0     ended by SIGTERM, in order\n",
            "\nEnvironment:\n",
            "KUEUE4J_LOG_FORMAT");
  }

  @Test
  void readsTheOptionsOfTheAuthorBeforeItBuildsTheController() {
    LicenseOptions options = new LicenseOptions();

    Outcome outcome =
        run(
            CheckProgram.named(
                    "license-check",
                    environment -> {
                      throw new IllegalArgumentException("asks " + options.server);
                    })
                .options(options),
            "--license-server=here",
            "--server=http://127.0.0.1:1");

    assertThat(outcome.status()).as("nothing listens there").isEqualTo(2);
    assertThat(options.server).isEqualTo("here");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--kubconfig=x | Unknown option: '--kubconfig=x'",
        "--server=http://127.0.0.1:1 --kubeconfig=x | --server excludes --kubeconfig and --context; give one or the others",
        "--server=http://127.0.0.1:1 --context=x | --server excludes --kubeconfig and --context; give one or the others",
        "--kubeconfig=/nowhere | /nowhere",
        "--server=http://127.0.0.1:1 | can't reach the API server at http://127.0.0.1:1",
        "--lease=x | --lease x needs --leader-elect",
        "--leader-elect --lease=a/b/c | --lease a/b/c is no name of a Lease; give NAME or NAMESPACE/NAME",
        "--http-port=8080 --metrics-port=8080 | --metrics-port 8080 is that of --http-port, which serves /metrics already; leave it out",
        "--http-port=70000 | --http-port 70000 is no port; give 1 to 65535, or 0 for any free one",
        "--metrics-port=-1 | --metrics-port -1 is no port",
        "--log-format=xml | '--log-format': expected one of [TEXT, JSON] (case-insensitive) but was 'xml'",
        "--guards=/nowhere | /nowhere",
      })
  void saysInOneLineWhatCanBeCorrected(String arguments, String problem) {
    Outcome outcome = run(PROGRAM, arguments.split(" "));

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err().lines().findFirst().orElseThrow())
        .startsWith("license-check: ")
        .contains(problem);
    assertThat(outcome.err().lines().filter(line -> !line.startsWith("Try ")))
        .as("no stack trace")
        .hasSize(1);
  }

  @Test
  void refusesAClusterThatDoesNotKnowAdmissionChecks() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      assertThat(run(PROGRAM, "--server=" + server.uri()))
          .isEqualTo(
              new Outcome(
                  2,
                  "",
                  "license-check: the cluster at "
                      + server.uri()
                      + " does not serve kueue.x-k8s.io; install kueue-core or another"
                      + " implementation of that API first\n"));
    }
  }

  @Test
  void saysInOneLineWhatTheControllersBuilderRefuses() {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start()) {
      CheckProgram unnamed =
          CheckProgram.named(
              "license-check",
              environment -> CheckController.builder("license", environment).build());

      assertThat(run(unnamed, "--server=" + server.uri()).err())
          .startsWith("license-check: 'license' can't be the name of a check controller")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void saysInOneLineThatTheServerRefuses() {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start()) {
      RequestMatcher discovery = request -> request.path().startsWith("/apis/" + KueueTypes.GROUP);
      server.faults().failNext(100, discovery, 403);

      Outcome outcome = run(PROGRAM, "--server=" + server.uri());

      assertThat(outcome.status()).isEqualTo(2);
      assertThat(outcome.err()).startsWith("license-check: ").contains("403").hasLineCount(1);
    }
  }

  @Test
  void theOptionDecidesThenTheVariableThenInfoAsText() {
    Map<String, String> environment = Map.of("KUEUE4J_LOG", "debug", "KUEUE4J_LOG_FORMAT", "JSON");

    assertThat(ProgramLogging.of(Map.of()))
        .isEqualTo(new ProgramLogging(Level.INFO, LogFormat.TEXT, false));
    assertThat(ProgramLogging.of(environment))
        .isEqualTo(new ProgramLogging(Level.DEBUG, LogFormat.JSON, true));
    assertThat(ProgramLogging.of(Level.WARN, LogFormat.TEXT, environment))
        .isEqualTo(new ProgramLogging(Level.WARN, LogFormat.TEXT, true));
    assertThatThrownBy(() -> ProgramLogging.of(Map.of("KUEUE4J_LOG", "loud")))
        .isInstanceOf(StartRefusedException.class)
        .hasMessage(
            "the variable KUEUE4J_LOG is 'loud'; it takes one of error, warn, info, debug, trace");
  }

  private static CheckController controller(CheckEnvironment environment) {
    return CheckController.builder("example.com/license", environment)
        .check(evaluation -> Verdict.ready("Fine."))
        .build();
  }

  private static Outcome run(CheckProgram program, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        ProgramCommand.of(program).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = line.execute(arguments);
    return new Outcome(status, out.toString(), err.toString());
  }
}
