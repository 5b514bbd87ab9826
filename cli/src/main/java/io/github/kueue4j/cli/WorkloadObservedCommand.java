// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.api.AdmissionCheck;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.CheckMode;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObservedAnswer;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.cli.terminal.Table;
import io.github.kueue4j.policycheck.PolicyCheck;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ListOptions;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kueue4j workload observed}: what checks in the mode Observe would have done. */
@Command(
    name = "observed",
    description =
        "Says what admission checks in the mode Observe would have answered about the Workloads that"
            + " there are: how many of each answer, reason, and rule of a PolicyCheck.",
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class WorkloadObservedCommand implements Callable<Integer> {
  private static final List<String> HEADER =
      List.of("CHECK", "ANSWER", "REASON", "RULE", "WORKLOADS", "SUCH AS");

  @Mixin private NamespaceOptions namespaces = new NamespaceOptions();

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private KueueCluster cluster = new KueueCluster();

  /**
   * An answer of a check.
   *
   * @param answer the state of the entry, had the check been enforced; None: it hasn't answered
   * @param reason empty if there is none
   * @param rule of the PolicyCheck that answered so; empty if there is none
   */
  record Answer(String check, String answer, String reason, String rule)
      implements Comparable<Answer> {
    private static final Comparator<Answer> ORDER =
        Comparator.comparing(Answer::check)
            .thenComparing(Answer::answer)
            .thenComparing(Answer::reason)
            .thenComparing(Answer::rule);

    @Override
    public int compareTo(Answer other) {
      return ORDER.compare(this, other);
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    namespaces.check();
    return cluster.use(
        namespaces.needs("this needs to list AdmissionChecks, and Workloads"), this::print);
  }

  private int print(ClusterConnection connection, PrintWriter out) {
    SortedMap<Answer, List<String>> answers =
        count(
            connection.api().list(KueueTypes.ADMISSION_CHECK, ListOptions.all()).items(),
            connection.api().list(KueueTypes.WORKLOAD, namespaces.where(connection)).items());
    out.print(format.print(new Table(HEADER), () -> rows(answers), () -> tree(answers)));
    return 0;
  }

  /** The Workloads of each answer, of checks that observe, and records of those that did. */
  static SortedMap<Answer, List<String>> count(
      List<AdmissionCheck> checks, List<Workload> workloads) {
    Map<String, AdmissionCheck> known =
        checks.stream().collect(Collectors.toMap(check -> check.key().name(), check -> check));
    SortedMap<Answer, List<String>> answers = new TreeMap<>();
    for (Workload workload : workloads) {
      for (AdmissionCheckState entry : workload.status().admissionChecks()) {
        Optional<AdmissionCheck> check = Optional.ofNullable(known.get(entry.name()));
        Optional<Answer> answer =
            ObservedAnswer.of(entry)
                .map(
                    said ->
                        new Answer(
                            entry.name(),
                            said.state().value(),
                            said.reason(),
                            check.flatMap(policy -> rule(policy, said)).orElse("")));
        if (answer.isEmpty() && check.filter(CheckMode::observes).isPresent()) {
          answer = Optional.of(new Answer(entry.name(), "None", "", ""));
        }
        answer.ifPresent(
            said ->
                answers
                    .computeIfAbsent(said, none -> new ArrayList<>())
                    .add(workload.key().toString()));
      }
    }
    return answers;
  }

  /** Only the policy check's own messages are known to name rules. */
  private static Optional<String> rule(AdmissionCheck check, ObservedAnswer said) {
    return Optional.ofNullable(check.spec().parameters())
        .filter(
            parameters ->
                parameters.kind().equalsIgnoreCase(PolicyCheck.TYPE.kind())
                    && parameters.apiGroup().equals(PolicyCheck.TYPE.group()))
        .flatMap(parameters -> PolicyCheck.ruleIn(said.message()));
  }

  private static List<List<String>> rows(SortedMap<Answer, List<String>> answers) {
    return answers.entrySet().stream()
        .map(
            row ->
                List.of(
                    row.getKey().check(),
                    row.getKey().answer(),
                    row.getKey().reason(),
                    row.getKey().rule(),
                    Integer.toString(row.getValue().size()),
                    row.getValue().getFirst()))
        .toList();
  }

  private static Map<String, Object> tree(SortedMap<Answer, List<String>> answers) {
    List<Map<String, Object>> list = new ArrayList<>();
    answers.forEach(
        (answer, workloads) -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("check", answer.check());
          one.put("answer", answer.answer());
          one.put("reason", answer.reason());
          one.put("rule", answer.rule());
          one.put("workloads", workloads);
          list.add(one);
        });
    return Map.of("answers", list);
  }
}
