// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.CustomResource;
import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.observe.dryrun.Manifest;
import io.github.kueue4j.observe.dryrun.SampleWorkload;
import io.github.kueue4j.observe.dryrun.SampleWorkloads;
import io.github.kueue4j.policycheck.PolicyCheck;
import io.github.kueue4j.policycheck.PolicyCheckSpec;
import io.github.kueue4j.policycheck.PolicyTrial;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code kueue4j policy check}: what the rules of a PolicyCheck say about a Job. */
@Command(
    name = "check",
    description = {
      "Says whether the rules of a PolicyCheck are valid, and what they say about a Job or Workload,"
          + " rule by rule.",
      "No cluster is asked. What the rules may know besides is taken from further documents of both"
          + " files (Namespace, LocalQueue, ClusterQueue, priority classes, RuntimeClass) and from"
          + " the options, which go first."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:the rules are valid, and each that was asked could be evaluated",
      "1:a rule can't be evaluated about a Workload",
      ExitStatus.USER_ERROR
    })
final class PolicyCheckCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "a PolicyCheck (YAML or JSON), or several")
  private Path file = Path.of("");

  @Option(
      names = "--workload",
      paramLabel = "SAMPLE",
      description =
          "Jobs of any managed kind, or Workloads (YAML or JSON); without it only the rules are"
              + " checked")
  private @Nullable Path sample;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "2026-12-21T10:00 by the clocks of the PolicyCheck's time zone, or with an offset as"
              + " 2026-12-21T10:00:00+01:00: the time at which the rules are asked (default: now)")
  private @Nullable String at;

  @Option(
      names = "--namespace-labels",
      paramLabel = "NAME=VALUE",
      split = ",",
      description = "labels of the namespace, separated by commas")
  private Map<String, String> namespaceLabels = new LinkedHashMap<>();

  @Option(
      names = "--cluster-queue",
      paramLabel = "NAME",
      description =
          "whose quota it holds (default: that which a Workload holds, else that of its LocalQueue,"
              + " if that is a document)")
  private @Nullable String clusterQueue;

  @Option(
      names = "--flavor",
      paramLabel = "NAME",
      description =
          "on which flavor (default: those that a Workload holds, else the first of the"
              + " ClusterQueue, if that is a document)")
  private @Nullable String flavor;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "the namespace, where it isn't named otherwise (default: ${DEFAULT-VALUE})")
  private String namespace = "default";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "the core's configuration, for its kinds, copied labels and rules for resources (default:"
              + " all kinds that need no declaration)")
  private @Nullable Path config;

  @Mixin private FormatOption format = new FormatOption();

  @Spec private @Nullable CommandSpec spec;

  private final InstantSource time;

  PolicyCheckCommand() {
    this(TimeSource.wallClock());
  }

  /** One for which it is this time. */
  PolicyCheckCommand(InstantSource time) {
    this.time = time;
  }

  @Override
  public Integer call() throws InterruptedException {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    String text = TextFile.read(file);
    List<Manifest> documents = manifests(file, text);
    List<Manifest> written = policies(documents);
    List<CustomResource<PolicyCheckSpec>> policies =
        inFile(file, () -> written.stream().map(each -> each.as(PolicyCheck.TYPE)).toList());
    List<String> problems = problems(written, policies, DocumentLines.of(text, PolicyCheck.TYPE));
    if (!problems.isEmpty()) {
      PrintWriter err = line.getErr();
      problems.forEach(problem -> err.print(ExplanationText.printable("kueue4j: " + problem)));
      err.flush();
      return CommandLine.ExitCode.USAGE;
    }
    List<SampleWorkload> samples = sample == null ? List.of() : samples(documents, sample);
    List<PolicyTrialText> trials = new ArrayList<>();
    for (CustomResource<PolicyCheckSpec> policy : policies) {
      trials.add(tried(policy, samples));
    }
    PrintWriter out = line.getOut();
    out.print(
        format.print(
            () -> PolicyTrialText.text(trials),
            () -> Map.of("policyChecks", trials.stream().map(PolicyTrialText::tree).toList())));
    out.flush();
    return trials.stream().allMatch(PolicyTrialText::sound) ? 0 : 1;
  }

  private List<Manifest> policies(List<Manifest> documents) {
    List<Manifest> policies =
        documents.stream()
            .filter(
                document ->
                    document
                            .tree()
                            .get("apiVersion")
                            .getAsString()
                            .equals(PolicyCheck.TYPE.apiVersion())
                        && document
                            .tree()
                            .get("kind")
                            .getAsString()
                            .equals(PolicyCheck.TYPE.kind()))
            .toList();
    if (policies.isEmpty()) {
      throw new UserError(
          "%s holds no PolicyCheck: write one of apiVersion %s"
              .formatted(file, PolicyCheck.TYPE.apiVersion()));
    }
    return policies;
  }

  /**
   * The problems in the documents, with the lines of the file: with the form of each, or else with
   * its rules.
   *
   * @param lines of each; of no use if some are in a List
   */
  private List<String> problems(
      List<Manifest> written,
      List<CustomResource<PolicyCheckSpec>> policies,
      List<DocumentLines> lines) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < policies.size(); i++) {
      List<InvalidFieldException> form =
          DefinedForm.problems(written.get(i).tree(), PolicyCheck.crds().getFirst());
      for (InvalidFieldException problem :
          form.isEmpty() ? PolicyTrial.problems(policies.get(i)) : form) {
        found.add(
            file
                + (lines.size() == policies.size()
                    ? ": line " + lines.get(i).of(problem.field())
                    : "")
                + ": "
                + problem.getMessage());
      }
    }
    return found;
  }

  private List<SampleWorkload> samples(List<Manifest> documents, Path from) {
    List<Manifest> own = manifests(from, TextFile.read(from));
    SampleWorkloads maker =
        new SampleWorkloads(
            AnswerOptions.configuration(config),
            new SampleWorkloads.AssumedQuota(
                Optional.ofNullable(clusterQueue), Optional.ofNullable(flavor)));
    inFile(file, () -> maker.learn(documents));
    List<SampleWorkload> samples = inFile(from, () -> maker.learn(own).of(own));
    if (samples.isEmpty()) {
      throw new UserError(
          from
              + " holds no Job of a managed kind and no Workload; kinds are declared with --config");
    }
    return samples;
  }

  private static <T> T inFile(Path from, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new UserError(from + ": " + e.getMessage(), e);
    }
  }

  private PolicyTrialText tried(
      CustomResource<PolicyCheckSpec> policy, List<SampleWorkload> samples)
      throws InterruptedException {
    PolicyTrial trial = PolicyTrial.of(policy);
    Instant now = at == null ? time.instant() : at(at, trial.zone());
    Map<SampleWorkload, PolicyTrial.TriedWorkload> tried = new LinkedHashMap<>();
    for (SampleWorkload one : samples) {
      Map<String, String> labels = new TreeMap<>(one.namespaceLabels());
      labels.putAll(namespaceLabels);
      tried.put(one, trial.on(one.workload(), labels, now));
    }
    return new PolicyTrialText(policy.getMetadata().getName(), trial, now, tried);
  }

  private static Instant at(String text, ZoneId zone) {
    try {
      if (text.matches(".*(Z|[+-][0-9]{2}:[0-9]{2})")) {
        return OffsetDateTime.parse(text).toInstant();
      }
      LocalDateTime local = LocalDateTime.parse(text);
      if (zone.getRules().getValidOffsets(local).isEmpty()) {
        throw new UserError(
            "--at is '" + text + "', which the clocks of " + zone + " skip: write another time");
      }
      return local.atZone(zone).toInstant();
    } catch (DateTimeException e) {
      throw new UserError(
          "--at is '"
              + text
              + "': write a time such as 2026-12-21T10:00, or with an offset"
              + " 2026-12-21T10:00:00+01:00",
          e);
    }
  }

  private List<Manifest> manifests(Path from, String text) {
    try {
      return Manifest.read(text, namespace);
    } catch (IllegalArgumentException e) {
      throw new UserError(from + " " + e.getMessage(), e);
    }
  }
}
