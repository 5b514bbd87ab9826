// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.cel.JsonValues;
import io.github.kueue4j.apiserver.kinds.ServedResource;
import io.github.kueue4j.apiserver.objects.Admission;
import io.github.kueue4j.apiserver.tree.Trees;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A write as webhooks and expressions see it.
 *
 * @param resource the version in which they want to see it
 * @param object in that version, null on a deletion
 * @param old in that version, null on a create
 */
record Review(
    Admission.Attempt attempt,
    ServedResource resource,
    @Nullable ObjectNode object,
    @Nullable ObjectNode old) {

  /** The {@code request} of an AdmissionReview, without the objects. */
  ObjectNode request(String uid) {
    ServedResource asked = attempt.resource();
    ObjectNode request = Trees.empty();
    request.put("uid", uid);
    request.set("kind", kind(resource));
    request.set("resource", plural(resource));
    request.set("requestKind", kind(asked));
    request.set("requestResource", plural(asked));
    if (!attempt.subresource().isEmpty()) {
      request.put("subResource", attempt.subresource());
      request.put("requestSubResource", attempt.subresource());
    }
    request.put("name", attempt.key().name());
    if (!attempt.key().namespace().isEmpty()) {
      request.put("namespace", attempt.key().namespace());
    }
    request.put("operation", attempt.writeOperation().name());
    ObjectNode user = request.putObject("userInfo");
    user.put("username", attempt.user().name());
    var groups = user.putArray("groups");
    new TreeSet<>(attempt.user().groups()).forEach(groups::add);
    request.put("dryRun", attempt.dryRun());
    ObjectNode options = request.putObject("options");
    String operation = attempt.writeOperation().name();
    options.put(
        "kind", operation.charAt(0) + operation.substring(1).toLowerCase(Locale.ROOT) + "Options");
    options.put("apiVersion", "meta.k8s.io/v1");
    return request;
  }

  /** The AdmissionReview that is sent to a webhook. */
  ObjectNode toSend(String uid) {
    ObjectNode review = Trees.empty();
    review.put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/v1");
    ObjectNode request = request(uid);
    request.set("object", orNull(object));
    request.set("oldObject", orNull(old));
    review.set("request", request);
    return review;
  }

  /** The variables of the write itself. */
  Map<String, Object> variables(@Nullable ObjectNode namespace) {
    Map<String, Object> variables = new HashMap<>();
    variables.put("object", JsonValues.toCel(orNull(object)));
    variables.put("oldObject", JsonValues.toCel(orNull(old)));
    variables.put("request", JsonValues.toCel(request("")));
    variables.put("namespaceObject", JsonValues.toCel(orNull(namespace)));
    variables.put("params", JsonValues.toCel(orNull(null)));
    variables.put("variables", Map.of());
    return variables;
  }

  private static JsonNode orNull(@Nullable JsonNode value) {
    return value == null ? JsonNodeFactory.instance.nullNode() : value;
  }

  private static ObjectNode kind(ServedResource resource) {
    ObjectNode node = Trees.empty();
    return node.put("group", resource.group())
        .put("version", resource.version())
        .put("kind", resource.kind());
  }

  private static ObjectNode plural(ServedResource resource) {
    ObjectNode node = Trees.empty();
    return node.put("group", resource.group())
        .put("version", resource.version())
        .put("resource", resource.plural());
  }
}
