// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.runtime.ClusterConnection;
import io.github.kueue4j.runtime.KubernetesApiException;
import io.github.kueue4j.sdk.BackendUnavailableException;
import io.github.kueue4j.sdk.ConflictException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which failures of requests for a check's own objects are those of the backend. */
class ApiResourcesTest {

  @ParameterizedTest
  @MethodSource
  void whatNoObjectIsToBlameForConcernsAll(KubernetesApiException cause, boolean all) {
    assertThat(ApiResources.concernsAll(cause)).isEqualTo(all);
  }

  static Stream<Arguments> whatNoObjectIsToBlameForConcernsAll() {
    return Stream.of(
        arguments(new KubernetesApiException.Unreachable("refused", new IOException()), true),
        arguments(new KubernetesApiException.TooManyRequests("slower", null, null), true),
        arguments(new KubernetesApiException.Unauthorized("who?", null), true),
        arguments(new KubernetesApiException.ServerFailure("starting", 503, null, null), true),
        arguments(new KubernetesApiException.ServerFailure("webhook", 500, null, null), false),
        arguments(new KubernetesApiException.Forbidden("quota exceeded", null), false),
        arguments(new KubernetesApiException.Invalid("too long", null), false));
  }

  @Test
  void whatWasChangedSinceItWasReadIsNotDeleted() {
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
        ClusterConnection connection =
            ClusterConnection.builder("test").url(server.uri()).connect()) {
      ApiResources resources =
          new ApiResources(connection.api(), ServedVersion.of(connection.api()));
      ObjectKey key = new ObjectKey("default", "notes");
      V1ConfigMap seen =
          resources.createIfAbsent(
              CoreTypes.CONFIG_MAP,
              new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").name("notes")));
      V1ConfigMap changed =
          resources.patch(CoreTypes.CONFIG_MAP, seen, Map.of("data", Map.of("a", "b")));

      assertThatThrownBy(() -> resources.deleteUnchanged(CoreTypes.CONFIG_MAP, seen))
          .isInstanceOf(ConflictException.class)
          .hasMessageContaining("was changed or deleted since it was read");
      assertThat(resources.get(CoreTypes.CONFIG_MAP, key)).isPresent();

      assertThat(resources.deleteUnchanged(CoreTypes.CONFIG_MAP, changed)).isTrue();
      assertThat(resources.get(CoreTypes.CONFIG_MAP, key)).isEmpty();
      assertThat(resources.deleteUnchanged(CoreTypes.CONFIG_MAP, changed)).isFalse();
    }
  }

  @Test
  void aServerThatIsGoneIsAnUnavailableBackend() {
    EmbeddedApiServer server = EmbeddedApiServer.builder().objects(Crds.kueue()).start();
    try (ClusterConnection connection =
        ClusterConnection.builder("test").url(server.uri()).connect()) {
      ApiResources resources =
          new ApiResources(connection.api(), ServedVersion.of(connection.api()));
      ObjectKey none = new ObjectKey("default", "none");
      assertThat(resources.get(CoreTypes.CONFIG_MAP, none)).isEmpty();
      server.close();
      assertThatThrownBy(() -> resources.get(CoreTypes.CONFIG_MAP, none))
          .isInstanceOf(BackendUnavailableException.class)
          .hasCauseInstanceOf(KubernetesApiException.Unreachable.class);
    } finally {
      server.close();
    }
  }
}
