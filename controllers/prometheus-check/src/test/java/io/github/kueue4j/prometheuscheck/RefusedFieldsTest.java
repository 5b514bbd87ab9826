// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.prometheuscheck;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.http.prometheus.ControlPlaneQueries;
import io.github.kueue4j.sdk.Circumstances;
import io.github.kueue4j.sdk.fixture.ServerAndReader;
import io.github.kueue4j.testkit.junit.KueueTest;
import io.github.kueue4j.testkit.script.KueueCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The definition of the kind says with the first apply what the controller would say later. */
class RefusedFieldsTest {
  private static final List<String> ACCEPTED =
      List.of(
          "endpoint: {url: 'https://a.example:8443/check'}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://10.0.0.1/'}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://[fd00::1]:80/'}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', timeout: 1m30s}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', timeout: 1.5s}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', headers: [{name: X-Team, value: {value: a}}]}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '>= -1e3', holdsFor: 24h, cacheFor: 0s",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {fixed: 24h, spread: 0s}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {proportional: {relaxed: 1m, stressed: 1m, stressedAt: 1.5}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '>= 10', delay: {proportional: {relaxed: 1m, stressed: 2m, stressedAt: 2}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', workloads: {selector: {matchExpressions: [{key: a, operator: Exists}]}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', unavailable: {errorBudget: 0s, busyDelay: 1s, downDelay: 24h}",
          "endpoint: {url: 'https://a.example', ca: {value: a}, clientCertificate: {secretName: a}}, query: up, readyWhen: '< 1'");

  /** What only the reader can tell is not among them. */
  private static final List<String> REFUSED =
      List.of(
          "endpoint: {url: 'ftp://a.example/'}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://'}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://user:pass@a.example/'}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example/?q'}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example/#f'}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://my_host/'}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', timeout: soon}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', timeout: 0s}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', timeout: 6m}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'https://a.example', ca: {}}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'https://a.example', ca: {value: a, file: b}}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'https://a.example', ca: {secretKeyRef: {name: ' ', key: k}}}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'https://a.example', ca: {secretKeyRef: {name: n, key: ' '}}}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'https://a.example', clientCertificate: {secretName: ' '}}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', authorization: {}}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', headers: [{name: 'a b', value: {value: x}}]}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', headers: [{name: Host, value: {value: x}}]}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', ca: {value: a}}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example', clientCertificate: {secretName: a}}, query: up, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', failurePolicy: Ignore, unavailable: {errorBudget: 1m}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {backoff: {base: 11m}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {backoff: {base: 2m, max: 1m}}",
          "endpoint: {url: 'http://a.example'}, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example'}, query: up",
          "endpoint: {url: 'http://a.example'}, query: '', readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: 'about 3'",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '= 3'",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1e999'",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '<'",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', holdsFor: 500ms",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', holdsFor: 25h",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', holdsFor: long",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', cacheFor: 6m",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', cacheFor: -1s",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', noData: Perhaps",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', failurePolicy: Maybe",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {fixed: 0s}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {fixed: 25h}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {fixed: 1m, backoff: {}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {backoff: {base: 0s}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {backoff: {max: 25h}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {backoff: {factor: 11}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {spread: 25h}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {proportional: {relaxed: 2m, stressed: 1m, stressedAt: 2}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {proportional: {relaxed: 1m, stressed: 2m, stressedAt: 1}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', delay: {proportional: {relaxed: 1m, stressed: 25h, stressedAt: 2}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', workloads: {selector: {matchExpressions: [{key: a, operator: Like, values: [b]}]}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', workloads: {selector: {matchExpressions: [{key: a, operator: In}]}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', workloads: {selector: {matchExpressions: [{key: a, operator: Exists, values: [b]}]}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', workloads: {minimumRequests: {cpu: many}}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', readyMade: etcd-fsync-p99",
          "endpoint: {url: 'http://a.example'}, readyMade: etcd-fsync, readyWhen: '< 1'",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', unavailable: {errorBudget: 25h}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', unavailable: {busyDelay: 0s}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', unavailable: {downDelay: 25h}",
          "endpoint: {url: 'http://a.example'}, query: up, readyWhen: '> 1', delay: {proportional: {relaxed: 1m, stressed: 2m, stressedAt: 1}}");

  @Test
  @KueueTest
  void whatTheReaderRefusesTheServerRefuses(KueueCluster cluster) {
    PrometheusCheck.crds().forEach(cluster::apply);

    List<String> readyMade =
        ControlPlaneQueries.names().stream()
            .map(
                name -> "endpoint: {url: 'http://a.example'}, readyWhen: '< 1', readyMade: " + name)
            .toList();

    new ServerAndReader<>(cluster, PrometheusCheck.TYPE)
        .agree(Stream.concat(ACCEPTED.stream(), readyMade.stream()).toList(), REFUSED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "none",
      textBlock =
          """
          endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', workloads: {minimumRequests: {cpu: 1}} | none
          endpoint: {url: 'http://a.example'}, query: up, readyWhen: '< 1', workloads: {minimumRequests: {cpus: 1}} | spec.workloads.minimumRequests names cpus, which no Workload asks for, and Workloads ask for cpu: correct the name
          endpoint: {url: 'http://a.example', timeout: 31s}, query: up, readyWhen: '< 1' | spec.endpoint.timeout is 31 s, and a call ends after 30 s, since an evaluation has 30 s: shorten it, or raise timeout of the guards
          """)
  void whatHasNoEffectIsTold(String fields, @Nullable String remark) {
    PrometheusCheckSpec spec = ServerAndReader.spec(PrometheusCheck.TYPE, fields);

    assertThat(
            spec.remarks(
                new Circumstances(
                    Duration.ofSeconds(30),
                    Optional.of(Duration.ofHours(24)),
                    () -> Set.of("cpu"),
                    Set::of)))
        .isEqualTo(remark == null ? List.of() : List.of(remark));
  }
}
