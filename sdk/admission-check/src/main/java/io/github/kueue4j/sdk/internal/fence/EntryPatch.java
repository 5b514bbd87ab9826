// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.internal.fence;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.patch.JsonPatch;
import io.github.kueue4j.runtime.patch.JsonPatch.Kind;
import io.github.kueue4j.runtime.patch.JsonPatch.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The JSON patch that carries out a {@link Decision.Write}: it touches only the fields of the one
 * entry that differ, so entries of other checks and fields that this program doesn't know stay as
 * they are, byte for byte.
 *
 * <p>A list element is addressed by its index, so the patch first tests that the entry there has
 * the check's name (a failed test is a 422), and replaces the resourceVersion by the one that was
 * read (a mismatch is a 409). Both mean: read the object live and decide again.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class EntryPatch {

  private static final String CHECKS = "/status/admissionChecks/";

  private EntryPatch() {}

  /**
   * The patch of the status subresource.
   *
   * @param newest the object on which the write was decided
   * @throws IllegalArgumentException if that object has no such entry
   */
  public static JsonPatch of(Workload newest, Decision.Write write) {
    String check = write.before().name();
    String entry = CHECKS + indexOf(newest.status().admissionChecks(), check);
    List<Operation> operations = new ArrayList<>();
    operations.add(new Operation(Kind.TEST, entry + "/name", new JsonPrimitive(check)));
    String version = Objects.requireNonNullElse(newest.metadata().getResourceVersion(), "");
    operations.add(
        new Operation(Kind.REPLACE, "/metadata/resourceVersion", new JsonPrimitive(version)));
    JsonObject before = KueueJson.toTree(write.before()).getAsJsonObject();
    JsonObject after = KueueJson.toTree(write.after()).getAsJsonObject();
    for (var field : after.entrySet()) {
      JsonElement value = field.getValue();
      if (!value.equals(before.get(field.getKey()))) {
        operations.add(new Operation(Kind.ADD, entry + "/" + field.getKey(), value));
      }
    }
    for (String field : before.keySet()) {
      if (!after.has(field)) {
        operations.add(new Operation(Kind.REMOVE, entry + "/" + field, null));
      }
    }
    return new JsonPatch(operations);
  }

  private static int indexOf(List<AdmissionCheckState> entries, String check) {
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).name().equals(check)) {
        return i;
      }
    }
    throw new IllegalArgumentException("the workload has no entry of the check '" + check + "'");
  }
}
