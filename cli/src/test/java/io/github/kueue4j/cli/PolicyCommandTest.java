// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.github.kueue4j.testdefaults.Checkout;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules on the command line; {@code PolicyTrialTest} has what is said of them. */
class PolicyCommandTest {
  private static final String RULES =
      """
      apiVersion: checks.kueue4j.io/v1alpha1
      kind: PolicyCheck
      metadata: {name: house-rules}
      spec:
        timeZone: Europe/Berlin
        windows:
          - name: freeze
            from: "2026-12-20T00:00:00+01:00"
            to: "2027-01-04T08:00:00+01:00"
        rules:
          - name: owner-label
            when: workload.podSets.exists(p, !('team' in p.labels))
            answer: Rejected
          - name: trusted
            when: windows.freeze && namespaceLabels[?'tier'].orValue('') == 'gold'
            answer: Ready
          - name: change-freeze
            when: >-
              windows.freeze &&
              workload.priority < 1000
            answer: Retry
            message: Only urgent work starts in the change freeze.
          - name: flavor
            when: workload.podSets.exists(p, p.flavors['cpu'] == 'spot')
            answer: Rejected
      """;

  private static final String JOB =
      """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: train, namespace: ml, labels: {kueue.x-k8s.io/queue-name: lq}}
      spec:
        parallelism: 2
        template:
          metadata: {labels: {team: a}}
          spec: {containers: [{name: c, image: busybox, resources: {requests: {cpu: 3}}}]}
      """;

  @TempDir Path folder;

  private Path rules = Path.of("");
  private Path job = Path.of("");

  @BeforeEach
  void write() throws IOException {
    rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    job = Files.writeString(folder.resolve("job.yaml"), JOB);
  }

