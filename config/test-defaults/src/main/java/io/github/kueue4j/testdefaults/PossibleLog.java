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
 * A log record that comes from a test or not, as chance has it: it isn't printed, and not missed.
 * What always comes is an {@link ExpectedLog}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Repeatable(PossibleLog.PossibleLogs.class)
public @interface PossibleLog {
  /** The record's level; WARN or ERROR, since no other is captured. */
  Level level() default Level.WARN;

  /** The logger: a class by its simple or its whole name, or the package of several. */
  String logger();

  /** A part of the record's text: of its message, or of a key with its value. */
  String message();

  /** Why it comes, and why not always. */
  String because();

  /** Several of them. */
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @Inherited
  @interface PossibleLogs {
    PossibleLog[] value();
  }
}
