// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testdefaults;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.apiguardian.api.API;
import org.slf4j.event.Level;

/**
 * A log record that a test provokes: the class fails if none comes, and it isn't printed.
 *
 * <p>Of a method, it has to come from the beginning of the method on. Of a class, one has to come
 * from any of its methods, which is known only once all of them have run: where some are left out,
 * as with {@code -Dtest=ATest#aMethod}, its absence is no failure.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Repeatable(ExpectedLog.ExpectedLogs.class)
public @interface ExpectedLog {
  /** The record's level; WARN or ERROR, since no other is captured. */
  Level level() default Level.WARN;

  /** The logger: a class by its simple or its whole name, or the package of several. */
  String logger();

  /** A part of the record's text: of its message, or of a key with its value. */
  String message();

  /** Several of them. */
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @Inherited
  @interface ExpectedLogs {
    ExpectedLog[] value();
  }
}
