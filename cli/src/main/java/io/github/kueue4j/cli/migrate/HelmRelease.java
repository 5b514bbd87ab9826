// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.Metadata;
import io.kubernetes.client.openapi.models.V1Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.apiguardian.api.API;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * A release as Helm 3 keeps it in a Secret. What {@code helm uninstall} deletes stands in its
 * manifest: annotations that were added to the objects later change nothing.
 *
 * @param namespace of the Secret
 * @param name of the release
 * @param doomedDefinitions the CustomResourceDefinitions of kueue.x-k8s.io in its manifest that
 *     {@code helm uninstall} would delete, with all objects of these kinds
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record HelmRelease(String namespace, String name, List<String> doomedDefinitions) {
  static final String SECRET_TYPE = "helm.sh/release.v1";

  /** A release is limited by the size of a Secret, about 1 MiB, before it is unpacked. */
  private static final int LONGEST_MANIFEST = 64 * 1024 * 1024;

  private static final String KEEP = "keep";

  public HelmRelease {
    doomedDefinitions = List.copyOf(doomedDefinitions);
  }

  /** The release, if this Secret holds a deployed one. */
  static Optional<HelmRelease> read(V1Secret secret) throws UnreadableReleaseException {
    Map<String, String> labels = Metadata.labels(secret);
    byte[] data = Optional.ofNullable(secret.getData()).orElse(Map.of()).get("release");
    if (!SECRET_TYPE.equals(secret.getType())
        || !"deployed".equals(labels.get("status"))
        || data == null) {
      return Optional.empty();
    }
    String namespace = String.valueOf(secret.getMetadata().getNamespace());
    String name = labels.getOrDefault("name", String.valueOf(secret.getMetadata().getName()));
    try {
      return Optional.of(new HelmRelease(namespace, name, doomed(manifest(data))));
    } catch (IOException | IllegalArgumentException | JsonParseException | YAMLException e) {
      throw new UnreadableReleaseException(namespace + "/" + secret.getMetadata().getName(), e);
    }
  }

  private static String manifest(byte[] data) throws IOException {
    byte[] packed = Base64.getDecoder().decode(data);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      byte[] unpacked = in.readNBytes(LONGEST_MANIFEST);
      JsonElement manifest =
          JsonParser.parseString(new String(unpacked, StandardCharsets.UTF_8))
              .getAsJsonObject()
              .get("manifest");
      return manifest == null ? "" : manifest.getAsString();
    }
  }

  private static List<String> doomed(String manifest) {
    List<String> doomed = new ArrayList<>();
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(LONGEST_MANIFEST);
    for (Object document : new Yaml(new SafeConstructor(options)).loadAll(manifest)) {
      if (document instanceof Map<?, ?> object
          && "CustomResourceDefinition".equals(object.get("kind"))
          && object.get("metadata") instanceof Map<?, ?> metadata
          && metadata.get("name") instanceof String definition
          && definition.endsWith(".kueue.x-k8s.io")
          && !isKept(metadata)) {
        doomed.add(definition);
      }
    }
    return doomed;
  }

  private static boolean isKept(Map<?, ?> metadata) {
    return metadata.get("annotations") instanceof Map<?, ?> annotations
        && KEEP.equals(annotations.get("helm.sh/resource-policy"));
  }

  /** A Secret that should hold a release and can't be read as one. */
  static final class UnreadableReleaseException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableReleaseException(String secret, Exception cause) {
      super("the Secret " + secret + " holds no Helm release: " + cause.getMessage(), cause);
    }
  }
}
