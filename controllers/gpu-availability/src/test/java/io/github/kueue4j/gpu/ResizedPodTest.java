// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueJson;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pod takes while it is resized in place (KEP-1287). */
class ResizedPodTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"phase\": \"Running\"}; 2000",
        "{\"containerStatuses\": [{\"name\": \"other\", \"allocatedResources\": {\"cpu\": \"6\"}}]}; 2000",
        "{\"containerStatuses\": [{\"name\": \"c\", \"allocatedResources\": {\"cpu\": \"6\"}}]}; 6000",
        "{\"containerStatuses\": [{\"name\": \"c\", \"allocatedResources\": {\"cpu\": \"1\"}}]}; 2000",
        "{\"containerStatuses\": [{\"name\": \"c\", \"allocatedResources\": {\"cpu\": \"1\"}, \"resources\": {\"requests\": {\"cpu\": \"5\"}}}]}; 5000",
        "{\"containerStatuses\": [{\"name\": \"c\", \"allocatedResources\": {\"cpu\": \"1\"}}], \"resize\": \"Infeasible\"}; 1000",
        "{\"containerStatuses\": [{\"name\": \"c\", \"allocatedResources\": {\"cpu\": \"1\"}}], \"conditions\": [{\"type\": \"PodResizePending\", \"status\": \"True\", \"reason\": \"Infeasible\"}]}; 1000",
        "{\"containerStatuses\": [{\"name\": \"c\", \"allocatedResources\": {\"cpu\": \"1\"}}], \"conditions\": [{\"type\": \"PodResizePending\", \"status\": \"True\", \"reason\": \"Deferred\"}]}; 2000",
      })
  void theMostOfSpecAndStatusCounts(String status, long millis) {
    V1Pod pod =
        KueueJson.fromJson(
            """
            {"metadata": {"namespace": "team-a", "name": "p", "uid": "u"},
             "spec": {"nodeName": "n1", "containers":
               [{"name": "c", "resources": {"requests": {"cpu": "2", "memory": "1Gi"}}}]},
             "status": %s}
            """
                .formatted(status),
            V1Pod.class);

    BoundPod bound = BoundPod.of(Trimming.pod(pod)).orElseThrow();

    assertThat(bound.requests().of("cpu")).isEqualTo(millis);
    assertThat(bound.requests().of("memory")).isEqualTo(1L << 30);
  }
}