  @Test
  void withoutASampleTheRulesAreChecked() throws IOException {
    CommandRun valid = run();

    assertThat(valid.status()).as(valid.err()).isZero();
    assertThat(valid.out())
        .isEqualTo("valid: PolicyCheck house-rules, 4 rules, time zone Europe/Berlin\n");

    Files.writeString(
        rules,
        "{apiVersion: v1, kind: Namespace, metadata: {name: ml}}\n---\n"
            + RULES.replace("windows.freeze &&", "windows.freze &&").replace("'spot')", "'spot'"));
    CommandRun wrong = run("--workload", job.toString());

    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.out()).isEmpty();
    assertThat(wrong.err().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith(
                        "kueue4j: " + rules + ": line 17: spec.rules[1] (trusted).when is '")
                    .contains("undefined field 'freze' (line 1, column 8), did you mean 'freeze'?"),
            line -> assertThat(line).contains(": line 20: spec.rules[2] (change-freeze).when is"),
            line -> assertThat(line).contains(": line 26: spec.rules[3] (flavor).when is"));
  }

  @Test
  void saysWhatBecameOfEachRule() {
    CommandRun frozen = run("--workload", job.toString(), "--at", "2026-12-21T10:00");

    assertThat(frozen.status()).as(frozen.err()).isZero();
    assertThat(frozen.out())
        .isEqualTo(
            """
            valid: PolicyCheck house-rules, 4 rules, time zone Europe/Berlin

            Job ml/train on Monday, 2026-12-21 10:00 Europe/Berlin: Retry

            Rules
              owner-label     doesn't hold
              trusted         doesn't hold: namespaceLabels[?'tier'].orValue('') == 'gold' is false
              change-freeze   holds: answers Retry
              flavor          not asked: change-freeze before it answers

            The check
              would answer Retry in 23h59m at the earliest: Rule change-freeze: Only urgent work starts in the change freeze. Asking again in 23 h 59 min.

            What the rules know
              namespaceLabels         {"kubernetes.io/metadata.name":"ml"}
              workload.annotations    {}
              workload.clusterQueue   ""
              workload.labels         {"kueue.x-k8s.io/job-uid":"00000000-0000-0000-0000-000000000000"}
              workload.namespace      "ml"
              workload.owner          {"apiVersion":"batch/v1","kind":"Job"}
              workload.podSets        [{"annotations":{},"count":2,"flavors":{},"labels":{"team":"a"},"name":"main","requests":{"cpu":6.0}}]
              workload.pods           2
              workload.priority       0
              workload.queue          "lq"
              workload.requests       {"cpu":6.0}
              windows.freeze          true

            Notes
              its ClusterQueue isn't known: give --cluster-queue if rules ask for it
              its flavors aren't known: give --flavor if rules ask for them
            """);
  }

  @Test
  void theDelayIsRoundedAsInTheMessage() {
    assertThat(run("--workload", job.toString(), "--at", "2027-01-04T07:39:30").out())
        .contains("would answer Retry in 21m at the earliest: ", " Asking again in 21 min.");
  }

  /** With the files and the output of docs/guides/policy-check.md. */
  @Test
  void theExampleOfTheGuideIsWhatIsPrinted() throws IOException {
    String page = Files.readString(Checkout.root().resolve("docs/guides/policy-check.md"));
    Matcher files =
        Pattern.compile("<!-- file: (\\S+) -->\n```yaml\n(.*?)```", Pattern.DOTALL).matcher(page);
    while (files.find()) {
      Files.writeString(folder.resolve(files.group(1)), files.group(2));
    }
    Matcher example =
        Pattern.compile(
                "```sh\n\\./kueue4j (policy check .*?)\n```\n\n```text\n(.*?)```", Pattern.DOTALL)
            .matcher(page);
    assertThat(example.find()).isTrue();

    assertThat(
            run(Stream.of(example.group(1).split(" "))
                    .skip(3)
                    .map(word -> word.endsWith(".yaml") ? folder.resolve(word).toString() : word)
                    .toArray(String[]::new))
                .out())
        .startsWith(example.group(2) + "\nWhat the rules know\n");
  }

  @Test
  void optionsSayWhatNoDocumentSays() {
    assertThat(
            run(
                    "--workload",
                    job.toString(),
                    "--at",
                    "2026-12-21T09:00:00Z",
                    "--namespace-labels",
                    "tier=gold,owner=x",
                    "--cluster-queue",
                    "cq",
                    "--flavor",
                    "spot")
                .out())
        .contains("trusted         holds: answers Ready", "workload.clusterQueue   \"cq\"")
        .contains("would answer Ready: Rule trusted holds.")
        .contains("\"flavors\":{\"cpu\":\"spot\"}")
        .doesNotContain("Notes");
  }

  @Test
  void aRuleThatFailsIsTheExitStatus() {
    CommandRun failed = run("--workload", job.toString(), "--at", "2027-02-01T10:00");

    assertThat(failed.status()).isEqualTo(1);
    assertThat(failed.out())
        .contains(
            "change-freeze   doesn't hold: windows.freeze is false",
            "flavor          can't be evaluated: spec.rules[3] (flavor).when: a key or field isn't"
                + " there")
        .contains(
            "  if a field isn't there that the API server or a webhook sets, let them set it:");
  }

  @Test
  void tellsAProgramTheSame() {
    JsonObject told =
        JsonParser.parseString(
                run("--workload", job.toString(), "--at", "2026-12-21T10:00", "-o", "json").out())
            .getAsJsonObject()
            .getAsJsonArray("policyChecks")
            .get(0)
            .getAsJsonObject();
    JsonObject result = told.getAsJsonArray("results").get(0).getAsJsonObject();

    assertThat(told.get("at").getAsString()).isEqualTo("2026-12-21T09:00:00Z");
    assertThat(result.get("state").getAsString()).isEqualTo("Retry");
    assertThat(result.get("requeueAfterSeconds").getAsInt()).isEqualTo(86_340);
    assertThat(result.getAsJsonArray("rules").get(3).toString())
        .isEqualTo(
            "{\"name\":\"flavor\",\"state\":\"NotAsked\",\"why\":\"change-freeze before it"
                + " answers\"}");
    assertThat(result.getAsJsonObject("knows").getAsJsonObject("workload").get("pods").getAsInt())
        .isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          --at 2026-12-21         ; --at is '2026-12-21': write a time such as 2026-12-21T10:00
          --at 2026-03-29T02:30   ; --at is '2026-03-29T02:30', which the clocks of Europe/Berlin skip: write another time
          --workload nothing.yaml ; nothing.yaml can't be read; give the name of a text file
          --workload RULES        ; holds no Job of a managed kind and no Workload
          """)
  void aWrongInputIsNamed(String arguments, String problem) {
    CommandRun outcome =
        run(
            Stream.of(("--workload " + job + " " + arguments).split(" "))
                .skip(arguments.startsWith("--workload") ? 2 : 0)
                .map(word -> word.equals("RULES") ? rules.toString() : word)
                .toArray(String[]::new));

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains(problem);
  }

  /** As the API server refuses them; the field's line is told. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          name: change-freeze     | name: Change_Freeze (x).y | line 17: spec.rules[2].name is 'Change_Freeze (x).y': write a text of the form ^[a-z0-9]
          name: freeze            | name: f-1                 | line 7: spec.windows[0].name is 'f-1': write a text of the form ^[a-z]
          answer: Ready           | answer: ready             | line 16: spec.rules[1].answer is 'ready': write one of Ready, Retry, Rejected
          {name: house-rules}     | {name: Bad Name}          | line 3: metadata.name is 'Bad Name': write small letters
          {name: house-rules}     | {labels: {}}              | line 3: metadata.name is missing: write small letters
          {name: house-rules}     | {name: [1]}               | : PolicyCheck can't be read: Expected a string but was BEGIN_ARRAY at metadata.name
          timeZone: Europe/Berlin | timeZone: ""              | line 5: spec.timeZone is '': write some text
          from: "2026-12-20T00:00:00+01:00" | weekly: {days: [Monday, Monday], from: "20:00", to: "06:00"} | line 8: spec.windows[0].weekly.days[1] is 'Monday': leave it out: the list has it already
          """)
  void whatTheApiServerWouldNotStoreIsNotValid(String text, String wrong, String problem)
      throws IOException {
    Files.writeString(rules, RULES.replace(text, wrong));

    CommandRun refused = run();

    assertThat(refused.status()).isEqualTo(2);
    assertThat(refused.err()).startsWith("kueue4j: " + rules + ": ").contains(problem);
  }

  @Test
  void moreRulesThanTheApiServerStoresAreNotValid() throws IOException {
    Files.writeString(
        rules,
        RULES
            + IntStream.range(0, 30)
                .mapToObj("  - {name: r%d, when: 'true', answer: Ready}\n"::formatted)
                .collect(Collectors.joining())
                .indent(2));

    assertThat(run().err()).contains(": line 10: spec.rules is '34 elements': write at most 32");
  }

  /** Jobs beside the rules say nothing, but what is around them does. */
  @Test
  void samplesAreThoseOfTheSampleAlone() throws IOException {
    Files.writeString(
        rules,
        RULES
            + "---\n{apiVersion: v1, kind: Namespace, metadata: {name: ml, labels: {tier: gold}}}\n"
            + "---\n"
            + JOB.replace("name: train", "name: other"));

    CommandRun asked = run("--workload", job.toString(), "--at", "2026-12-21T10:00");

    assertThat(asked.out())
        .contains("Job ml/train on", "\"tier\":\"gold\"")
        .doesNotContain("ml/other");

    Files.writeString(
        rules, RULES + "---\n{apiVersion: v1, kind: Namespace, metadata: {name: a, labels: 3}}\n");
    assertThat(run("--workload", job.toString()).err())
        .startsWith("kueue4j: " + rules + ": Namespace a can't be read: ");
    assertThat(run("--workload", rules.toString()).err())
        .startsWith("kueue4j: " + rules + ": Namespace a can't be read: ");
    Files.writeString(rules, RULES);
    Files.writeString(job, JOB.replace("cpu: 3", "cpu: abc"));
    assertThat(run("--workload", job.toString()).err())
        .startsWith("kueue4j: " + job + ": Job train: spec.template.spec.containers[0].");
  }

  @Test
  void aFileWithoutAPolicyCheckIsNamed() throws IOException {
    Files.writeString(rules, JOB);

    assertThat(run().err())
        .isEqualTo(
            "kueue4j: "
                + rules
                + " holds no PolicyCheck: write one of apiVersion checks.kueue4j.io/v1alpha1\n");
  }

  private CommandRun run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        Main.run(
            new PrintWriter(out),
            new PrintWriter(err),
            Stream.concat(Stream.of("policy", "check", rules.toString()), Stream.of(arguments))
                .toArray(String[]::new));
    return new CommandRun(status, out.toString(), err.toString());
  }
}
