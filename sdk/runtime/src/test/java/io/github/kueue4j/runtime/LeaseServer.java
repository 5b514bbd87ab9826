// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.patch.Patches;
import io.github.kueue4j.runtime.ScriptedServer.Answer;
import io.github.kueue4j.runtime.ScriptedServer.Received;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A minimal API server for leases: create, get, and patches with optimistic locking. */
public final class LeaseServer implements ScriptedServer.Script {

  private static final ObjectMapper JSON = new ObjectMapper();

  // Guarded by this object's monitor.
  private final Map<String, ObjectNode> objects = new HashMap<>();
  private int version;
  private boolean forbidden;

  /** Switches between refusing and serving requests. */
  public synchronized void forbid(boolean refuse) {
    forbidden = refuse;
  }

  /** The lease's holder; empty if there is none. */
  public synchronized String holder(String path) {
    ObjectNode lease = objects.get(path);
    return lease == null ? "" : lease.at("/spec/holderIdentity").asText("");
  }

  /** Writes the lease as another replica or a user would. */
  public synchronized void steal(String path, String thief, String renewTime) {
    ObjectNode lease = objects.computeIfAbsent(path, p -> JSON.createObjectNode());
    lease.withObject("/metadata").put("name", name(path)).put("namespace", "default");
    lease
        .withObject("/spec")
        .put("holderIdentity", thief)
        .put("renewTime", renewTime)
        .put("leaseDurationSeconds", 2);
    stamp(lease);
  }

  /** Deletes the lease as a user would. */
  public synchronized void delete(String path) {
    objects.remove(path);
  }

  @Override
  public synchronized void answer(Received request, Answer answer) throws IOException {
    if (forbidden) {
      answer.status(403, "Forbidden", "leases is forbidden");
      return;
    }
    switch (request.method()) {
      case "POST" -> create(request, answer);
      case "PATCH" -> patch(request, answer);
      default -> get(request, answer);
    }
  }

  private void create(Received request, Answer answer) throws IOException {
    var object = (ObjectNode) JSON.readTree(request.body());
    String path = request.path() + '/' + object.at("/metadata/name").asText();
    if (objects.containsKey(path)) {
      answer.status(409, "AlreadyExists", "exists");
      return;
    }
    objects.put(path, object);
    stamp(object);
    answer.json(201, object.toString());
  }

  private void get(Received request, Answer answer) throws IOException {
    @Nullable ObjectNode object = objects.get(request.path());
    if (object == null) {
      answer.json(
          404,
          "{\"kind\":\"Status\",\"code\":404,\"reason\":\"NotFound\",\"message\":\"not found\","
              + "\"details\":{\"name\":\""
              + name(request.path())
              + "\"}}");
    } else {
      answer.json(200, object.toString());
    }
  }

  private void patch(Received request, Answer answer) throws IOException {
    @Nullable ObjectNode before = objects.get(request.path());
    if (before == null) {
      get(request, answer);
      return;
    }
    boolean merge = Objects.equals(request.contentType(), "application/merge-patch+json");
    ObjectNode after =
        merge
            ? Patches.mergePatch(before.deepCopy(), JSON.readTree(request.body()))
            : Patches.jsonPatch(before.deepCopy(), JSON.readTree(request.body()));
    if (!after.at("/metadata/resourceVersion").equals(before.at("/metadata/resourceVersion"))) {
      answer.status(409, "Conflict", "the object has been modified");
      return;
    }
    stamp(after);
    objects.put(request.path(), after);
    answer.json(200, after.toString());
  }

  private void stamp(ObjectNode object) {
    object.withObject("/metadata").put("resourceVersion", Integer.toString(++version));
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
