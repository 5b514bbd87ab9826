// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.fixture.ServerAndReader;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The definition of the kind says with the first apply what the controller would say later. */
class RefusedFieldsTest {
  private static final List<String> ACCEPTED =
      List.of(
          "endpoint: {url: 'https://a.example:8443/check'}",
          "endpoint: {url: 'http://10.0.0.1/'}",
          "endpoint: {url: 'http://[fd00::1]:80/'}",
          "endpoint: {url: 'http://a.example', timeout: 1m30s}",
          "endpoint: {url: 'http://a.example', timeout: 1.5s}",
          "endpoint: {url: 'http://a.example', headers: [{name: X-Team, value: {value: a}}]}",
          "endpoint: {url: 'http://a.example'}, backoff: {base: 1s, factor: 10, max: 8760h}",
          "endpoint: {url: 'http://a.example'}, healthPath: /healthz, retries: 5, requestsPerMinute: 6000, pendingEvery: 1h30m",
          "endpoint: {url: 'https://a.example', ca: {value: a}, clientCertificate: {secretName: a}}",
          "endpoint: {url: 'http://a.example'}, method: POST, send: {labels: false, annotations: [a/b]}",
          "endpoint: {url: 'http://a.example'}, failurePolicy: Fail, unavailable: {errorBudget: 1m}",
          "endpoint: {url: 'http://a.example'}, unavailable: {errorBudget: 0s, busyDelay: 1s, downDelay: 24h}");

  /** What only the reader can tell is not among them. */
  private static final List<String> REFUSED =
      List.of(
          "method: GET",
          "endpoint: {url: 'ftp://a.example/'}",
          "endpoint: {url: 'http://'}",
          "endpoint: {url: 'http://user:pass@a.example/'}",
          "endpoint: {url: 'http://a.example/?q'}",
          "endpoint: {url: 'http://a.example/#f'}",
          "endpoint: {url: 'http://my_host/'}",
          "endpoint: {url: 'http://a.example', timeout: soon}",
          "endpoint: {url: 'http://a.example', timeout: 0s}",
          "endpoint: {url: 'http://a.example', timeout: 6m}",
          "endpoint: {url: 'https://a.example', ca: {}}",
          "endpoint: {url: 'https://a.example', ca: {value: a, file: b}}",
          "endpoint: {url: 'https://a.example', ca: {secretKeyRef: {name: ' ', key: k}}}",
          "endpoint: {url: 'https://a.example', ca: {secretKeyRef: {name: n, key: ' '}}}",
          "endpoint: {url: 'https://a.example', clientCertificate: {secretName: ' '}}",
          "endpoint: {url: 'http://a.example', authorization: {}}",
          "endpoint: {url: 'http://a.example', headers: [{name: 'a b', value: {value: x}}]}",
          "endpoint: {url: 'http://a.example', headers: [{name: Host, value: {value: x}}]}",
          "endpoint: {url: 'http://a.example', headers: [{name: Idempotency-Key, value: {value: x}}]}",
          "endpoint: {url: 'http://a.example', headers: [{name: Cache-Control, value: {value: x}}]}",
          "endpoint: {url: 'http://a.example', ca: {value: a}}",
          "endpoint: {url: 'http://a.example', clientCertificate: {secretName: a}}",
          "endpoint: {url: 'http://a.example'}, method: PUT",
          "endpoint: {url: 'http://a.example'}, method: GET, send: {annotations: [a/b]}",
          "endpoint: {url: 'http://a.example'}, method: GET, send: {labels: true}",
          "endpoint: {url: 'http://a.example'}, failurePolicy: Ignore, unavailable: {errorBudget: 1m}",
          "endpoint: {url: 'http://a.example'}, backoff: {base: 31m}",
          "endpoint: {url: 'http://a.example'}, backoff: {base: 2m, max: 1m}",
          "endpoint: {url: 'http://a.example'}, healthPath: healthz",
          "endpoint: {url: 'http://a.example'}, healthPath: '/a?b'",
          "endpoint: {url: 'http://a.example'}, retries: 6",
          "endpoint: {url: 'http://a.example'}, retries: -1",
          "endpoint: {url: 'http://a.example'}, requestsPerMinute: 0",
          "endpoint: {url: 'http://a.example'}, requestsPerMinute: 6001",
          "endpoint: {url: 'http://a.example'}, failurePolicy: Maybe",
          "endpoint: {url: 'http://a.example'}, unavailable: {errorBudget: 25h}",
          "endpoint: {url: 'http://a.example'}, unavailable: {busyDelay: 0s}",
          "endpoint: {url: 'http://a.example'}, unavailable: {downDelay: 25h}",
          "endpoint: {url: 'http://a.example'}, backoff: {base: 500ms}",
          "endpoint: {url: 'http://a.example'}, backoff: {max: 8761h}",
          "endpoint: {url: 'http://a.example'}, backoff: {factor: 0.5}",
          "endpoint: {url: 'http://a.example'}, backoff: {factor: 11}",
          "endpoint: {url: 'http://a.example'}, longestDelay: 1 day",
          "endpoint: {url: 'http://a.example'}, longestDelay: 0s",
          "endpoint: {url: 'http://a.example'}, pendingEvery: 10ms");

