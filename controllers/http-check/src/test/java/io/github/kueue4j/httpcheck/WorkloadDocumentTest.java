// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.github.kueue4j.http.HttpCall;
import io.github.kueue4j.http.HttpEndpoint;
import io.github.kueue4j.sdk.Evaluation;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an endpoint is told. */
class WorkloadDocumentTest {
  private static final HttpCheckSpec SPEC =
      HttpCheckSpec.of(HttpEndpoint.of(URI.create("https://gate.example/")));

  private static HttpCheckSpec sending(HttpCheckSpec.Send send) {
    return with(Optional.empty(), Optional.of(send));
  }

  private static HttpCheckSpec with(
      Optional<HttpCheckSpec.Method> method, Optional<HttpCheckSpec.Send> send) {
    return new HttpCheckSpec(
        SPEC.endpoint(),
        method,
        send,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void theDocumentOfTheGuide() {
    Evaluation<HttpCheckSpec> evaluation = Asked.about(2, SPEC);

    assertThat(WorkloadDocument.of(evaluation))
        .isEqualTo(
            JsonParser.parseString(
                """
                {"version": "kueue4j.io/http-check/v1", "check": "gate", "attempt": 2,
                 "attemptId": "%s", "deadline": "2026-03-02T10:00:30Z", "recheck": false,
                 "workload": {"namespace": "team-a", "name": "train", "uid": "train", "queue": "q",
                   "priority": 5, "labels": {"team": "a"}},
                 "podSets": [{"name": "main", "count": 2,
                   "requests": {"cpu": "4", "nvidia.com/gpu": "2"}, "flavors": {"cpu": "spot"}}]}
                """
                    .formatted(evaluation.attemptId())));
  }

  @Test
  void nothingOfThePodsAndNoAnnotationIsSentUnlessItIsNamed() {
    String document =
        WorkloadDocument.of(
                Asked.about(
                    1,
                    sending(
                        new HttpCheckSpec.Send(
                            Optional.of(false), Set.of("cost-center", "project", "absent")))))
            .toString();

    assertThat(document)
        .contains("\"annotations\":{\"cost-center\":\"17\",\"project\":\"ml\"}")
        .doesNotContain("geheim", "team\":\"a", "labels", "absent");
  }

  @Test
  void aGetNamesTheWorkloadInItsQuery() {
    Evaluation<HttpCheckSpec> evaluation =
        Asked.about(1, with(Optional.of(HttpCheckSpec.Method.GET), Optional.empty()));

    HttpCall call = WorkloadDocument.call(evaluation);

    assertThat(call.method()).isEqualTo("GET");
    assertThat(call.json()).isEmpty();
    assertThat(call.query())
        .containsExactly(
            new HttpCall.Field("version", "kueue4j.io/http-check/v1"),
            new HttpCall.Field("check", "gate"),
            new HttpCall.Field("namespace", "team-a"),
            new HttpCall.Field("name", "train"),
            new HttpCall.Field("uid", "train"),
            new HttpCall.Field("attempt", "2"),
            new HttpCall.Field("recheck", "false"),
            new HttpCall.Field("deadline", "2026-03-02T10:00:30Z"));
    assertThat(call.headers())
        .containsExactly(
            new HttpCall.Field("Idempotency-Key", evaluation.attemptId()),
            new HttpCall.Field("Cache-Control", "no-cache"));
  }
}
