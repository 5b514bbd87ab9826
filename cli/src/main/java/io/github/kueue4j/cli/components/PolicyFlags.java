// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.policycheck.PolicyCheck;
import picocli.CommandLine.Option;

/** The policy check's option on the command line. */
final class PolicyFlags {

  @Option(
      names = "--controller-name",
      paramLabel = "NAME",
      description = "what AdmissionChecks name as their controller (default: kueue4j.io/policy)")
  private String controllerName = PolicyCheck.CONTROLLER_NAME;

  String controllerName() {
    return controllerName;
  }
}
