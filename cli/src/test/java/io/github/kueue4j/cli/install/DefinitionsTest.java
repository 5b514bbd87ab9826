// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which versions a cluster serves after an installation. */
class DefinitionsTest {
  private static final List<ResourceType<?>> CONVERTED =
      List.of(
          KueueTypes.WORKLOAD, KueueTypes.CLUSTER_QUEUE, KueueTypes.LOCAL_QUEUE, KueueTypes.COHORT);

  @Test
  void versionsThatAreNotConvertedAreNotServedUntilAWebhookConverts() throws Exception {
    try (EmbeddedApiServer cluster = EmbeddedApiServer.start();
        ClusterConnection connection =
            ClusterConnection.builder("definitions").url(cluster.uri()).connect()) {
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
  void versionsThatAreConvertedOrStoredStayServed() throws Exception {
    try (EmbeddedApiServer cluster = EmbeddedApiServer.start();
        ClusterConnection connection =
            ClusterConnection.builder("definitions").url(cluster.uri()).connect()) {
      Definitions.installKueue(connection.api());
      String trusted =
          Base64.getEncoder().encodeToString("another authority".getBytes(StandardCharsets.UTF_8));
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

  private static int status(EmbeddedApiServer cluster, String version, ResourceType<?> type)
      throws Exception {
    URI list = cluster.uri().resolve("/apis/kueue.x-k8s.io/" + version + "/" + type.plural());
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.discarding())
          .statusCode();
    }
  }
}
