// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import picocli.CommandLine.Option;

/** The option that every check has, on the command line. */
final class ControllerNameFlags {

  @Option(
      names = "--controller-name",
      paramLabel = "NAME",
      description = "what AdmissionChecks name as their controller (default: ${DEFAULT-VALUE})")
  private String controllerName;

  ControllerNameFlags(String usual) {
    this.controllerName = usual;
  }

  String controllerName() {
    return controllerName;
  }
}
