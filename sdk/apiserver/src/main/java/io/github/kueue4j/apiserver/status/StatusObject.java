// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apiguardian.api.API;

/** The {@code v1 Status} objects that the API answers with. */
@API(status = API.Status.INTERNAL)
public final class StatusObject {
  private StatusObject() {}

  /** The body of a refused request. */
  public static ObjectNode failure(ApiException refusal) {
    ObjectNode status = status("Failure");
    status.put("message", refusal.text());
    if (!refusal.reason().isEmpty()) {
      status.put("reason", refusal.reason());
    }
    ApiException.Details about = refusal.details();
    ObjectNode details = JsonNodeFactory.instance.objectNode();
    if (!about.name().isEmpty()) {
      details.put("name", about.name());
    }
    if (!about.group().isEmpty()) {
      details.put("group", about.group());
    }
    if (!about.kind().isEmpty()) {
      details.put("kind", about.kind());
    }
    if (!about.causes().isEmpty()) {
      ArrayNode causes = details.putArray("causes");
      for (ApiException.Cause cause : about.causes()) {
        ObjectNode entry = causes.addObject();
        if (!cause.reason().isEmpty()) {
          entry.put("reason", cause.reason());
        }
        entry.put("message", cause.message());
        if (!cause.field().isEmpty()) {
          entry.put("field", cause.field());
        }
      }
    }
    Integer retryAfter = about.retryAfterSeconds();
    if (retryAfter != null) {
      details.put("retryAfterSeconds", retryAfter);
    }
    if (!details.isEmpty()) {
      status.set("details", details);
    }
    status.put("code", refusal.code());
    return status;
  }

  /** The body that answers an action which leads to no object. */
  public static ObjectNode success() {
    ObjectNode status = status("Success");
    status.put("code", 201);
    return status;
  }

  /** The body that answers the deletion of an object that is gone at once. */
  public static ObjectNode deleted(String group, String resource, String name, String uid) {
    ObjectNode status = status("Success");
    ObjectNode details = status.putObject("details");
    details.put("name", name);
    if (!group.isEmpty()) {
      details.put("group", group);
    }
    details.put("kind", resource);
    details.put("uid", uid);
    return status;
  }

  private static ObjectNode status(String outcome) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("kind", "Status");
    status.put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", outcome);
    return status;
  }
}
