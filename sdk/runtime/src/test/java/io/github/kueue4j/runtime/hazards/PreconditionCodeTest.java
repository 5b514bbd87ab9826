// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.RawClient;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.runtime.patch.JsonPointer;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A {@code test} of the resourceVersion fails as "invalid" (422), not as the conflict that it is.
 */
class PreconditionCodeTest {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final ClusterConnection connection =
      ClusterConnection.builder("test").url(server.uri()).open();
  private final KubernetesApi api = connection.api();

  private V1ConfigMap stale = new V1ConfigMap();

  @BeforeEach
  void anObjectThatChangedAfterItWasRead() {
    stale =
        api.create(
            CoreTypes.CONFIG_MAP,
            new V1ConfigMap()
                .metadata(new V1ObjectMeta().namespace("default").name("a"))
                .data(Map.of("k", "1")));
    api.patch(CoreTypes.CONFIG_MAP, GuardedPatch.between(stale, with("k", "2")));
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private V1ConfigMap with(String key, String value) {
    return new V1ConfigMap().metadata(stale.getMetadata()).data(Map.of(key, value));
  }

  @Test
  void theLibrarysUsersGetA422ForAStaleVersion() {
    try (var raw = new RawClient(server.uri())) {
      var maps =
          new GenericKubernetesApi<>(
              V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", raw.client());
      var patch =
          new V1Patch(
              "[{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\""
                  + stale.getMetadata().getResourceVersion()
                  + "\"},{\"op\":\"replace\",\"path\":\"/data/k\",\"value\":\"3\"}]");
      assertThatThrownBy(
              () ->
                  maps.patch("default", "a", V1Patch.PATCH_FORMAT_JSON_PATCH, patch)
                      .throwsApiException())
          .isInstanceOf(ApiException.class)
          .hasMessageContaining("422");
    }
  }

  @Test
  void oursGetsAConflict() {
    assertThatThrownBy(
            () -> api.patch(CoreTypes.CONFIG_MAP, GuardedPatch.between(stale, with("k", "3"))))
        .isInstanceOf(KubernetesApiException.Conflict.class);
  }

  /**
   * The server applies the patch before it compares the version, and the member to remove is
   * missing.
   */
  @Test
  void oursGetsAConflictEvenIfThePatchDoesNotFitTheChangedObject() {
    V1ConfigMap fresh = api.get(CoreTypes.CONFIG_MAP, new ObjectKey("default", "a")).orElseThrow();
    var empty = new V1ConfigMap().metadata(fresh.getMetadata());
    api.patch(CoreTypes.CONFIG_MAP, GuardedPatch.between(fresh, empty));

    assertThatThrownBy(
            () -> api.patch(CoreTypes.CONFIG_MAP, GuardedPatch.between(fresh, with("x", "3"))))
        .isInstanceOf(KubernetesApiException.Conflict.class);
  }

  @Test
  void oursDistinguishesAFailedTestFromAConflict() {
    V1ConfigMap fresh = api.get(CoreTypes.CONFIG_MAP, new ObjectKey("default", "a")).orElseThrow();
    GuardedPatch<V1ConfigMap> patch =
        GuardedPatch.between(fresh, with("k", "3"))
            .testing(JsonPointer.of("data", "k"), new JsonPrimitive("something else"));
    assertThatThrownBy(() -> api.patch(CoreTypes.CONFIG_MAP, patch))
        .isInstanceOf(KubernetesApiException.Invalid.class);
    assertThatThrownBy(
            () ->
                api.patch(
                    CoreTypes.CONFIG_MAP,
                    new ObjectKey("default", "a"),
                    JsonPatch.of(
                        new JsonPatch.Operation(JsonPatch.Kind.REMOVE, "/data/missing", null))))
        .isInstanceOf(KubernetesApiException.class);
  }
}
