// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.api.time.GoDuration;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how often something happens: {@code 10m}, {@code 1h30m}. */
final class Interval implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    Duration interval;
    try {
      interval = GoDuration.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
    if (!interval.isPositive()) {
      throw new TypeConversionException("the interval must be positive, but is " + text);
    }
    return interval;
  }
}
