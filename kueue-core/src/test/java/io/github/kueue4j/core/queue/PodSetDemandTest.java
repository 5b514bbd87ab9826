// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodSet;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.core.config.Configuration;
import io.github.kueue4j.jobs.testing.FromYaml;
import io.kubernetes.client.openapi.models.V1LimitRange;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class PodSetDemandTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          two containers                | {containers: [{resources: {requests: {cpu: 1500m, memory: 1Ki}}}, {resources: {requests: {cpu: '1'}}}]} | cpu: 2500, memory: 1024
          a limit stands for a request  | {containers: [{resources: {limits: {cpu: '2', memory: 1}, requests: {memory: 2}}}]}                      | cpu: 2000, memory: 2
          the neediest init container   | {initContainers: [{resources: {requests: {cpu: '5'}}}, {resources: {requests: {cpu: '3'}}}], containers: [{resources: {requests: {cpu: '1'}}}]} | cpu: 5000
          an init container below       | {initContainers: [{resources: {requests: {cpu: 500m}}}], containers: [{resources: {requests: {cpu: '1'}}}]} | cpu: 1000
          a sidecar runs along          | {initContainers: [{restartPolicy: Always, resources: {requests: {cpu: '1'}}}], containers: [{resources: {requests: {cpu: '2'}}}]} | cpu: 3000
          a sidecar before an init      | {initContainers: [{restartPolicy: Always, resources: {requests: {cpu: '1'}}}, {resources: {requests: {cpu: '4'}}}], containers: [{resources: {requests: {cpu: '2'}}}]} | cpu: 5000
          a sidecar after an init       | {initContainers: [{resources: {requests: {cpu: '4'}}}, {restartPolicy: Always, resources: {requests: {cpu: '1'}}}], containers: [{resources: {requests: {cpu: '2'}}}]} | cpu: 4000
          overhead comes on top         | {overhead: {cpu: 250m}, containers: [{resources: {requests: {cpu: '1'}}}]}                             | cpu: 1250
          pod level takes precedence    | {resources: {requests: {cpu: '7'}}, containers: [{resources: {requests: {cpu: '1', memory: 5}}}]}          | cpu: 7000, memory: 5
          fractions round up            | {containers: [{resources: {requests: {cpu: '0.0001', example.com/x: 1500m}}}]}                        | cpu: 1, example.com/x: 2
          less than nothing             | {containers: [{resources: {requests: {cpu: '-64', memory: 1}}}]}                                   | memory: 1
          nothing asked                 | {containers: [{}]}                                                                               | ``
          more than a long saturates    | {containers: [{resources: {requests: {memory: '1e20'}}}]}                                        | memory: 9223372036854775807
          """)
  void followsTheKubernetesScheduler(String name, String pod, String expected) {
    assertThat(asked(DemandCalculator.plain(), pod)).isEqualTo(numbers(expected));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          the class's overhead            | {runtimeClassName: vm, containers: [{resources: {requests: {cpu: '1'}}}]} | cpu: 1250
          an overhead of its own          | {runtimeClassName: vm, overhead: {cpu: 1m}, containers: [{resources: {requests: {cpu: '1'}}}]} | cpu: 1001
          a class that doesn't exist      | {runtimeClassName: no, containers: [{resources: {requests: {cpu: '1'}}}]} | cpu: 1000
          a default request               | {containers: [{}, {resources: {requests: {memory: 1}}}]} | cpu: 1000, memory: 1
          a default for init containers   | {initContainers: [{}], containers: [{resources: {requests: {cpu: 1m}}}]} | cpu: 500
          the own limit before a default  | {containers: [{resources: {limits: {cpu: '3'}}}]} | cpu: 3000
          """)
  void podsAreCompletedAsAtTheirCreation(String name, String pod, String expected) {
    String limits = name.contains("default") ? "{defaultRequest: {cpu: 500m}}" : "{}";

    assertThat(asked(under(ResourceRules.plain(), limits), pod)).isEqualTo(numbers(expected));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          nothing wrong           | {} | {requests: {cpu: '1'}, limits: {cpu: '1'}} | ``
          more than its limit     | {} | {requests: {cpu: '2'}, limits: {cpu: '1'}} | resources validation failed: podSets[main].containers[c].cpu: requests must not exceed its limits
          above the max           | {max: {cpu: 900m}} | {requests: {cpu: '1'}} | resources didn't satisfy LimitRange constraints: podSets[main].containers[c].cpu: requests must not be above the limitRange max
          below the min           | {min: {cpu: '2'}}  | {requests: {cpu: '1'}} | resources didn't satisfy LimitRange constraints: podSets[main].containers[c].cpu: requests must not be below the limitRange min
          the tighter of two      | {max: {cpu: '4'}}, {max: {cpu: 900m}} | {requests: {cpu: '1'}} | resources didn't satisfy LimitRange constraints: podSets[main].containers[c].cpu: requests must not be above the limitRange max
          a default above the max | {max: {cpu: '1'}, defaultRequest: {cpu: '2'}} | {} | resources didn't satisfy LimitRange constraints: podSets[main].containers[c].cpu: requests must not be above the limitRange max
          the pod as a whole      | {type: Pod, max: {cpu: 900m}} | {requests: {cpu: '1'}} | resources didn't satisfy LimitRange constraints: podSets[main].cpu: requests must not be above the limitRange max
          of other things         | {type: PersistentVolumeClaim, max: {cpu: 900m}} | {requests: {cpu: '1'}} | ``
          """)
  void saysWhichPodsCanNeverBeCreated(
      String name, String limits, String resources, String expected) {
    Workload workload = workload("{containers: [{name: c, resources: " + resources + "}]}");

    assertThat(under(ResourceRules.plain(), limits).problem(workload).orElse(""))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          as it is                  | []                                                                       | cpu: 2000, example.com/slice: 3
          excluded                  | [example.com/]                                                           | cpu: 2000
          counted as another, too   | {input: example.com/slice, outputs: {gpu-memory: 5}}                      | cpu: 2000, example.com/slice: 3, gpu-memory: 15
          counted as another        | {input: example.com/slice, strategy: Replace, outputs: {gpu-memory: 5}}   | cpu: 2000, gpu-memory: 15
          on top of what is there   | {input: example.com/slice, strategy: Replace, outputs: {cpu: 500m}}       | cpu: 3500
          times another resource    | {input: example.com/slice, strategy: Replace, multiplyBy: cpu, outputs: {x: 5}} | cpu: 2000, x: 30
          times one that isn't there | {input: example.com/slice, strategy: Replace, multiplyBy: no, outputs: {x: 5}} | cpu: 2000
          as none of another        | {input: example.com/slice, strategy: Replace, outputs: {x: 0}}            | cpu: 2000
          of one that isn't asked   | {input: no, outputs: {x: 5}}                                              | cpu: 2000, example.com/slice: 3
          """)
  void countsAccordingToTheConfiguration(String name, String rule, String expected) {
    String key =
        rule.startsWith("[")
            ? "excludeResourcePrefixes: " + rule
            : "transformations: [" + rule + "]";
    Configuration configuration =
        Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            resources: {%s}
            """
                .formatted(key));

    assertThat(
            asked(
                under(configuration.resourceRules(), "{}"),
                "{containers: [{resources: {requests: {cpu: '2', example.com/slice: 3}}}]}"))
        .isEqualTo(numbers(expected));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          all of them               | 2    | []                                                | 4 | 2
          two of them can still run | 3    | [{name: main, count: 2}]                          | 2 | 2
          fewer would do            | 1    | [{name: main, count: 2}]                          | 2 | 1
          all or nothing of these   | null | [{name: main, count: 1}]                          | 3 | 3
          none                      | 2    | [{name: main, count: 4}]                          | 0 | 0
          more than there are       | 2    | [{name: main, count: 7}]                          | 0 | 0
          less than nothing         | 2    | [{name: main, count: -1}]                         | 4 | 2
          of another pod set        | 2    | [{name: other, count: 3}]                         | 4 | 2
          """)
  void onlyPodsThatCanStillRunAskForQuota(
      String name, String minCount, String reclaimable, int count, int fewest) {
    Workload workload =
        FromYaml.read(
            Workload.class,
            """
            {metadata: {name: w, namespace: team}, spec: {podSets: [{name: main, count: 4,
              minCount: %s, template: {spec: {containers: [{resources: {requests: {cpu: 1}}}]}}}]},
              status: {reclaimablePods: %s}}
            """
                .formatted(minCount, reclaimable));

    PodSetDemand demand = DemandCalculator.plain().of(workload).getFirst();

    assertThat(demand.count()).isEqualTo(count);
    assertThat(demand.minCount()).isEqualTo(fewest);
    assertThat(demand.perPod().get("cpu")).isEqualTo(1000);
  }

  private static DemandCalculator under(ResourceRules rules, String limits) {
    Map<String, Object> range = new Yaml().load("{spec: {limits: [" + limits + "]}}");
    V1LimitRange parsed = KueueJson.fromTree(KueueJson.toTree(range), V1LimitRange.class);
    parsed
        .getSpec()
        .getLimits()
        .forEach(item -> item.setType(item.getType() == null ? "Container" : item.getType()));
    return new DemandCalculator(
        rules,
        namespace -> NamespaceLimits.of(List.of(parsed)),
        name -> name.equals("vm") ? Map.of("cpu", Quantity.ofMilli(250)) : Map.of());
  }

  private static Map<String, Long> asked(DemandCalculator demandCalculator, String pod) {
    return demandCalculator.of(workload(pod)).getFirst().perPod().asMap();
  }

  private static Map<String, Long> numbers(String amounts) {
    Map<String, Long> parsed = new TreeMap<>();
    Map<String, Number> numbers = new Yaml().load("{" + amounts + "}");
    numbers.forEach((resource, amount) -> parsed.put(resource, amount.longValue()));
    return parsed;
  }

  private static Workload workload(String podSpec) {
    Object tree = new Yaml().load(podSpec);
    V1PodSpec spec = KueueJson.fromTree(KueueJson.toTree(tree), V1PodSpec.class);
    Workload workload = Workload.named("team", "w");
    return workload.withSpec(
        workload
            .spec()
            .withPodSets(List.of(new PodSet("main", new V1PodTemplateSpec().spec(spec), 1, null))));
  }
}
