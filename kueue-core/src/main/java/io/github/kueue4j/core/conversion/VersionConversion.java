// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.conversion;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.KueueTypes;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Converts between {@code v1beta1} and {@code v1beta2}.
 *
 * <p>Values that users set and that only one of the versions can represent are kept in an
 * annotation, so that reading an object in the other version and writing it back doesn't lose them
 * (docs/COMPATIBILITY.md lists the values that are dropped).
 */
@API(status = API.Status.INTERNAL)
public final class VersionConversion {
  static final String OLD = "v1beta1";
  static final String NEW = KueueTypes.VERSION;

  private static final KindConversion SAME = new KindConversion() {};
  private static final Map<String, KindConversion> KINDS =
      Map.ofEntries(
          Map.entry("Workload", new WorkloadConversion()),
          Map.entry("ClusterQueue", new ClusterQueueConversion()),
          Map.entry("LocalQueue", new LocalQueueConversion()),
          Map.entry("Cohort", SAME),
          Map.entry("ResourceFlavor", SAME),
          Map.entry("AdmissionCheck", SAME),
          Map.entry("WorkloadPriorityClass", SAME),
          Map.entry("ProvisioningRequestConfig", SAME));

  private VersionConversion() {}

  /**
   * An object in another version.
   *
   * @param object in one version; it is not modified
   * @param apiVersion the wanted version, for example {@code kueue.x-k8s.io/v1beta2}
   * @throws UnconvertibleException if the other version can't represent the object, or its kind or
   *     version is unknown
   */
  public static JsonObject convert(JsonObject object, String apiVersion) {
    String kind = text(object, "kind");
    String from = version(text(object, "apiVersion"), kind);
    String to = version(apiVersion, kind);
    KindConversion conversion = KINDS.get(kind);
    if (conversion == null) {
      throw new UnconvertibleException(
          "kind %s can't be converted; known are %s"
              .formatted(kind, new TreeSet<>(KINDS.keySet())));
    }
    JsonObject converted = object.deepCopy();
    if (!from.equals(to)) {
      if (to.equals(NEW)) {
        conversion.upgrade(converted);
      } else {
        conversion.downgrade(converted);
      }
    }
    converted.addProperty("apiVersion", apiVersion);
    return converted;
  }

  private static String version(String apiVersion, String kind) {
    for (String version : Set.of(OLD, NEW)) {
      if (apiVersion.equals(KueueTypes.GROUP + "/" + version)) {
        return version;
      }
    }
    throw new UnconvertibleException(
        "%s has no version %s; there are %s/%s and %s"
            .formatted(
                kind.isEmpty() ? "the object" : kind, apiVersion, KueueTypes.GROUP, OLD, NEW));
  }

  private static String text(JsonObject object, String name) {
    JsonElement value = object.get(name);
    return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
  }
}
