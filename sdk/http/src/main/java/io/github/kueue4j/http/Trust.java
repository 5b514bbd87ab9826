// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.jspecify.annotations.Nullable;

/**
 * The servers that a client trusts, and the certificate by which it shows itself.
 *
 * @param ca certificates (PEM); absent: those that the Java runtime trusts
 * @param own a certificate with its key
 */
record Trust(Optional<String> ca, Optional<Own> own) {

  static final Trust USUAL = new Trust(Optional.empty(), Optional.empty());

  /** A certificate chain and its private key, both PEM. */
  record Own(String certificates, String key) {}

  /** Never the key. */
  @Override
  public String toString() {
    return "Trust";
  }

  /**
   * Gives the client these settings.
   *
   * @throws EndpointUnavailableException if a text is no certificate or key
   */
  void applyTo(OkHttpClient.Builder client) {
    if (equals(USUAL)) {
      return;
    }
    try {
      X509TrustManager trusted = trusted();
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(), new TrustManager[] {trusted}, null);
      client.sslSocketFactory(context.getSocketFactory(), trusted);
    } catch (GeneralSecurityException | IOException e) {
      throw new EndpointUnavailableException(
          EndpointUnavailableException.Kind.MISCONFIGURED,
          "the CA bundle or the client certificate can't be used: write certificates and keys in PEM",
          e);
    }
  }

  private X509TrustManager trusted() throws GeneralSecurityException, IOException {
    @Nullable KeyStore store = null;
    if (ca.isPresent()) {
      store = emptyStore();
      int number = 0;
      for (Certificate each : certificates(ca.get(), "the CA bundle")) {
        store.setCertificateEntry("ca-" + number++, each);
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager each : factory.getTrustManagers()) {
      if (each instanceof X509TrustManager manager) {
        return manager;
      }
    }
    throw new GeneralSecurityException("the Java runtime has no X.509 trust manager");
  }

  private KeyManager @Nullable [] keys() throws GeneralSecurityException, IOException {
    if (own.isEmpty()) {
      return null;
    }
    char[] password = new char[0];
    KeyStore store = emptyStore();
    Certificate[] chain =
        certificates(own.get().certificates(), "the client certificate")
            .toArray(new Certificate[0]);
    store.setKeyEntry("own", privateKey(own.get().key()), password, chain);
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, password);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(String pem, String what)
      throws GeneralSecurityException {
    Collection<? extends Certificate> found =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
    if (found.isEmpty()) {
      throw new GeneralSecurityException(what + " holds no certificate");
    }
    return found;
  }

  private static PrivateKey privateKey(String pem) throws IOException {
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
      for (@Nullable Object part = parser.readObject(); part != null; part = parser.readObject()) {
        if (part instanceof PEMKeyPair pair) {
          return converter.getPrivateKey(pair.getPrivateKeyInfo());
        }
        if (part instanceof PrivateKeyInfo key) {
          return converter.getPrivateKey(key);
        }
        // Before an EC key stand its parameters.
      }
      throw new IOException("the client certificate has no private key without a password");
    }
  }
}
