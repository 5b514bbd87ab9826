// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.jobs.yaml.InvalidConfigurationException;
import io.github.kueue4j.runtime.tls.TlsOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Go's names in the file, and the Java names that take effect. */
class TlsBlockTest {
  private static TlsOptions tls(String block) {
    return Configuration.parse(
            """
            apiVersion: config.kueue.x-k8s.io/v1beta2
            kind: Configuration
            tls: %s
            """
                .formatted(block))
        .tls();
  }

  private static void refuses(String block, String... parts) {
    assertThatThrownBy(() -> tls(block))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void javasDefaultsApplyUnlessConfigured() {
    assertThat(Configuration.defaults().tls()).isEqualTo(TlsOptions.defaults());
    assertThat(tls("{}")).isEqualTo(TlsOptions.defaults());
  }

  @Test
  void theOldestVersion() {
    assertThat(tls("{minVersion: VersionTLS13}").protocols()).containsExactly("TLSv1.3");
    // Java no longer supports older versions.
    for (String version : List.of("VersionTLS10", "VersionTLS11", "VersionTLS12")) {
      assertThat(tls("{minVersion: " + version + "}").protocols())
          .containsExactly("TLSv1.3", "TLSv1.2");
    }
    refuses(
        "{minVersion: TLS12}",
        "line 3: tls.minVersion is \"TLS12\"; allowed: VersionTLS10, VersionTLS11, VersionTLS12,"
            + " VersionTLS13");
  }

  @Test
  void cipherSuitesDoNotRestrictTls13() {
    assertThat(
            tls("{cipherSuites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,"
                    + " TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305]}")
                .cipherSuites())
        .containsExactly(
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256");
  }

  @Test
  void refusesUnsupportedCipherSuites() {
    refuses(
        "{cipherSuites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM]}",
        "tls.cipherSuites names \"TLS_ECDHE_ECDSA_WITH_AES_256_GCM\", which this Java can't serve",
        "known: TLS_AES_128_GCM_SHA256, ");
    refuses("{cipherSuites: [TLS_RSA_WITH_RC4_128_SHA]}", "which this Java can't serve");
    refuses(
        "{minVersion: VersionTLS13, cipherSuites: [TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]}",
        "tls.cipherSuites has no meaning with minVersion VersionTLS13");
  }

  @Test
  void curvesByNameAndNumber() {
    assertThat(tls("{curvePreferences: [CurveP384, X25519]}").namedGroups())
        .containsExactly("secp384r1", "x25519");
    assertThat(tls("{curvePreferences: [24, 29]}").namedGroups())
        .containsExactly("secp384r1", "x25519");
    refuses(
        "{curvePreferences: [P384]}",
        "tls.curvePreferences names \"P384\", which this Java can't serve",
        "known: X25519, CurveP256, CurveP384, CurveP521");
  }
}
