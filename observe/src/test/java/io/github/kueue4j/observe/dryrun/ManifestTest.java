// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class ManifestTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                | {requests: {cpu: "4"}}
          {requests: {cpu: 1, memory: 1Gi}}                 | {requests: {memory: 1Gi, cpu: "4"}}
          {requests: {cpu: 1}, limits: {cpu: 2, memory: 2}} | {requests: {cpu: "4"}, limits: {memory: 2, cpu: "4"}}
          {limits: {cpu: 2}}                                | {requests: {cpu: "4"}, limits: {cpu: "4"}}
          """)
  void eachPodRequestsTheAmount(String before, String after) {
    assertThat(job("cpu", "4", "{name: main, resources: %s}".formatted(before)))
        .isEqualTo(tree(template("{name: main, resources: %s}".formatted(after))));
  }

  @Test
  void ofSeveralContainersTheFirstRequestsIt() {
    assertThat(
            job(
                "cpu",
                "4",
                "{name: main}, {name: side, resources: {requests: {cpu: 1}, limits: {cpu: 2}}}"))
        .isEqualTo(
            tree(
                template(
                    "{name: main, resources: {requests: {cpu: '4'}, limits: {cpu: '4'}}},"
                        + " {name: side, resources: {requests: {}, limits: {}}}")));
  }

  /** The API server refuses a request of it without a limit. */
  @Test
  void whatCannotBeOvercommittedIsLimitedToo() {
    assertThat(job("nvidia.com/gpu", "2", "{name: main}"))
        .isEqualTo(
            tree(
                template(
                    "{name: main, resources: {requests: {nvidia.com/gpu: '2'},"
                        + " limits: {nvidia.com/gpu: '2'}}}")));
  }

  @Test
  void aPodsOwnResourcesAreThoseOfAllItsContainers() {
    String pod = "{resources: {requests: {cpu: %s}}, containers: [{name: main, resources: %s}]}";

    assertThat(
            changed(
                "cpu", "4", "{kind: Pod, apiVersion: v1, spec: " + pod.formatted(8, "{}") + "}"))
        .isEqualTo(podTree(pod.formatted("'4'", "{}")));
  }

  private static Object podTree(String spec) {
    return tree("{kind: Pod, apiVersion: v1, spec: " + spec + ", metadata: {namespace: team}}");
  }

  private static Object job(String resource, String amount, String containers) {
    return changed(resource, amount, template(containers));
  }

  private static Object changed(String resource, String amount, String yaml) {
    return Manifest.read(yaml, "team").getFirst().withRequest(resource, amount).tree();
  }

  private static String template(String containers) {
    return """
    {kind: Job, apiVersion: batch/v1, metadata: {namespace: team},
      spec: {template: {spec: {initContainers: [{name: first}], containers: [%s]}}}}
    """
        .formatted(containers);
  }

  private static Object tree(String yaml) {
    return KueueJson.toTree(new Yaml().<Object>load(yaml));
  }
}
