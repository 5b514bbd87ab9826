// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.patch.GuardedPatch;
import io.github.kueue4j.runtime.tls.InvalidCertificateException;
import io.github.kueue4j.runtime.tls.ServingCertificates;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate in a Secret that all replicas share: the first replica creates it, the others use
 * it. A replica never serves a certificate that isn't in the Secret, so that all clients trust it.
 */
final class CertificateSecret implements CertificateStore {
  private static final Logger log = LoggerFactory.getLogger(CertificateSecret.class);
  private static final int TRIES = 5;
  private static final String AUTHORITIES = "ca.crt";
  private static final String AUTHORITY_KEY = "ca.key";
  private static final String CHAIN = "tls.crt";
  private static final String KEY = "tls.key";

  private final KubernetesApi api;
  private final ObjectKey secret;
  private final List<String> hosts;
  private final RandomGenerator serials;

  CertificateSecret(
      KubernetesApi api, ObjectKey secret, List<String> hosts, RandomGenerator serials) {
    this.api = api;
    this.secret = secret;
    this.hosts = List.copyOf(hosts);
    this.serials = serials;
  }

  @Override
  public ServingCertificates at(Instant now) {
    for (int attempt = 1; ; attempt++) {
      try {
        return current(now);
      } catch (KubernetesApiException.Conflict | KubernetesApiException.AlreadyExists e) {
        if (attempt == TRIES) {
          throw e;
        }
        log.atDebug().addKeyValue("secret", secret).log("Another replica updated the object first");
      }
    }
  }

  private ServingCertificates current(Instant now) {
    Optional<V1Secret> found = api.get(CoreTypes.SECRET, secret);
    if (found.isEmpty()) {
      ServingCertificates issued = ServingCertificates.issue(hosts, now, serials);
      V1Secret created =
          new V1Secret()
              .metadata(new V1ObjectMeta().namespace(secret.namespace()).name(secret.name()))
              .type("Opaque")
              .data(data(issued));
      api.create(CoreTypes.SECRET, created);
      log.atInfo().addKeyValue("secret", secret).log("Created the certificate of the webhooks");
      return issued;
    }
    V1Secret kept = found.get();
    ServingCertificates renewed =
        read(kept)
            .map(present -> present.renewed(hosts, now, serials))
            .orElseGet(() -> ServingCertificates.issue(hosts, now, serials));
    Map<String, byte[]> data = new HashMap<>(kept.getData() == null ? Map.of() : kept.getData());
    data.putAll(data(renewed));
    V1Secret changed =
        new V1Secret()
            .metadata(kept.getMetadata())
            .type(kept.getType())
            .immutable(kept.getImmutable())
            .data(data);
    GuardedPatch<V1Secret> patch = GuardedPatch.between(kept, changed);
    if (!patch.isEmpty()) {
      api.patch(CoreTypes.SECRET, patch);
      log.atInfo().addKeyValue("secret", secret).log("Renewed the certificate of the webhooks");
    }
    return renewed;
  }

  /** The certificates in the Secret; empty if it is empty, as the chart creates it, or invalid. */
  private Optional<ServingCertificates> read(V1Secret kept) {
    Map<String, byte[]> data = kept.getData();
    if (data == null
        || !data.keySet().containsAll(List.of(AUTHORITIES, AUTHORITY_KEY, CHAIN, KEY))) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ServingCertificates(
              ServingCertificates.certificates(text(data, AUTHORITIES)),
              ServingCertificates.privateKey(text(data, AUTHORITY_KEY)),
              ServingCertificates.certificates(text(data, CHAIN)),
              ServingCertificates.privateKey(text(data, KEY))));
    } catch (InvalidCertificateException e) {
      log.atWarn()
          .addKeyValue("secret", secret)
          .addKeyValue("problem", e.getMessage())
          .log("Replacing the invalid certificate of the webhooks");
      return Optional.empty();
    }
  }

  private static String text(Map<String, byte[]> data, String key) {
    return new String(data.getOrDefault(key, new byte[0]), StandardCharsets.UTF_8);
  }

  private static Map<String, byte[]> data(ServingCertificates certificates) {
    return Map.of(
        AUTHORITIES,
        bytes(ServingCertificates.pem(certificates.authorities())),
        AUTHORITY_KEY,
        bytes(
            certificates.authorityKey() == null
                ? ""
                : ServingCertificates.pem(List.of(certificates.authorityKey()))),
        CHAIN,
        bytes(ServingCertificates.pem(certificates.chain())),
        KEY,
        bytes(ServingCertificates.pem(List.of(certificates.key()))));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
