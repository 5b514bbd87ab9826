// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.api.time.TimeSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code kueue4j ready}: asks components whether they are ready. The image has no other program
 * that could: the pods of {@code helm test} run this.
 */
@Command(
    name = "ready",
    description = "Asks URLs, again and again, until each has answered 200.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      ExitStatus.DONE,
      "1:not all have answered 200 in time; the last answer of each is printed",
      ExitStatus.USER_ERROR
    })
final class ReadyCommand implements Callable<Integer> {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PATIENCE_PER_REQUEST = Duration.ofSeconds(5);
  private static final int LONGEST_ANSWER = 300;

  @Parameters(
      arity = "1..*",
      paramLabel = "URL",
      description = "such as http://localhost:8081/readyz")
  private List<URI> urls = new ArrayList<>();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "how long that may take (default: 1m)")
  private Duration timeout = Duration.ofMinutes(1);

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    urls.forEach(ReadyCommand::mustBeHttp);
    HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE_PER_REQUEST).build();
    try (Interruption interruption = Interruption.listen()) {
      return await(client, TimeSource.wallClock(), interruption);
    } finally {
      client.shutdownNow();
    }
  }

  private static void mustBeHttp(URI url) {
    if (url.getHost() == null || !List.of("http", "https").contains(url.getScheme())) {
      throw new UserError(
          "'" + url + "' is no URL that can be asked; give one such as http://HOST:8081/readyz");
    }
  }

  private int await(HttpClient client, InstantSource clock, Interruption interruption)
      throws InterruptedException {
    Instant deadline = clock.instant().plus(timeout);
    List<String> problems = problems(client);
    while (!problems.isEmpty() && clock.instant().isBefore(deadline)) {
      if (interruption.await(PAUSE)) {
        break;
      }
      problems = problems(client);
    }
    if (problems.isEmpty()) {
      urls.forEach(url -> print(url + ": ready"));
      return 0;
    }
    problems.forEach(
        problem -> print("not ready within " + GoDuration.format(timeout) + ": " + problem));
    return 1;
  }

  private List<String> problems(HttpClient client) throws InterruptedException {
    List<String> problems = new ArrayList<>();
    for (URI url : urls) {
      problem(client, url).ifPresent(problem -> problems.add(url + ": " + problem));
    }
    return problems;
  }

  private static Optional<String> problem(HttpClient client, URI url) throws InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(url).timeout(PATIENCE_PER_REQUEST).build();
    try {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() == 200) {
        return Optional.empty();
      }
      String text = answer.body().strip();
      return Optional.of(
          answer.statusCode() + " " + text.substring(0, Math.min(text.length(), LONGEST_ANSWER)));
    } catch (IOException e) {
      return Optional.of("no answer, " + e);
    }
  }

  private void print(String line) {
    if (spec != null) {
      spec.commandLine().getOut().println(line);
    }
  }
}
