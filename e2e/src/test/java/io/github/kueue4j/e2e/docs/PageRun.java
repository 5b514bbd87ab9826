// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.e2e.assembly.Playground;
import io.github.kueue4j.testdefaults.Notices;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page followed from top to bottom, on a cluster of its own with the running core: objects are
 * applied, commands run, patches sent, and what the page shows must then be there.
 */
final class PageRun implements AutoCloseable {
  private static final Duration JOB_RUNTIME = Duration.ofSeconds(2);
  private static final Pattern NEW_CHECK =
      Pattern.compile("\\./kueue4j new-check (?<name>\\S+) --directory (?<directory>\\S+)");
  private static final Pattern CHECKS = Pattern.compile("--checks (\\S+)");

  private final TimeSource time;
  private final Playground playground;
  private final LiveObjects objects;
  private final Path folder;
  private final Commands commands;

  /** Why what the page says to kubectl is not done, if so. */
  private final Optional<String> withoutKubectl;

  private PageRun(
      TimeSource time,
      Playground playground,
      Path folder,
      Commands commands,
      Optional<String> withoutKubectl) {
    this.time = time;
    this.playground = playground;
    this.objects = new LiveObjects(URI.create(playground.address()));
    this.folder = folder;
    this.commands = commands;
    this.withoutKubectl = withoutKubectl;
  }

  /** Whether this is a snippet that acts on a cluster. */
  static boolean isStep(Page.Snippet snippet) {
    return switch (snippet.language()) {
      case "yaml", "json" -> true;
      case "sh" -> Commands.hasSomethingToRun(snippet.code());
      default -> false;
    };
  }

  /**
   * Starts the cluster that the page starts.
   *
   * @param folder empty, where the commands run
   * @param root of the checkout
   */
  static PageRun start(Page page, Path folder, Path root) throws IOException, InterruptedException {
    for (String shown : List.of("examples", "charts")) {
      Files.createSymbolicLink(folder.resolve(shown), root.resolve(shown));
    }
    writeProjects(page, folder);
    TimeSource time = TimeSource.system();
    Playground playground =
        Playground.start(
            new Playground.Options(0, Playground.quietConfiguration(), checks(page), JOB_RUNTIME),
            time);
    Path kubeconfig =
        Files.copy(
            playground.kubeconfig(),
            Files.createDirectories(folder.resolve(".kueue4j")).resolve("kubeconfig"));
    Optional<String> missing = Commands.whyUnavailable("kubectl version");
    missing.ifPresent(why -> Notices.once("kubectl commands of pages not run: " + why));
    return new PageRun(
        time, playground, folder, new Commands(folder, kubeconfig, playground.address()), missing);
  }

  /** Those that the page writes with {@code ./kueue4j new-check}, for the steps after that. */
  private static void writeProjects(Page page, Path folder) {
    for (String launch : page.launches()) {
      Matcher words = NEW_CHECK.matcher(launch);
      if (words.matches()) {
        StringWriter problems = new StringWriter();
        int status =
            Main.run(
                new PrintWriter(Writer.nullWriter()),
                new PrintWriter(problems),
                "new-check",
                words.group("name"),
                "--directory=" + folder.resolve(words.group("directory")).normalize());
        assertThat(status).as(launch + ": " + problems).isZero();
      }
    }
  }

  /** Those that the page starts with {@code ./kueue4j up}; none if it doesn't. */
  private static Set<CheckName> checks(Page page) {
    Optional<String> launch =
        page.launches().stream().filter(line -> line.startsWith("./kueue4j up")).findFirst();
    if (launch.isEmpty()) {
      return Set.of();
    }
    Matcher named = CHECKS.matcher(launch.get());
    if (!named.find()) {
      return EnumSet.allOf(CheckName.class);
    }
    EnumSet<CheckName> checks = EnumSet.noneOf(CheckName.class);
    for (String word : named.group(1).split(",", -1)) {
      CheckName.of(word).ifPresent(checks::add);
    }
    return checks;
  }

  /** Does what the snippet says. */
  void follow(Page.Snippet snippet) throws IOException, InterruptedException {
    switch (snippet.language()) {
      case "yaml" -> followYaml(snippet);
      case "json" -> {
        String instruction = snippet.markers().get("patch");
        assertThat(instruction).as("a JSON block needs <!-- patch: ... -->").isNotNull();
        String file = snippet.markers().get("file");
        if (file != null) {
          Files.writeString(folder.resolve(file), snippet.code());
        }
        if (file != null && withoutKubectl.isEmpty()) {
          objects.awaitTurn(instruction); // The commands that follow send it.
        } else {
          objects.patch(instruction, JsonParser.parseString(snippet.code()));
        }
      }
      default -> {
        Optional<String> missing = Commands.whyUnavailable(snippet.code());
        if (missing.isEmpty()) {
          commands.run(snippet.code());
        } else if (!missing.equals(withoutKubectl)) {
          Notices.once("commands of pages not run: " + missing.get());
        }
      }
    }
  }

  private void followYaml(Page.Snippet snippet) throws IOException {
    if (snippet.markers().containsKey("file")) {
      Files.writeString(folder.resolve(snippet.markers().get("file")), snippet.code());
    }
    List<JsonObject> documents = LiveObjects.documents(snippet.code());
    assertThat(documents).isNotEmpty();
    for (JsonObject document : documents) {
      if (snippet.markers().containsKey("shows")) {
        objects.shows(snippet.markers().get("shows"), document);
      } else if (document.has("kind")
          && document.get("kind").getAsString().equals("Configuration")) {
        assertThat(Configuration.parse(snippet.code()).unusedKeys())
            .as("keys that have no effect yet")
            .isEmpty();
      } else {
        assertThat(document.keySet())
            .as("an excerpt needs <!-- shows: ... -->")
            .contains("apiVersion", "kind", "metadata");
        objects.apply(document);
      }
    }
  }

  @Override
  public void close() {
    try (time;
        playground) {
      objects.close();
    }
  }
}
