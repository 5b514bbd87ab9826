/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.PodSet;
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
          nothing asked                 | {containers: [{}]}                                                                               | ``
          more than a long saturates    | {containers: [{resources: {requests: {memory: '1e20'}}}]}                                        | memory: 9223372036854775807
          """)
  void followsTheKubernetesScheduler(String name, String pod, String expected) {
    Map<String, Long> requests = new TreeMap<>();
    Map<String, Number> numbers = new Yaml().load("{" + expected + "}");
    numbers.forEach((resource, amount) -> requests.put(resource, amount.longValue()));
    assertThat(PodSetDemand.of(podSet(pod), List.of()).perPod().asMap()).isEqualTo(requests);
  }

  private static PodSet podSet(String podSpec) {
    Object tree = new Yaml().load(podSpec);
    V1PodSpec spec = KueueJson.fromTree(KueueJson.toTree(tree), V1PodSpec.class);
    return new PodSet("main", new V1PodTemplateSpec().spec(spec), 1, null);
  }
}
