// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.kueue4j.runtime.tls.ServingCertificates;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Random;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;

/** An authority that another implementation left in the Secret: with an RSA key in PKCS#1. */
class AuthorityOfAnotherTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
  private static final List<String> HOSTS = List.of("webhooks.kueue-system.svc");

  @Test
  void issuesCertificatesForThisCore() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair keys = generator.generateKeyPair();
    X509Certificate authority = selfSigned(keys);
    ServingCertificates left =
        new ServingCertificates(List.of(authority), read(keys), List.of(authority), read(keys));

    ServingCertificates renewed = left.renewed(HOSTS, NOW, new Random(1));

    assertThat(renewed.authorities()).containsExactly(authority);
    X509Certificate serving = renewed.chain().getFirst();
    assertThat(serving.getSubjectX500Principal().getName()).isEqualTo("CN=" + HOSTS.getFirst());
    assertThatCode(() -> serving.verify(authority.getPublicKey())).doesNotThrowAnyException();
  }

  private static PrivateKey read(KeyPair keys) throws Exception {
    StringWriter pem = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(pem)) {
      writer.writeObject(keys.getPrivate());
    }
    assertThat(pem.toString()).contains("BEGIN RSA PRIVATE KEY");
    return ServingCertificates.privateKey(pem.toString());
  }

  private static X509Certificate selfSigned(KeyPair keys) throws Exception {
    X500Name name = new X500Name("CN=kueue-ca,O=kueue");
    return new JcaX509CertificateConverter()
        .getCertificate(
            new JcaX509v3CertificateBuilder(
                    name,
                    BigInteger.ZERO,
                    Date.from(NOW.minus(Duration.ofDays(1))),
                    Date.from(NOW.plus(Duration.ofDays(3650))),
                    name,
                    keys.getPublic())
                .build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate())));
  }
}
