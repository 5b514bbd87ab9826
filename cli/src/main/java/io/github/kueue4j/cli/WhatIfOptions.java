// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that change the queues for one answer. */
final class WhatIfOptions {
  @Option(
      names = "--quota",
      paramLabel = "CLUSTERQUEUE/RESOURCE=AMOUNT",
      description =
          "what if a ClusterQueue had this nominal quota; CLUSTERQUEUE/FLAVOR/RESOURCE where several"
              + " flavors have the resource")
  private Map<String, String> quotas = new LinkedHashMap<>();

  @Option(
      names = "--without-check",
      paramLabel = "CHECK",
      description = "what if no ClusterQueue required this admission check")
  private List<String> withoutChecks = new ArrayList<>();

  Map<String, String> quotas() {
    return quotas;
  }

  List<String> withoutChecks() {
    return withoutChecks;
  }
}
