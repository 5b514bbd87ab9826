// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.stories;

import io.github.kueue4j.testdefaults.Notices;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Prints a row for each story on an installation when it has ended: how it went, how long it took,
 * what it saw.
 */
final class StoryTable implements BeforeEachCallback, ParameterResolver, TestWatcher {
  private static final Namespace OWN = Namespace.create(StoryTable.class);

  /** A story from its beginning on. */
  private record Telling(Seen seen, long began) {}

  /** Whether rows are printed: on a real cluster they are what the run is for. */
  private static boolean isPrinted(ExtensionContext story) {
    return InstalledStories.class.isAssignableFrom(story.getRequiredTestClass());
  }

  @Override
  public void beforeEach(ExtensionContext story) {
    telling(story).put(story.getUniqueId(), new Telling(new Seen(), System.nanoTime()));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext story) {
    return parameter.getParameter().getType() == Seen.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext story) {
    return told(story).orElseThrow().seen();
  }

  @Override
  public void testSuccessful(ExtensionContext story) {
    print("passed", story, "");
  }

  @Override
  public void testAborted(ExtensionContext story, Throwable cause) {
    print("skipped", story, firstLine(cause));
  }

  @Override
  public void testFailed(ExtensionContext story, Throwable cause) {
    print("FAILED", story, firstLine(cause));
  }

  @Override
  public void testDisabled(ExtensionContext story, Optional<String> reason) {
    print("skipped", story, reason.orElse(""));
  }

  private static void print(String result, ExtensionContext story, String more) {
    if (isPrinted(story)) {
      double seconds =
          told(story).map(each -> (System.nanoTime() - each.began()) / 1e9).orElse(0.0);
      String facts = told(story).map(each -> each.seen().toString()).orElse("");
      Notices.once(
          String.format(
                  Locale.ROOT,
                  "| %-7s | %6.1f s | %-58s | %s",
                  result,
                  seconds,
                  story.getDisplayName(),
                  facts + (facts.isEmpty() || more.isEmpty() ? "" : "; ") + more)
              .stripTrailing());
    }
  }

  /** The story's own store is closed when its result is told. */
  private static ExtensionContext.Store telling(ExtensionContext story) {
    return story.getParent().orElseThrow().getStore(OWN);
  }

  private static Optional<Telling> told(ExtensionContext story) {
    return Optional.ofNullable(telling(story).get(story.getUniqueId(), Telling.class));
  }

  private static String firstLine(Throwable cause) {
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }
}
