// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.RawClient;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.runtime.patch.JsonPointer;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.runtime.patch.Patch;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.BatchV1Api;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The library's generated calls send a patch as plain JSON, which the API refuses with 415. */
class PatchContentTypeTest {

  private static final ObjectKey KEY = new ObjectKey("n", "j");

  /** The media types that the API server accepts, compared exactly. */
  private static final Set<String> ACCEPTED =
      Set.of(
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          "application/apply-patch+yaml");

  private static ScriptedServer strictServer() {
    return new ScriptedServer(
        (request, answer) -> {
          if (request.contentType() != null && ACCEPTED.contains(request.contentType())) {
            answer.json(200, "{\"metadata\":{\"namespace\":\"n\",\"name\":\"j\"}}");
          } else {
            answer.status(
                415, "UnsupportedMediaType", "the body of the request was in an unknown format");
          }
        });
  }

  @Test
  void theLibrarysPatchIsRefused() {
    try (var server = strictServer();
        var raw = new RawClient(server.uri())) {
      var jobs = new BatchV1Api(raw.client());
      assertThatThrownBy(
              () -> jobs.patchNamespacedJob("j", "n", new V1Patch("{\"spec\":{}}")).execute())
          .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.getCode()).isEqualTo(415));
    }
  }

  static Stream<Patch> patches() {
    var merge = new JsonObject();
    merge.add("spec", new JsonObject());
    return Stream.of(
        new MergePatch(merge),
        JsonPatch.of(
            new JsonPatch.Operation(
                JsonPatch.Kind.ADD,
                JsonPointer.of("metadata", "labels", "a/b").text(),
                new JsonPrimitive("ü"))));
  }

  @ParameterizedTest
  @MethodSource("patches")
  void oursIsAccepted(Patch patch) {
    try (var server = strictServer();
        var connection = ClusterConnection.builder("test").url(server.uri()).open()) {
      connection.api().patch(CoreTypes.JOB, KEY, patch);
      connection.api().patchStatus(CoreTypes.JOB, KEY, patch);

      assertThat(server.received()).hasSize(2).allMatch(r -> r.method().equals("PATCH"));
      assertThat(server.received().getFirst().contentType()).isEqualTo(patch.contentType());
      assertThat(server.received().getFirst().body()).isEqualTo(patch.body().toString());
      assertThat(server.received().getFirst().path())
          .isEqualTo("/apis/batch/v1/namespaces/n/jobs/j");
      assertThat(server.received().getLast().path())
          .isEqualTo("/apis/batch/v1/namespaces/n/jobs/j/status");
    }
  }
}
