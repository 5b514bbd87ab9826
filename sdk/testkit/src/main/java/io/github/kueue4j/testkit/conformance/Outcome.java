// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import org.apiguardian.api.API;

/**
 * The result of a run for one rule.
 *
 * @param rule the rule
 * @param verdict whether it was kept
 * @param evidence what was seen, or why nothing could be
 * @see Conformance
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Outcome(Rule rule, Verdict verdict, String evidence) {

  /** The verdict on a rule. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum Verdict {
    /** The scenario took place, and the controller kept the rule. */
    PASS,
    /** The scenario took place, and the controller broke the rule. */
    FAIL,
    /** The scenario could not take place; the evidence says what is missing. */
    SKIPPED
  }
}
