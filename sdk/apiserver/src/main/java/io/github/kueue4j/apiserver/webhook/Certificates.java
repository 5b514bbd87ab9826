// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The authorities to trust on a connection to a webhook. */
final class Certificates {
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private Certificates() {}

  /**
   * Trusts what an authority says about this host, wherever its service really is.
   *
   * @param caBundle PEM text in base64, empty for the system's authorities
   */
  static SSLContext trusting(String caBundle, String host) throws WebhookException {
    try {
      String authority =
          new String(Base64.getDecoder().decode(caBundle), StandardCharsets.US_ASCII);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new ForHost(trust(authority), host)}, null);
      return context;
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new WebhookException("unable to load root certificates: " + e.getMessage(), e);
    }
  }

  private static X509TrustManager trust(String authority)
      throws GeneralSecurityException, IOException {
    KeyStore store = null;
    if (!authority.isEmpty()) {
      store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(authority.getBytes(StandardCharsets.US_ASCII)));
      int number = 0;
      for (Certificate certificate : certificates) {
        store.setCertificateEntry("authority-" + number++, certificate);
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager trusting) {
        return trusting;
      }
    }
    throw new GeneralSecurityException("this Java has no trust in X.509 certificates");
  }

  /**
   * Checks the name in a certificate against the service's and not against the address that was
   * dialled. The platform leaves both checks to a trust manager of this kind.
   */
  private static final class ForHost extends X509ExtendedTrustManager {
    private final X509TrustManager authorities;
    private final String host;

    ForHost(X509TrustManager authorities, String host) {
      this.authorities = authorities;
      this.host = host;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      authorities.checkServerTrusted(chain, type);
      if (!isFor(chain[0], host)) {
        throw new CertificateException("x509: certificate is not valid for " + host);
      }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
        throws CertificateException {
      checkServerTrusted(chain, type);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
        throws CertificateException {
      checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
        throws CertificateException {
      throw new CertificateException("client certificates are not accepted here");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
        throws CertificateException {
      checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return authorities.getAcceptedIssuers();
    }
  }

  private static boolean isFor(X509Certificate certificate, String host)
      throws CertificateException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    if (names == null) {
      return false;
    }
    for (List<?> name : names) {
      String value = String.valueOf(name.get(1));
      boolean fits =
          switch ((Integer) name.get(0)) {
            case DNS_NAME -> isForName(value, host);
            case IP_ADDRESS -> value.equals(host);
            default -> false;
          };
      if (fits) {
        return true;
      }
    }
    return false;
  }

  private static boolean isForName(String pattern, String host) {
    int dot = host.indexOf('.');
    return pattern.equalsIgnoreCase(host)
        || (pattern.startsWith("*.")
            && dot > 0
            && pattern.substring(1).equalsIgnoreCase(host.substring(dot)));
  }
}
