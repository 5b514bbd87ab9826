// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.commons.support.AnnotationSupport;
import org.slf4j.event.Level;

/**
 * The declaration of a test about records: that they come, or may come.
 *
 * @param expected whether one has to come
 * @param owner what says so: a method, a class or a fixture
 */
record LogDeclaration(Level level, String logger, String text, boolean expected, Object owner) {

  /**
   * The declaration for all tests. The threads of an embedded server get five seconds to end, and a
   * loaded machine needs more now and then; {@link Leaks} finds one that stays.
   */
  static final LogDeclaration SLOW_SERVER =
      new LogDeclaration(
          Level.WARN, "QueuedThreadPool", "Couldn't stop", false, LogDeclaration.class);

  /** The declarations at a class or a method. */
  static List<LogDeclaration> at(AnnotatedElement element) {
    return Stream.concat(
            AnnotationSupport.findRepeatableAnnotations(element, ExpectedLog.class).stream()
                .map(
                    log ->
                        new LogDeclaration(
                            log.level(), log.logger(), log.message(), true, element)),
            AnnotationSupport.findRepeatableAnnotations(element, PossibleLog.class).stream()
                .map(
                    log ->
                        new LogDeclaration(
                            log.level(), log.logger(), log.message(), false, element)))
        .toList();
  }

  boolean matches(LogEntry entry) {
    return entry.level() == level
        && (entry.simpleLogger().equals(logger)
            || entry.logger().equals(logger)
            || entry.logger().startsWith(logger + '.'))
        && entry.text().contains(text);
  }

  /** For a failure. */
  String description() {
    return "%s %s '%s' (%s)"
        .formatted(
            level, logger, text, owner instanceof Method method ? method.getName() : "the class");
  }
}
