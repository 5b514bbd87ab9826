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
package io.github.kueue4j.e2e.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.e2e.assembly.Target;
import io.github.kueue4j.e2e.cluster.EmbeddedCluster;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.MergePatch;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which versions a cluster serves after an installation. */
class DefinitionsTest {
  private static final List<ResourceType<?>> CONVERTED =
      List.of(
          KueueTypes.WORKLOAD, KueueTypes.CLUSTER_QUEUE, KueueTypes.LOCAL_QUEUE, KueueTypes.COHORT);

  @Test
  void versionsThatNobodyConvertsAreNotServedUntilSomebodyDoes() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(0, InstantSource.system());
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("definitions")) {
      Definitions.installKueueUnconverted(connection.api());

      for (ResourceType<?> type : KueueTypes.ALL) {
        assertThat(status(cluster, "v1beta2", type)).as("v1beta2 of %s", type).isEqualTo(200);
        assertThat(status(cluster, "v1beta1", type))
            .as("v1beta1 of %s", type)
            .isEqualTo(CONVERTED.contains(type) ? 404 : 200);
      }

      Definitions.installKueue(connection.api());

      for (ResourceType<?> type : KueueTypes.ALL) {
        assertThat(status(cluster, "v1beta1", type)).as("v1beta1 of %s", type).isEqualTo(200);
      }
    }
  }

  @Test
  void whatSomebodyConvertsOrHasStoredInAnotherVersionStaysServed() throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.start(0, InstantSource.system());
        ClusterConnection connection = Target.of(cluster.kubeconfig()).connect("definitions")) {
      Definitions.installKueue(connection.api());
      String trusted =
          Base64.getEncoder().encodeToString("somebody".getBytes(StandardCharsets.UTF_8));
      patch(
          connection,
          KueueTypes.WORKLOAD,
          "{\"spec\": {\"conversion\": {\"webhook\": {\"clientConfig\": {\"caBundle\": \""
              + trusted
              + "\"}}}}}");
      patchStatus(
          connection,
          KueueTypes.COHORT,
          "{\"status\": {\"storedVersions\": [\"v1beta1\", \"v1beta2\"]}}");

      List<String> unserved = Definitions.installKueueUnconverted(connection.api());

      assertThat(unserved).containsExactlyInAnyOrder("clusterqueues", "localqueues");
      assertThat(status(cluster, "v1beta1", KueueTypes.WORKLOAD)).isEqualTo(200);
      assertThat(status(cluster, "v1beta1", KueueTypes.COHORT)).isEqualTo(200);
      assertThat(status(cluster, "v1beta1", KueueTypes.CLUSTER_QUEUE)).isEqualTo(404);
      assertThat(status(cluster, "v1beta1", KueueTypes.LOCAL_QUEUE)).isEqualTo(404);
    }
  }

  private static void patch(ClusterConnection connection, ResourceType<?> type, String change) {
    connection
        .api()
        .patch(
            CoreTypes.CUSTOM_RESOURCE_DEFINITION,
            ObjectKey.cluster(type.qualifiedName()),
            new MergePatch(JsonParser.parseString(change).getAsJsonObject()));
  }

  private static void patchStatus(
      ClusterConnection connection, ResourceType<?> type, String change) {
    connection
        .api()
        .patchStatus(
            CoreTypes.CUSTOM_RESOURCE_DEFINITION,
            ObjectKey.cluster(type.qualifiedName()),
            new MergePatch(JsonParser.parseString(change).getAsJsonObject()));
  }

  private static int status(EmbeddedCluster cluster, String version, ResourceType<?> type)
      throws Exception {
    URI list = cluster.uri().resolve("/apis/kueue.x-k8s.io/" + version + "/" + type.plural());
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }
}
