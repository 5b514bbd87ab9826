// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The answer that a check in the mode {@link CheckMode#OBSERVE} would have given: the message of
 * its entry, whose state is Ready then, so that no core waits for it.
 *
 * @param state that the entry would have had
 * @param reason for machines; empty if there is none
 * @param message for people; may be empty
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ObservedAnswer(CheckState state, String reason, String message) {
  private static final String START = "Observe mode: would have answered ";

  /** The reason is one word, so that a message in brackets isn't taken for it. */
  private static final Pattern TEXT =
      Pattern.compile(START + "(\\w+)(?: \\((\\w+)\\))?(?:: (.*))?", Pattern.DOTALL);

  /** The message of the entry. */
  public String text() {
    return START
        + state.value()
        + (reason.isEmpty() ? "" : " (" + reason + ")")
        + (message.isEmpty() ? "" : ": " + message);
  }

  /** The answer that an entry records; empty if it is no record of one. */
  public static Optional<ObservedAnswer> of(AdmissionCheckState entry) {
    if (!entry.is(CheckState.READY) || !entry.message().startsWith(START)) {
      return Optional.empty();
    }
    Matcher text = TEXT.matcher(entry.message());
    return text.matches()
        ? Optional.of(
            new ObservedAnswer(
                CheckState.of(text.group(1)), orEmpty(text.group(2)), orEmpty(text.group(3))))
        : Optional.empty();
  }

  private static String orEmpty(@Nullable String group) {
    return group == null ? "" : group;
  }
}
