// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.lifecycle;

import org.jspecify.annotations.Nullable;

/**
 * R14: a Retry or Rejected to which there is an alternative that may say yes is only about the
 * reservation that it was given for. The patch that ends the reservation removes the entries of
 * these alternatives, and R1 makes them anew; this rule removes what comes later. So outside of a
 * reservation each Retry delays and each Rejected is final, whatever groups there are.
 */
final class Alternatives {
  private Alternatives() {}

  static @Nullable ProposedWrite setAside(SituationView view) {
    return view.phase().waits() ? new StatusDraft(view).setAside().toWrite(Rule.SET_ASIDE) : null;
  }
}
