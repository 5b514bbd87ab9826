// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate for the loopback address that is its own authority, and its key. */
@API(status = API.Status.INTERNAL)
public record ServerCertificate(X509Certificate certificate, KeyPair keys) {
  /** Years on both sides of any clock that a test may have. */
  private static final Date FROM = Date.from(Instant.parse("2020-01-01T00:00:00Z"));

  private static final Date UNTIL = Date.from(Instant.parse("2099-01-01T00:00:00Z"));
  private static final String ALIAS = "server";
  private static final char[] PASSWORD = "loopback".toCharArray();

  /**
   * A certificate with a key of its own.
   *
   * @param random where the serial number comes from
   * @param names of services that it is for besides
   */
  public static ServerCertificate generate(RandomGenerator random, String... names) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      X500Name name = new X500Name("CN=embedded-api-server");
      X509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              name,
              BigInteger.valueOf(random.nextLong(1, Long.MAX_VALUE)),
              FROM,
              UNTIL,
              name,
              keys.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyCertSign));
      builder.addExtension(
          Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(
              Stream.concat(
                      Stream.of(new GeneralName(GeneralName.iPAddress, "127.0.0.1")),
                      Stream.concat(Stream.of("localhost"), Stream.of(names))
                          .map(host -> new GeneralName(GeneralName.dNSName, host)))
                  .toArray(GeneralName[]::new)));
      X509Certificate certificate =
          new JcaX509CertificateConverter()
              .getCertificate(
                  builder.build(
                      new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
      return new ServerCertificate(certificate, keys);
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new IllegalStateException("this Java can't make a certificate for the HTTPS port", e);
    }
  }

  /** The certificate as PEM text, for clients to trust. */
  public String pem() {
    try {
      return "-----BEGIN CERTIFICATE-----\n"
          + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded())
          + "\n-----END CERTIFICATE-----\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate that was just made has no encoding", e);
    }
  }

  /** Certificate and key for the listener, under {@link #password()}. */
  public KeyStore keyStore() {
    try {
      // PKCS12 hashes the password 10,000 times at each writing and reading. Nothing is kept here.
      KeyStore store = KeyStore.getInstance("JKS");
      store.load(null, null);
      store.setKeyEntry(ALIAS, keys.getPrivate(), PASSWORD, new Certificate[] {certificate});
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this Java can't keep a key in memory", e);
    }
  }

  /** The password of {@link #keyStore()}. */
  public static String password() {
    return new String(PASSWORD);
  }
}
