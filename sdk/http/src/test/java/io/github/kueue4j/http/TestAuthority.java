// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.jspecify.annotations.Nullable;

/** A certificate authority of a test. */
final class TestAuthority {
  private static final AtomicLong SERIAL = new AtomicLong(1);

  private final X500Name name = new X500Name("CN=Test authority");
  private final KeyPair keys = keyPair();
  private final X509Certificate certificate;

  /** A certificate with its key. */
  record Issued(X509Certificate certificate, KeyPair keys) {
    String certificatePem() throws IOException {
      return pem(certificate);
    }

    /** In the form that begins with "BEGIN PRIVATE KEY". */
    String pkcs8Pem() throws IOException {
      return pem(new PemObject("PRIVATE KEY", keys.getPrivate().getEncoded()));
    }

    /** As OpenSSL and cert-manager write EC keys. */
    String sec1Pem() throws IOException {
      ECPrivateKey secret = (ECPrivateKey) keys.getPrivate();
      return pem(
          new PemObject(
              "EC PRIVATE KEY",
              new org.bouncycastle.asn1.sec.ECPrivateKey(
                      256, secret.getS(), SECObjectIdentifiers.secp256r1)
                  .getEncoded()));
    }
  }

  TestAuthority() throws Exception {
    certificate = certificate(name, keys, new BasicConstraints(true), null);
  }

  /** Its own certificate. */
  String pem() throws IOException {
    return pem(certificate);
  }

  private static String pem(Object object) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    }
    return text.toString();
  }

  /** A certificate for this address. */
  Issued issue(GeneralName subject) throws Exception {
    KeyPair own = keyPair();
    return new Issued(
        certificate(
            new X500Name("CN=issued"), own, new BasicConstraints(false), new GeneralNames(subject)),
        own);
  }

  /** Sockets of a server with this certificate. */
  ServerSocketFactory serving(Issued issued, boolean clientCertificates) throws Exception {
    char[] password = new char[0];
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    own.setKeyEntry(
        "own", issued.keys().getPrivate(), password, new X509Certificate[] {issued.certificate()});
    KeyManagerFactory keyManagers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keyManagers.init(own, password);
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("ca", certificate);
    TrustManagerFactory trustManagers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trustManagers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
    SSLServerSocketFactory sockets = context.getServerSocketFactory();
    return new Demanding(sockets, clientCertificates);
  }

  private X509Certificate certificate(
      X500Name subject, KeyPair own, BasicConstraints constraints, @Nullable GeneralNames names)
      throws GeneralSecurityException, OperatorCreationException, IOException {
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name,
            BigInteger.valueOf(SERIAL.getAndIncrement()),
            Date.from(Instant.parse("2020-01-01T00:00:00Z")),
            Date.from(Instant.parse("2099-01-01T00:00:00Z")),
            subject,
            own.getPublic());
    builder.addExtension(Extension.basicConstraints, true, constraints);
    if (names != null) {
      builder.addExtension(Extension.subjectAlternativeName, false, names);
    }
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
  }

  private static KeyPair keyPair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  /** Server sockets that may demand the certificates of clients. */
  private static final class Demanding extends ServerSocketFactory {
    private final SSLServerSocketFactory sockets;
    private final boolean clientCertificates;

    Demanding(SSLServerSocketFactory sockets, boolean clientCertificates) {
      this.sockets = sockets;
      this.clientCertificates = clientCertificates;
    }

    @Override
    public ServerSocket createServerSocket() throws IOException {
      SSLServerSocket socket = (SSLServerSocket) sockets.createServerSocket();
      socket.setNeedClientAuth(clientCertificates);
      return socket;
    }

    @Override
    public ServerSocket createServerSocket(int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, InetAddress address) {
      throw new UnsupportedOperationException();
    }
  }
}
