// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import org.apiguardian.api.API;

/** The headings of the launcher's help, in its order. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public enum CommandGroup {
  SANDBOX("Without a cluster"),
  CLUSTER("On a cluster"),
  CHECK_AUTHORS("For authors of checks"),
  MEASUREMENT("Measurement"),
  PACKAGING("Packaging"),
  SHELL("In a shell");

  private final String heading;

  CommandGroup(String heading) {
    this.heading = heading;
  }

  String heading() {
    return heading;
  }
}
