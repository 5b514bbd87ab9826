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
package io.github.kueue4j.testkit.conformance;

import org.apiguardian.api.API;

/**
 * What came out for one rule.
 *
 * @param rule the rule
 * @param verdict whether it was kept
 * @param evidence what was seen, or why nothing could be
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Outcome(Rule rule, Verdict verdict, String evidence) {

  /** Whether a rule was kept. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public enum Verdict {
    /** The situation came about, and the controller did as it must. */
    PASS,
    /** It did otherwise. */
    FAIL,
    /** The situation did not come about; the evidence says what is missing. */
    SKIPPED
  }
}
