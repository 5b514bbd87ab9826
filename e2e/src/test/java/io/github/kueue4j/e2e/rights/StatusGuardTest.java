// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import io.github.kueue4j.e2e.scenarios.ScenarioCluster;

/** The guard on the embedded API server. */
class StatusGuardTest extends StatusGuardScenario {
  StatusGuardTest() {
    super(ScenarioCluster.EMBEDDED);
  }
}
