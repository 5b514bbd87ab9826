// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import io.github.kueue4j.e2e.scenarios.ScenarioCluster;

/** The policy on the embedded API server. */
class UnmanagedKindsTest extends UnmanagedKindsScenario {
  UnmanagedKindsTest() {
    super(ScenarioCluster.EMBEDDED);
  }
}
