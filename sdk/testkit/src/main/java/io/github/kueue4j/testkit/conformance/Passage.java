// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

/** A section of the Admission Check Flow Guide that explains how to keep a rule. */
enum Passage {
  ACTIVE("say-that-you-are-there"),
  EVALUATION("one-evaluation-as-requests"),
  WATCHES("watches-that-end-and-restarts"),
  PERMISSION("who-may-write-what-and-when"),
  FIELDS("the-fields-of-an-entry"),
  AFTER_READY("keeping-watch-after-a-ready"),
  PATTERNS("patterns-right-and-wrong");

  private static final String GUIDE = "docs/guides/admission-check-flow.md#";

  private final String anchor;

  Passage(String anchor) {
    this.anchor = anchor;
  }

  /** Its page and anchor, relative to the project's root. */
  String link() {
    return GUIDE + anchor;
  }
}
