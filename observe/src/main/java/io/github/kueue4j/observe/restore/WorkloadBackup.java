// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.restore;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.stream.JsonReader;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ListOptions;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * All Workloads of a cluster with their statuses, as they were at one moment. Its text is a List of
 * them, the same as {@code kubectl get workloads -A -o json} prints; fields that this core has no
 * use for are left out.
 *
 * @param workloads with metadata, spec and status
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WorkloadBackup(List<Workload> workloads) {
  public WorkloadBackup {
    workloads = List.copyOf(workloads);
  }

  /**
   * Reads all Workloads of a cluster.
   *
   * @throws KubernetesApiException if the server refuses or doesn't answer
   */
  public static WorkloadBackup of(KubernetesApi api) {
    return new WorkloadBackup(api.list(KueueTypes.WORKLOAD, ListOptions.all()).items());
  }

  /**
   * Reads the text of a backup.
   *
   * @throws UnreadableBackupException if it isn't a List of Workloads in the version of this core
   */
  public static WorkloadBackup read(Reader text) {
    List<Workload> workloads = new ArrayList<>();
    boolean list = false;
    try (JsonReader json = new JsonReader(text)) {
      json.beginObject();
      while (json.hasNext()) {
        if (json.nextName().equals("items")) {
          list = true;
          json.beginArray();
          while (json.hasNext()) {
            workloads.add(workload(JsonParser.parseReader(json)));
          }
          json.endArray();
        } else {
          json.skipValue();
        }
      }
      json.endObject();
    } catch (IOException | IllegalStateException | JsonParseException e) {
      throw new UnreadableBackupException("it is no List, or incomplete: " + e.getMessage(), e);
    }
    if (!list) {
      throw new UnreadableBackupException("it is no List: it has no items", null);
    }
    return new WorkloadBackup(workloads);
  }

  private static Workload workload(JsonElement item) {
    mustBeWorkload(item);
    return KueueJson.fromTree(item, Workload.class);
  }

  private static void mustBeWorkload(JsonElement item) {
    String found = item instanceof JsonObject object ? text(object, "apiVersion") : "";
    String kind = item instanceof JsonObject object ? text(object, "kind") : "";
    if (!kind.equals(KueueTypes.WORKLOAD.kind())
        || !found.equals(KueueTypes.WORKLOAD.apiVersion())) {
      throw new UnreadableBackupException(
          "it has an item of "
              + (kind.isEmpty() ? "no kind" : "kind " + kind + " in " + found)
              + "; only Workloads in "
              + KueueTypes.WORKLOAD.apiVersion()
              + " can be restored",
          null);
    }
  }

  private static String text(JsonObject object, String field) {
    JsonElement value = object.get(field);
    return value != null && value.isJsonPrimitive() ? value.getAsString() : "";
  }

  /**
   * Writes the text of the backup, a line for each Workload.
   *
   * @throws IOException if it can't be written
   */
  public void write(Appendable out) throws IOException {
    out.append("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    String separator = "\n";
    for (Workload workload : workloads) {
      out.append(separator).append(KueueJson.toJson(workload));
      separator = ",\n";
    }
    out.append("\n]}\n");
  }

  /** A text that is no backup. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  public static final class UnreadableBackupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableBackupException(String why, @Nullable Throwable cause) {
      super(why, cause);
    }
  }
}
