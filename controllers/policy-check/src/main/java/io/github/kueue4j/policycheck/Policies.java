// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.policycheck;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Policies by their spec, since parameters are read anew for each evaluation. */
final class Policies {
  private static final int MOST = 64;

  private final Map<PolicyCheckSpec, Policy> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PolicyCheckSpec, Policy> eldest) {
          return size() > MOST;
        }
      };

  /** As {@link Policy#of}. */
  synchronized Policy of(PolicyCheckSpec spec) {
    @Nullable Policy policy = known.get(spec);
    if (policy == null) {
      policy = Policy.of(spec);
      known.put(spec, policy);
    }
    return policy;
  }
}
