// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import io.github.kueue4j.jobs.kinds.JobKindTrial;
import io.github.kueue4j.jobs.kinds.SampleTrial;
import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** What authors of declarations are told, of the declaration and of an object. */
class JobKindTrialTest {
  private static final String DECLARATION =
      """
      framework: ml.example.com/trainingrun
      apiVersion: ml.example.com/v1
      kind: TrainingRun
      suspend: spec.suspend
      podSets:
        - {name: leader, template: spec.leader, requests: {cpu: 1}}
        - {forEach: spec.groups, nameFrom: name, template: pods, count: [size]}
      active: [status.pods]
      ready: [{condition: Ready}]
      finished: [{path: status.phase, in: [Done, Failed]}]
      succeeded: [{path: status.phase, in: [Done]}]
      refuseIf:
        - {path: spec.elastic, in: ["true"], because: "spec.elastic is true; remove it"}
      """;

  private static final String OBJECT =
      """
      apiVersion: ml.example.com/v1
      kind: TrainingRun
      metadata: {name: demo, creationTimestamp: 2026-06-01T00:00:00Z}
      spec:
        suspend: true
        groups:
        - name: big
          size: 3
          pods:
            metadata: {labels: {app: mine}}
            spec: {containers: [{name: main, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}
      status: {phase: Waiting}
      """;

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          framework: .*        | framework: Train/Ing                     | line 1: framework must be a name like ray.io/rayjob, in lower case
          framework: .*        | framework: batch/job                     | line 1: framework declares Job of batch/v1, which is built in; name batch/job in integrations.frameworks instead
          apiVersion: .*       | apiVersion: v1                           | line 2: apiVersion has no group; write one such as ray.io/v1
          apiVersion: .*       | ''                                       | apiVersion is missing; write a text
          kind: TrainingRun    | 'kind: TrainingRun\nplural: Runs'        | line 4: plural
          suspend: .*          | suspend: spec.*.suspend                  | line 4: suspend has a *; it has to lead to one field
          suspend: .*          | suspend: spec..suspend                   | line 4: suspend is no path; write the names of fields with dots between them, such as spec.suspend
          suspend: .*          | suspended: spec.suspend                  | suspend is missing; write the field that stops the pods
          podSets:(\\n .*)+    | podSets: []                              | line 5: podSets is missing; write at least one, with its pod template
          name: leader,        | ''                                       | podSets[0].name is missing; write the name of the pod set
          template: pods,      | ''                                       | podSets[1].template is missing; write the field with the pod template
          cpu: 1               | cpu: one                                 | podSets[0].requests.cpu
          count: .size.        | count: ["*.size"]                        | line 7: podSets[1].count has a path with *; each factor is one field
          count: .size.        | count: [size, hosts], minCount: least    | line 7: podSets[1].minCount needs a count of one field, without atLeast and atMost: a start with fewer pods writes it
          cpu: 1}              | 'cpu: 1}, reclaimable: status.*.done'    | line 6: podSets[0].reclaimable has a *, the key of the element, but there is no forEach
          ready: .*            | redy: [{condition: Running}]             | line 9: redy is not a known key; did you mean "ready"?
          ready: .*            | ready: [{path: status.phase}]            | line 9: ready[0].path needs one of in, above or present: true; or write condition, all or none without a path
          ready: .*            | ready: [{in: [Running]}]                 | ready[0].path is missing; write the field that is compared
          ready: .*            | ready: {condition: Ready}                | line 9: ready must be a list
          in: .Done, Failed.}  | in: []}                                  | line 10: finished[0].in is empty, so that it never holds; write a value
          finished: .*         | 'finished: [{all: []}]'                  | line 10: finished[0].all is empty, so that it always holds; write a match
          finished: .*         | 'finished: [{none: []}]'                 | line 10: finished[0].none is empty, so that it always holds; write a match
          name: leader         | name: Workers_A                          | line 6: podSets[0].name can't name a pod set; write at most 63 letters, digits and -
          - .forEach.*         | '- {name: Leader, template: spec.a, requests: {cpu: 1}}'     | line 5: podSets has two called Leader; give each a name of its own, or a when that holds for other objects
          because: .*          | because: ''}                             | refuseIf[0].because is missing; write a text
          ready: .*            | 'wraps: {forEach: spec.a, object: b, podSets: c, path: d, infos: e}' | line 9: wraps stands beside podSets; write one of the two
          podSets:(\\n .*)+    | 'wraps: {forEach: spec.a, object: b, podSets: c, infos: e}' | wraps.path is missing; write the field with the path of a pod template
          podSets:(\\n .*)+    | 'wraps: {forEach: spec.a, object: b, podSets: c, path: d, infos: e, inferred: [{apiVersion: v1, kind: A, podSets: [{nameFrom: x}]}]}' | line 5: wraps.inferred[0].podSets[0].nameFrom is not a known key
          """)
  void aDeclarationIsRefusedWithLineKeyAndRemedy(String line, String instead, String message) {
    String wrong = DECLARATION.replaceFirst(line, instead);

    assertThat(wrong).isNotEqualTo(DECLARATION);
    assertThatThrownBy(() -> JobKindTrial.of(wrong))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining(message);
  }

  @Test
  void podSetsThatNoObjectNeedHaveTogetherAreAccepted() {
    String more =
        IntStream.range(0, 20)
            .mapToObj(i -> "  - {name: more-%d, template: spec.more%d}\n".formatted(i, i))
            .collect(Collectors.joining());
    String twice = "  - {name: one, template: spec.a}\n  - {name: one, template: spec.b}\n";

    assertThat(JobKindTrial.of(with(more)).podSets()).hasSize(22);
    assertThat(JobKindTrial.of(with(twice)).podSets()).contains("one", "one");
    assertThatThrownBy(() -> JobKindTrial.of(with(twice.replace("spec.b", "spec.a"))))
        .hasMessageContaining("podSets has two called one");
    assertThat(
            JobKindTrial.of(with(twice))
                .on(OBJECT.replace("spec:\n  suspend", "spec:\n  a: {}\n  b: {}\n  suspend"))
                .text())
        .contains("refused    spec.b: a second pod set \"one\"");
  }

  private static String with(String podSets) {
    return DECLARATION.replaceFirst("active:", podSets + "active:");
  }

  /** It would have started before these were told. */
  @Test
  void aCoreOnlyWarnsOfWhatIsNeverOfUse() {
    String declared =
        DECLARATION
            .replace("name: leader", "name: Workers_A")
            .replace("[Done, Failed]}", "[]}")
            .indent(6)
            .replaceFirst("      framework", "    - framework");

    assertThat(
            Configuration.parse(
                    "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
                        + "kueue4j:\n  jobKinds:\n"
                        + declared)
                .unusedKeys())
        .hasSize(2)
        .anyMatch(key -> key.contains("podSets[0].name can't name a pod set"))
        .anyMatch(key -> key.contains("finished[0].in is empty, so that it never holds"));
  }

  @Test
  void aBoundMayBeAsGoodAsNone() {
    JobKindTrial kind =
        JobKindTrial.of(
            DECLARATION.replace("count: [size]", "count: [size], atMost: most, atLeast: least"));

    assertThat(kind.on(changed("size: 3", "size: 3\n    most: 9223372036854775807")).text())
        .contains("big: 3 pods")
        .doesNotContain("refused");
    assertThat(kind.on(changed("size: 3", "size: 9223372036854775807\n    most: 4")).text())
        .contains("big: 4 pods");
    assertThat(kind.on(changed("size: 3", "size: 100000000000000000000")).text())
        .contains("refused    spec.groups.0.size is 100000000000000000000; write");
  }

  @Test
  void aDeclarationOfMorePodSetsThanAWorkloadCanHaveIsRefused() {
    String more =
        IntStream.range(0, 18)
            .mapToObj(
                i ->
                    "  - {name: more-%d, template: spec.more%d, requests: {cpu: 1}}\n"
                        .formatted(i, i))
            .collect(Collectors.joining());

    assertThatThrownBy(() -> JobKindTrial.of(DECLARATION.replaceFirst("active:", more + "active:")))
        .hasMessage(
            "line 5: podSets has 19 that every object has, and a Workload has at most 18; remove some");
    assertThat(
            JobKindTrial.of(
                    DECLARATION.replaceFirst(
                        "active:",
                        more.replace("}}", "}, when: [{path: spec.mode, in: [a]}]}") + "active:"))
                .podSets())
        .hasSize(20);
  }

  @Test
  void anObjectWithMorePodSetsThanAWorkloadCanHaveIsRefused() {
    String more =
        IntStream.range(0, 18)
            .mapToObj(
                i ->
                    "  - {name: g%d, size: 1, pods: {spec: {containers: [{name: a}]}}}\n"
                        .formatted(i))
            .collect(Collectors.joining());

    assertThat(JobKindTrial.of(DECLARATION).on(OBJECT.replace("status:", more + "status:")).text())
        .contains(
            "  refused    spec.groups makes 20 pod sets, and a Workload has at most 18; write fewer");
  }

  @ParameterizedTest
  @CsvSource({
    "kind: .*, kind: Other, ml.example.com/trainingrun",
    "framework: .*, framework: other, trainingruns.ml.example.com"
  })
  void aConfigurationRefusesASecondDeclarationOfAKind(String line, String instead, String twice) {
    String second = DECLARATION.replaceFirst(line, instead);
    String configuration =
        "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nkueue4j:\n  jobKinds:\n";

    assertThat(Configuration.parse(configuration + item(DECLARATION)).integrations().frameworks())
        .containsExactly("batch/job", "ml.example.com/trainingrun");
    assertThatThrownBy(() -> Configuration.parse(configuration + item(DECLARATION) + item(second)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("line 4: kueue4j.jobKinds declares " + twice + " twice");
  }

  private static String item(String declaration) {
    return "  - " + declaration.strip().replace("\n", "\n    ") + "\n";
  }

  @Test
  void anObjectIsReadStartedAndStoppedByIt() {
    SampleTrial trial = JobKindTrial.of(DECLARATION).on(OBJECT);

    assertThat(trial.text())
        .isEqualTo(
            """
            TrainingRun demo
              suspended  yes
              pods run   no
              ready      no
              finished   no
              pod set    leader: 1 pod with cpu 1
              pod set    big: 3 pods, each with cpu 500m, memory 1Gi
            a start writes, on nodes with the label example.com/nodes=example:
              spec.groups[0].pods.metadata.annotations["kueue.x-k8s.io/workload"]: "the Workload's name"
              spec.groups[0].pods.metadata.labels["kueue.x-k8s.io/cluster-queue-name"]: "example"
              spec.groups[0].pods.metadata.labels["kueue.x-k8s.io/job-uid"]: "the object's uid"
              spec.groups[0].pods.metadata.labels["kueue.x-k8s.io/local-queue-name"]: "example"
              spec.groups[0].pods.metadata.labels["kueue.x-k8s.io/podset"]: "big"
              spec.groups[0].pods.spec.nodeSelector["example.com/nodes"]: "example"
              spec.suspend: false
            a stop takes that back
            paths of the declaration that lead nowhere in this object:
              line 6: podSets[0].template: spec.leader (fine: pods with requests stand for it)
              line 9: ready[0].condition: Ready (fine: the object has no such condition)
              line 8: active[0]: status.pods (fine: it counts as 0)
              line 13: refuseIf[0].path: spec.elastic (fine: it doesn't hold)
            """);
    assertThat(trial.sound()).isTrue();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          suspend: true  | suspend: false                                                     | suspended  no
          suspend: true  | suspend: false  | 'a stop takes that back, and leaves:\n  spec.suspend: true'
          size: 3        | hosts: 3                                                           | 'count[0]: spec.groups.*.size (it counts as 1: right if the kind has one pod without the field, otherwise correct the path)'
          Waiting        | Waiting, pods: 2                                                   | pods run   yes
          Waiting        | 'Waiting, conditions: [{type: Ready, status: "True"}]'             | ready      yes
          Waiting        | 'Waiting, conditions: [{type: Ready, status: "False"}]'            | ready      no
          Waiting        | Done                                                               | finished   Succeeded
          Waiting        | Failed                                                             | finished   Failed
          spec:          | 'spec:\n  leader: {spec: {containers: [{name: a}]}}'               | leader: 1 pod without requests
          app: mine      | kueue.x-k8s.io/podset: other                                       | no start is shown: pod set big: label kueue.x-k8s.io/podset is "other" for the pod template, but "big" for the core
          """)
  void itsStateIsShown(String part, String instead, String shown) {
    SampleTrial trial = JobKindTrial.of(DECLARATION).on(changed(part, instead));

    assertThat(trial.text()).contains(shown);
    assertThat(trial.sound()).isTrue();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          size: 3              | sise: 3                          | line 7: podSets[1].count[0]: spec.groups.*.size (it counts as 1; did you mean spec.groups.*.sise?)
          suspend: true        | suspended: true                  | object that has the field; did you mean spec.suspended?)
          suspend: true        | paused: true                     | line 4: suspend: spec.suspend (correct the path, or take an object that has the field)
          spec:                | 'spec:\n  elastic: true'         | refused    spec.elastic is true; remove it
          groups:              | group:                           | podSets[1].forEach: spec.groups
          spec:                | 'spec:\n  leader: big'            | refused    spec.leader is "big"; write a pod template, with metadata and spec
          spec:                | 'spec:\n  leader: [1]'            | refused    spec.leader is a list; write a pod template, with metadata and spec
          spec:                | 'spec:\n  leader: {spec: none}'   | refused    spec.leader is no pod template: Expected BEGIN_OBJECT but was STRING at spec; write it as a Pod has it
          name: big            | name: leader                     | refused    spec.groups.0.name: a second pod set "leader"; give each a name of its own
          name: big            | name: Big_One                    | refused    spec.groups.0.name: "Big_One" can't name a pod set; write at most 63 letters, digits and -
          size: 3              | size: 100000000000000000000      | refused    spec.groups.0.size is 100000000000000000000; write a whole number of at most 2147483647
          size: 3              | size: -1                         | refused    spec.groups.0.size is -1; write a whole number of at least 0
          pods:                | pod:                             | podSets[1].template: spec.groups.*.pods (correct
          """)
  void anObjectIsNotSound(String part, String instead, String message) {
    SampleTrial trial = JobKindTrial.of(DECLARATION).on(changed(part, instead));

    assertThat(trial.text()).contains(message);
    assertThat(trial.sound()).isFalse();
  }

  @Test
  void fewerPodsAndThoseThatAreGivenBackAreTold() {
    JobKindTrial kind =
        JobKindTrial.of(
            DECLARATION.replace(
                "count: [size]",
                "count: [size], minCount: least, reclaimable: status.groups.*.done"));

    assertThat(kind.summary())
        .contains("size pods of pods, at least least; gives back status.groups.*.done of them\n");
    assertThat(kind.on(changed("size: 3", "size: 3\n    least: 2")).text())
        .contains(
            "big: 3 pods, each with cpu 500m, memory 1Gi; at least 2\n",
            "podSets[1].reclaimable: status.groups.*.done (fine: it counts as 0)");
    assertThat(kind.on(changed("phase: Waiting", "groups: [{done: 2}]")).text())
        .contains(
            "gives back big: 2 of its pods\n",
            "podSets[1].minCount: spec.groups.*.least (fine: all pods are needed)");
  }

  @Test
  void aDeclarationThatWrapsNeedsNoKnownKinds() {
    String wraps =
        DECLARATION.replaceFirst(
            "podSets:(\n .*)+",
            "wraps: {forEach: spec.a, object: b, podSets: c, path: d, infos: e}");

    assertThat(JobKindTrial.of(wraps).summary())
        .contains("those of the objects in spec.a", "  written    to e beside")
        .doesNotContain("known");
  }

  private static String changed(String part, String instead) {
    String object = OBJECT.replaceFirst(part, instead);
    assertThat(object).isNotEqualTo(OBJECT);
    return object;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {apiVersion: v1, kind: Pod} | is a Pod of v1; take a TrainingRun of ml.example.com/v1, as the declaration says
          []                          | is no manifest of an object
          {                           | is neither YAML nor JSON
          """)
  void aManifestOfSomethingElseIsRefused(String manifest, String message) {
    JobKindTrial trial = JobKindTrial.of(DECLARATION);

    assertThatThrownBy(() -> trial.on(manifest))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @FieldSource("io.github.kueue4j.jobs.kinds.BuiltInKinds#FILES")
  void aBuiltInKindIsFoundByFileAndFramework(String file) {
    JobKindTrial kind = JobKindTrial.builtIn(file).orElseThrow();

    assertThat(kind.framework()).endsWith("/" + file);
    assertThat(BuiltInKinds.find(kind.framework())).contains(BuiltInKinds.text(file));
    assertThat(kind.summary()).contains("valid: " + kind.kind() + " of ", "  stopped    while ");
    assertThat(BuiltInKinds.find("example.com/" + file)).isEmpty();
  }
}
