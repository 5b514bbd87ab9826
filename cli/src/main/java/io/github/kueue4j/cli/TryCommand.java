// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.observe.dryrun.DryRun;
import io.github.kueue4j.observe.dryrun.DryRunInput;
import io.github.kueue4j.observe.dryrun.DryRunResult;
import io.github.kueue4j.observe.dryrun.Manifest;
import io.github.kueue4j.observe.explain.UnknownNameException;
import io.github.kueue4j.runtime.client.ClusterConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kueue4j try FILE}: whether a Job would be admitted now. */
@Command(
    name = "try",
    description =
        "Says whether a Job would be admitted now, on which quota and which Workloads are evicted"
            + " for it, or why it would wait. Creates nothing.")
final class TryCommand implements Callable<Integer> {
  private static final String STANDARD_INPUT = "-";
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";
  private static final String PRIORITY = "kueue.x-k8s.io/priority-class";

  @Parameters(
      paramLabel = "FILE",
      description =
          "Jobs of any managed kind, pods, and objects whose pods are queued (YAML or JSON), tried one"
              + " after the other as if created in this order; - reads standard input")
  private String file = "";

  @Mixin private AnswerOptions answer = new AnswerOptions();

  @Option(
      names = "--queue",
      paramLabel = "NAME",
      description = "what if they named this LocalQueue")
  private @Nullable String queue;

  @Option(
      names = "--priority",
      paramLabel = "CLASS",
      description = "what if they named this WorkloadPriorityClass")
  private @Nullable String priority;

  @Option(
      names = "--request",
      paramLabel = "RESOURCE=AMOUNT",
      description =
          "what if each of their pods requested so much of a resource; such as cpu=4 or memory=64Gi")
  private Map<String, String> requests = new LinkedHashMap<>();

  @Mixin private WhatIfOptions whatIf = new WhatIfOptions();

  @Option(
      names = "--checks-namespace",
      paramLabel = "NS",
      description =
          "where the Services of checks are that get your token, to say what they would answer"
              + " (default: ${DEFAULT-VALUE})")
  private String checksNamespace = "kueue-system";

  @Mixin private TokenOption token = new TokenOption();

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    String text = text();
    return cluster.use(
        "try needs get and list of what the scheduler decides by",
        (connection, out) -> {
          Instant now = TimeSource.wallClock().instant();
          List<DryRunResult> results = results(connection, text, now);
          DryRunText said =
              new DryRunText(results, new CheckAnswers(connection, token, checksNamespace)::of);
          out.print(answer.format().print(said::text, () -> said.tree(now)));
          return 0;
        });
  }

  private List<DryRunResult> results(ClusterConnection connection, String text, Instant now) {
    try {
      return DryRun.of(
          changed(answer.dryRunReader(connection.api()).read(manifests(text, connection))), now);
    } catch (UnknownNameException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private String text() {
    try {
      return file.equals(STANDARD_INPUT)
          ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
          : Files.readString(Path.of(file));
    } catch (IOException e) {
      throw new UserError(file + " can't be read; give the name of a text file", e);
    }
  }

  private List<Manifest> manifests(String text, ClusterConnection connection) {
    try {
      List<Manifest> written = Manifest.read(text, answer.namespace(connection));
      if (!requests.isEmpty() && written.stream().noneMatch(Manifest::hasPods)) {
        throw new IllegalArgumentException(
            "has no template of pods, so nothing requests what --request names; change the file");
      }
      return written.stream().map(this::changed).toList();
    } catch (IllegalArgumentException e) {
      throw new UserError(file + " " + e.getMessage(), e);
    }
  }

  private Manifest changed(Manifest manifest) {
    Manifest changed = manifest;
    if (queue != null) {
      changed = changed.withLabel(QUEUE, queue);
    }
    if (priority != null) {
      changed = changed.withLabel(PRIORITY, priority);
    }
    for (Map.Entry<String, String> request : requests.entrySet()) {
      changed = changed.withRequest(request.getKey(), request.getValue());
    }
    return changed;
  }

  private DryRunInput changed(DryRunInput read) {
    DryRunInput changed = read;
    try {
      for (Map.Entry<String, String> quota : whatIf.quotas().entrySet()) {
        changed = changed.withQuota(quota.getKey(), quota.getValue());
      }
      for (String check : whatIf.withoutChecks()) {
        changed = changed.withoutCheck(check);
      }
      return changed;
    } catch (IllegalArgumentException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }
}
