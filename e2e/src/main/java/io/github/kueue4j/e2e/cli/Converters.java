/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.api.time.GoDuration;
import io.github.kueue4j.e2e.assembly.CheckName;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads option values; what can't be read gets one sentence with the remedy. */
final class Converters {
  private Converters() {}

  /** {@code 2s}, {@code 1m30s}. */
  static final class PositiveDuration implements ITypeConverter<Duration> {
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
  static final class Check implements ITypeConverter<CheckName> {
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

  /** Checks, separated by commas; a wrapper since picocli would split a collection itself. */
  record CheckSelection(Set<CheckName> names) {}

  /** {@code budget,gpu} or {@code none}. */
  static final class Checks implements ITypeConverter<CheckSelection> {
    @Override
    public CheckSelection convert(String text) {
      Set<CheckName> names = EnumSet.noneOf(CheckName.class);
      if (!text.equals("none")) {
        for (String word : text.split(",", -1)) {
          names.add(new Check().convert(word.strip()));
        }
      }
      return new CheckSelection(names);
    }
  }
}
