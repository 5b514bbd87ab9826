// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pods on nodes have time to end where kubelets run them. */
class PodGraceTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-06-01T10:00:00Z"));

  @RegisterExtension
  static final TestServer api = new TestServer(builder -> builder.clock(now::get).kubelets());

  @Test
  void aPodOnANodeIsMarkedAndStaysUntilItsKubeletRemovesIt() {
    pod("marked", "nodeName: n1");

    assertThat(api.delete(PODS + "/marked").status()).isEqualTo(200);

    TestServer.Answer marked = api.get(PODS + "/marked");
    assertThat(marked.at("metadata.deletionGracePeriodSeconds").asInt()).isEqualTo(30);
    assertThat(deletion("marked")).isEqualTo(now.get().plusSeconds(30));

    api.delete(PODS + "/marked?gracePeriodSeconds=0");
    assertThat(api.get(PODS + "/marked").status()).isEqualTo(404);
  }

  @Test
  void itsOwnGracePeriodCountsAndCanOnlyBeShortened() {
    pod("slow", "nodeName: n1, terminationGracePeriodSeconds: 3600");
    Instant told = now.get();
    api.delete(PODS + "/slow");
    assertThat(deletion("slow")).isEqualTo(told.plusSeconds(3600));

    now.set(told.plusSeconds(20));
    api.delete(PODS + "/slow?gracePeriodSeconds=7200");
    assertThat(deletion("slow")).as("not longer").isEqualTo(told.plusSeconds(3600));

    api.delete(PODS + "/slow?gracePeriodSeconds=25");
    assertThat(deletion("slow")).as("from the first deletion").isEqualTo(told.plusSeconds(25));

    api.delete(PODS + "/slow");
    assertThat(deletion("slow")).as("asked again").isEqualTo(told.plusSeconds(25));
  }

  @Test
  void whatDoesNotRunGoesAtOnce() {
    pod("unscheduled", "");
    api.delete(PODS + "/unscheduled");
    assertThat(api.get(PODS + "/unscheduled").status()).isEqualTo(404);

    pod("ended", "nodeName: n1");
    api.mergePatch(PODS + "/ended/status", "{\"status\": {\"phase\": \"Succeeded\"}}");
    api.delete(PODS + "/ended");
    assertThat(api.get(PODS + "/ended").status()).isEqualTo(404);
  }

  @Test
  void wrongSecondsAreRefused() {
    pod("wrong", "nodeName: n1");

    assertThat(api.delete(PODS + "/wrong?gracePeriodSeconds=soon").status()).isEqualTo(400);
    assertThat(api.get(PODS + "/wrong").at("metadata.deletionTimestamp").isMissingNode()).isTrue();
  }

  private static Instant deletion(String pod) {
    return Instant.parse(api.get(PODS + "/" + pod).at("metadata.deletionTimestamp").asText());
  }

  private static void pod(String name, String spec) {
    assertThat(
            api.post(
                    PODS,
                    "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {%s%scontainers: [{name: c, image: i}]}}"
                        .formatted(name, spec, spec.isEmpty() ? "" : ", "))
                .status())
        .isEqualTo(201);
  }
}
