// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.cli.components.CheckName;
import java.time.Duration;
import java.util.Iterator;
import org.apiguardian.api.API;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads option values; what can't be read gets one sentence with the remedy. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class Converters {
  private Converters() {}

  /** {@code 2s}, {@code 1m30s}. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public static final class PositiveDuration implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      Duration duration;
      try {
        duration = GoDuration.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
      if (!duration.isPositive()) {
        throw new TypeConversionException("the duration must be positive, but is " + text);
      }
      return duration;
    }
  }

  /** One of the checks. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public static final class Check implements ITypeConverter<CheckName> {
    @Override
    public CheckName convert(String text) {
      return CheckName.of(text)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "there is no check '"
                          + text
                          + "'; choose one of "
                          + String.join(", ", CheckName.words())));
    }
  }

  /** The words that {@link Check} reads, for the completion of a shell. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
  public static final class CheckWords implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return CheckName.words().iterator();
    }
  }
}
