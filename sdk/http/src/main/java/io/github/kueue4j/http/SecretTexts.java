// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.http;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.objects.ForbiddenException;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.kubernetes.client.openapi.models.V1Secret;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets of one namespace, by name and key. A Secret of another namespace can't be named:
 * otherwise the author of an endpoint could have it sent to a server of theirs.
 *
 * <p>They are read one by one, so that a controller needs no right but to get those that its
 * endpoints name. Rejected: an informer. It needs the right to list all Secrets of the namespace,
 * among which Helm keeps its releases, with every value that they were installed with.
 *
 * @see HttpBackends
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class SecretTexts {

  /** Where Secrets are read. */
  @FunctionalInterface
  interface Source {
    /**
     * The Secret of this name.
     *
     * @throws ForbiddenException if the controller may not read it
     */
    Optional<V1Secret> secret(ObjectKey key);
  }

  private final Source secrets;
  private final String namespace;

  SecretTexts(Source secrets, String namespace) {
    this.secrets = secrets;
    this.namespace = namespace;
  }

  /**
   * The Secrets of a namespace that the controller may get. What was read is used again for a
   * second, however many Workloads are asked about meanwhile.
   *
   * @param controller not yet built
   */
  public static SecretTexts readBy(CheckController.Builder controller, String namespace) {
    ResourceClient resources = controller.resources();
    return new SecretTexts(
        new RecentSecrets(key -> resources.get(CoreTypes.SECRET, key), System::nanoTime),
        namespace);
  }

  /** No Secrets at all: for endpoints without credentials. */
  public static SecretTexts none() {
    return new SecretTexts(key -> Optional.empty(), "");
  }

  /**
   * The text of a key, without white space around it: files that end with a line break are a common
   * mistake.
   *
   * @throws EndpointUnavailableException if the Secret or its key is missing, is no text, or may
   *     not be read
   */
  public String text(SecretKeyRef ref) {
    V1Secret secret = secret(ref);
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

  private V1Secret secret(SecretKeyRef ref) {
    ObjectKey key = new ObjectKey(namespace, ref.name());
    try {
      return secrets
          .secret(key)
          .orElseThrow(
              () ->
                  misconfigured(
                      "there is no Secret '%s' in the namespace '%s': create it with the key '%s'"
                          .formatted(ref.name(), namespace, ref.key())));
    } catch (ForbiddenException e) {
      throw new EndpointUnavailableException(
          EndpointUnavailableException.Kind.MISCONFIGURED,
          "the controller may not read the Secret '"
              + key
              + "': if endpoints may have it, name it in the value secrets.names of the check's"
              + " chart, or let the controller's account get it",
          e);
    }
  }

  private String described(SecretKeyRef ref) {
    return "the key '" + ref.key() + "' of the Secret '" + namespace + '/' + ref.name() + "'";
  }

  private static EndpointUnavailableException misconfigured(String message) {
    return new EndpointUnavailableException(
        EndpointUnavailableException.Kind.MISCONFIGURED, message);
  }
}
