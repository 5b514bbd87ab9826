// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.controller.CheckController;
import io.github.kueue4j.sdk.controller.Watch;
import io.github.kueue4j.sdk.controller.Watched;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets of the controller's own namespace, by name and key. A Secret of another namespace
 * can't be named: otherwise the author of an endpoint could have it sent to a server of theirs.
 *
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SecretTexts {

  private final Watched<V1Secret> secrets;
  private final String namespace;

  private SecretTexts(Watched<V1Secret> secrets, String namespace) {
    this.secrets = secrets;
    this.namespace = namespace;
  }

  /**
   * The Secrets of a namespace.
   *
   * @param secrets watched there, and only there
   * @param namespace the one that the controller runs in
   */
  public static SecretTexts of(Watched<V1Secret> secrets, String namespace) {
    return new SecretTexts(secrets, namespace);
  }

  /**
   * The Secrets of the controller's own namespace, as it sees them; no more than their data is kept
   * in memory. A change of one wakes no Workload: it takes effect with the next evaluation.
   *
   * @param controller not yet built; it needs the right to list and watch Secrets there
   * @param namespace the one that it runs in
   */
  public static SecretTexts watchedBy(CheckController.Builder controller, String namespace) {
    return of(
        controller.watch(
            Watch.of(CoreTypes.SECRET)
                .inNamespace(namespace)
                .trimmed(SecretTexts::dataOnly)
                .quietly()),
        namespace);
  }

  /** No Secrets at all: for endpoints without credentials. */
  public static SecretTexts none() {
    return new SecretTexts(new NoSecrets(), "");
  }

  /**
   * The text of a key, without white space around it: files that end with a line break are a common
   * mistake.
   *
   * @throws EndpointUnavailableException if the Secret or its key is missing, or is no text
   */
  public String text(SecretKeyRef ref) {
    V1Secret secret =
        secrets
            .get(new ObjectKey(namespace, ref.name()))
            .orElseThrow(
                () ->
                    misconfigured(
                        "there is no Secret '"
                            + ref.name()
                            + "' in the namespace '"
                            + namespace
                            + "', that of the controller: create it with the key '"
                            + ref.key()
                            + "'"));
    byte @Nullable [] data = secret.getData() == null ? null : secret.getData().get(ref.key());
    if (data == null || data.length == 0) {
      throw misconfigured(
          described(ref)
              + " is "
              + (data == null ? "missing" : "empty")
              + ": add it to the Secret");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data)).toString().strip();
    } catch (CharacterCodingException e) {
      throw new EndpointUnavailableException(
          EndpointUnavailableException.Kind.MISCONFIGURED,
          described(ref) + " is no text: write it in UTF-8",
          e);
    }
  }

  private static V1Secret dataOnly(V1Secret secret) {
    V1Secret kept = new V1Secret().apiVersion(secret.getApiVersion()).kind(secret.getKind());
    V1ObjectMeta metadata = secret.getMetadata();
    if (metadata != null) {
      kept.setMetadata(
          new V1ObjectMeta()
              .namespace(metadata.getNamespace())
              .name(metadata.getName())
              .uid(metadata.getUid())
              .resourceVersion(metadata.getResourceVersion()));
    }
    return kept.data(secret.getData());
  }

  private String described(SecretKeyRef ref) {
    return "the key '" + ref.key() + "' of the Secret '" + namespace + '/' + ref.name() + "'";
  }

  private static EndpointUnavailableException misconfigured(String message) {
    return new EndpointUnavailableException(
        EndpointUnavailableException.Kind.MISCONFIGURED, message);
  }

  private static final class NoSecrets implements Watched<V1Secret> {
    @Override
    public Optional<V1Secret> get(ObjectKey key) {
      return Optional.empty();
    }

    @Override
    public List<V1Secret> list() {
      return List.of();
    }

    @Override
    public void onChange(Consumer<ObjectKey> handler) {
      // There are none, and there never will be any.
    }
  }
}
