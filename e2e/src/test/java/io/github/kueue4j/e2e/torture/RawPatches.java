// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.torture;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.runtime.patch.Patch;
import java.util.List;
import java.util.Objects;

/** The ways in which controllers write an entry of {@code status.admissionChecks} by hand. */
final class RawPatches {
  private static final String ENTRIES = "/status/admissionChecks";

  private RawPatches() {}

  /** A JSON patch of one entry, found by its place in the copy that was read. */
  static Patch entry(Workload read, AdmissionCheckState entry) {
    List<AdmissionCheckState> entries = read.status().admissionChecks();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).name().equals(entry.name())) {
        String place = ENTRIES + '/' + i;
        return JsonPatch.of(
            new JsonPatch.Operation(
                JsonPatch.Kind.TEST, place + "/name", new JsonPrimitive(entry.name())),
            new JsonPatch.Operation(JsonPatch.Kind.REPLACE, place, KueueJson.toTree(entry)));
      }
    }
    // "-" appends, but only to a list that is there; this fails if the status is missing.
    return entries.isEmpty()
        ? new MergePatch(document(array(List.of(entry))))
        : JsonPatch.of(
            new JsonPatch.Operation(JsonPatch.Kind.ADD, ENTRIES + "/-", KueueJson.toTree(entry)));
  }

  /** The same, refused if anything has changed since. */
  static Patch entryIfUnchanged(Workload read, AdmissionCheckState entry) {
    Patch patch = entry(read, entry);
    return switch (patch) {
      case JsonPatch json ->
          json.preceded(
              new JsonPatch.Operation(
                  JsonPatch.Kind.REPLACE,
                  "/metadata/resourceVersion",
                  new JsonPrimitive(version(read))));
      case MergePatch merge -> guarded(read, merge.document());
    };
  }

  /** A merge patch, which replaces the whole list by the copy that was read and the entry. */
  static Patch allEntries(Workload read, AdmissionCheckState entry) {
    return new MergePatch(
        document(array(read.status().withAdmissionCheck(entry).admissionChecks())));
  }

  /** The same, refused if anything has changed since. */
  static Patch allEntriesIfUnchanged(Workload read, AdmissionCheckState entry) {
    return guarded(
        read, document(array(read.status().withAdmissionCheck(entry).admissionChecks())));
  }

  private static Patch guarded(Workload read, JsonObject document) {
    JsonObject metadata = new JsonObject();
    metadata.addProperty("resourceVersion", version(read));
    document.add("metadata", metadata);
    return new MergePatch(document);
  }

  private static JsonObject document(JsonArray entries) {
    JsonObject status = new JsonObject();
    status.add("admissionChecks", entries);
    JsonObject document = new JsonObject();
    document.add("status", status);
    return document;
  }

  private static JsonArray array(List<AdmissionCheckState> entries) {
    JsonArray array = new JsonArray();
    entries.forEach(entry -> array.add(KueueJson.toTree(entry)));
    return array;
  }

  private static String version(Workload read) {
    return Objects.requireNonNull(read.metadata().getResourceVersion(), "resourceVersion");
  }
}
