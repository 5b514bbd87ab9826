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
import java.io.IOException;
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
