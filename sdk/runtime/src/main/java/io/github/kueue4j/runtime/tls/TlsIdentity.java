// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** The certificate of a server; it can be replaced, with effect from the next handshake. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class TlsIdentity extends X509ExtendedKeyManager {
  private static final String ALIAS = "serving";

  private final AtomicReference<@Nullable ServingCertificates> shown = new AtomicReference<>();

  /** No certificate yet: until one is shown, handshakes fail. */
  public TlsIdentity() {}

  /** Serves these from the next handshake on. */
  public void show(ServingCertificates certificates) {
    shown.set(certificates);
  }

  /** The TLS context of a server with this identity. */
  public SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {this}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java can't serve TLS", e);
    }
  }

  private @Nullable String aliasFor(String keyType) {
    ServingCertificates current = shown.get();
    return current != null && current.key().getAlgorithm().equals(keyType) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return aliasFor(keyType);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return aliasFor(keyType);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return aliasFor(keyType) == null ? null : new String[] {ALIAS};
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
    ServingCertificates current = shown.get();
    return current == null ? null : current.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
    ServingCertificates current = shown.get();
    return current == null ? null : current.key();
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String @Nullable [] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
