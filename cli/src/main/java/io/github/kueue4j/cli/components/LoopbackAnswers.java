// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.DryEvaluations;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/**
 * The ports of 127.0.0.1 at which the checks of a cluster that is one process of this machine are
 * asked in advance, over plain HTTP and without a token. A ConfigMap of that cluster tells them.
 *
 * <p>It is read only where the API server is the embedded one, reached over plain HTTP on loopback:
 * what any other cluster says of ports of this machine isn't looked at, also by way of {@code
 * kubectl proxy}.
 *
 * @param ports by {@code spec.controllerName} of AdmissionChecks
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public record LoopbackAnswers(Map<String, Integer> ports) {
  private static final String NAME = "kueue4j-dry-evaluations";
  private static final String KEY = "ports.json";
  private static final String EMBEDDED = "+kueue4j";

  private static final int HIGHEST_PORT = 65_535;
  private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

  public LoopbackAnswers {
    ports = Map.copyOf(ports);
  }

  /**
   * The ConfigMap that tells the ports of a cluster.
   *
   * @param namespace where {@code try} looks for Services of checks
   */
  public V1ConfigMap configMap(String namespace) {
    JsonObject text = new JsonObject();
    ports.forEach(text::addProperty);
    return new V1ConfigMap()
        .metadata(new V1ObjectMeta().namespace(namespace).name(NAME))
        .putDataItem(KEY, text.toString());
  }

  /** The answers of a cluster; none unless it is a process of this machine that tells them. */
  public static LoopbackAnswers of(ClusterConnection connection, String namespace) {
    try {
      return isEmbedded(connection)
          ? connection
              .api()
              .get(CoreTypes.CONFIG_MAP, new ObjectKey(namespace, NAME))
              .map(LoopbackAnswers::read)
              .orElseGet(() -> new LoopbackAnswers(Map.of()))
          : new LoopbackAnswers(Map.of());
    } catch (KubernetesApiException | JsonParseException | IllegalStateException e) {
      return new LoopbackAnswers(Map.of()); // The checks can be asked in the way of all clusters.
    }
  }

  private static boolean isEmbedded(ClusterConnection connection) {
    return connection.isPlainOnLoopback() && connection.api().serverVersion().endsWith(EMBEDDED);
  }

  private static LoopbackAnswers read(V1ConfigMap map) {
    Map<String, Integer> ports = new LinkedHashMap<>();
    String text = Objects.requireNonNullElse(map.getData(), Map.<String, String>of()).get(KEY);
    JsonParser.parseString(Objects.requireNonNullElse(text, "{}"))
        .getAsJsonObject()
        .asMap()
        .forEach(
            (controller, port) -> {
              if (PORT.matcher(port.toString()).matches() && port.getAsInt() <= HIGHEST_PORT) {
                ports.put(controller, port.getAsInt());
              }
            });
    return new LoopbackAnswers(ports);
  }

  /** Where a check is asked about a Workload of the namespace; empty if its controller isn't. */
  public Optional<URI> at(String controller, String namespace, String check) {
    return Optional.ofNullable(ports.get(controller))
        .map(
            port -> URI.create("http://127.0.0.1:" + port + DryEvaluations.path(namespace, check)));
  }
}