  @Test
  @KueueTest
  void whatTheReaderRefusesTheServerRefuses(KueueCluster cluster) {
    HttpCheck.crds().forEach(cluster::apply);

    new ServerAndReader<>(cluster, HttpCheck.TYPE).agree(ACCEPTED, REFUSED);
  }

  @ParameterizedTest
  @CsvSource({
    "longestDelay: 5m, , 30s",
    "'pendingEvery: 10m, longestDelay: 5m', , 10m",
    "'pendingEvery: 10m, longestDelay: 5m', 600, 5m",
    "pendingEvery: 30h, , 30h",
    "pendingEvery: 10m, 0, 1s"
  })
  void onlyWhatTheEndpointAsksForIsLimited(
      String fields, @Nullable Integer seconds, String expected) {
    HttpCheckSpec spec =
        ServerAndReader.spec(HttpCheck.TYPE, "endpoint: {url: 'http://a.example'}, " + fields);

    assertThat(spec.pendingIn(Optional.ofNullable(seconds).map(Duration::ofSeconds)))
        .isEqualTo(Duration.parse("PT" + expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "none",
      textBlock =
          """
          endpoint: {url: 'http://a.example', timeout: 10s}, retries: 5, backoff: {max: 24h} | none
          endpoint: {url: 'http://a.example', timeout: 13s} | none
          endpoint: {url: 'http://a.example', timeout: 20s}, retries: 0 | none
          endpoint: {url: 'http://a.example', timeout: 20s} | spec.endpoint.timeout is 20 s, and a call ends after 14 s, since an evaluation has 30 s: shorten it, or raise timeout of the guards
          endpoint: {url: 'http://a.example'}, backoff: {max: 48h} | spec.backoff.max is 2 d, and no delay is longer than 24 h: shorten it, or raise longestDelay of the guards and maximumRetryDelay of the core
          endpoint: {url: 'http://a.example'}, longestDelay: 30h | spec.longestDelay is 30 h, and no delay is longer than 24 h: shorten it, or raise longestDelay of the guards and maximumRetryDelay of the core
          """)
  void whatHasNoEffectIsTold(String fields, @Nullable String remark) {
    HttpCheckSpec spec = ServerAndReader.spec(HttpCheck.TYPE, fields);

    assertThat(
            spec.remarks(
                new Circumstances(
                    Duration.ofSeconds(30), Optional.of(Duration.ofHours(24)), Set::of, Set::of)))
        .isEqualTo(remark == null ? List.of() : List.of(remark));
  }
}
