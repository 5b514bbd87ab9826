// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The logging of a program: an option, else a variable of the environment, else INFO as text.
 *
 * @param level of the root logger
 * @param format of a line
 * @param chosen whether anything was asked for
 * @see CheckProgram
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ProgramLogging(Level level, LogFormat format, boolean chosen) {
  static final String LEVEL = "KUEUE4J_LOG";

  /** The variable, and for Logback's configuration the system property, that names the format. */
  public static final String FORMAT = "KUEUE4J_LOG_FORMAT";

  private static final String LOGBACK = "ch.qos.logback.classic.LoggerContext";

  /**
   * The settings that the variables alone ask for.
   *
   * @throws StartRefusedException if one has a value that is none
   */
  public static ProgramLogging of(Map<String, String> environment) {
    return of(null, null, environment);
  }

  /**
   * The settings of a program's logging.
   *
   * @param level the option's, absent if it wasn't given
   * @param format the option's, absent if it wasn't given
   * @throws StartRefusedException if a variable has a value that is none
   */
  static ProgramLogging of(
      @Nullable Level level, @Nullable LogFormat format, Map<String, String> environment) {
    Optional<Level> otherLevel = variable(LEVEL, Level.values(), environment);
    Optional<LogFormat> otherFormat = variable(FORMAT, LogFormat.values(), environment);
    return new ProgramLogging(
        level == null ? otherLevel.orElse(Level.INFO) : level,
        format == null ? otherFormat.orElse(LogFormat.TEXT) : format,
        level != null || format != null || otherLevel.isPresent() || otherFormat.isPresent());
  }

  private static <T extends Enum<T>> Optional<T> variable(
      String name, T[] values, Map<String, String> environment) {
    String given = environment.getOrDefault(name, "").strip();
    if (given.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        Arrays.stream(values)
            .filter(value -> value.name().equalsIgnoreCase(given))
            .findFirst()
            .orElseThrow(
                () ->
                    new StartRefusedException(
                        "the variable "
                            + name
                            + " is '"
                            + given
                            + "'; it takes one of "
                            + Arrays.stream(values)
                                .map(value -> value.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")),
                        null)));
  }

  /**
   * Makes the logging so, where Logback does it; other providers are configured in their own way.
   *
   * @throws StartRefusedException if something was asked for that another provider decides
   */
  void apply() {
    String provider = LoggerFactory.getILoggerFactory().getClass().getName();
    if (provider.equals(LOGBACK)) {
      LogbackConfiguration.apply(this);
    } else if (chosen) {
      throw new StartRefusedException(
          "the level and the format of the log can be chosen with logback-classic only, but "
              + provider
              + " is on the class path; leave out --log-level, --log-format, "
              + LEVEL
              + " and "
              + FORMAT,
          null);
    }
  }
}
