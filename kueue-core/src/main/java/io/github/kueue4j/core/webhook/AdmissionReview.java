// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.core.admission.AdmissionRequest;
import io.github.kueue4j.core.admission.ReviewResult;
import io.github.kueue4j.core.admission.Reviewer;
import io.github.kueue4j.core.admission.Violation;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/** Answers {@code AdmissionReview} of admission.k8s.io/v1. */
final class AdmissionReview {
  private static final int UNPROCESSABLE = 422;

  private AdmissionReview() {}

  static JsonObject answer(JsonObject review, Reviewer reviewer) {
    if (!(review.get("request") instanceof JsonObject request)) {
      throw new InvalidReviewException("the AdmissionReview has no request");
    }
    JsonObject response = new JsonObject();
    response.add("uid", request.get("uid"));
    switch (rule(request, reviewer)) {
      case ReviewResult.Allowed allowed -> allow(response, allowed);
      case ReviewResult.Refused refused -> refuse(response, request, refused.violations());
    }
    JsonObject answer = new JsonObject();
    answer.add("apiVersion", review.get("apiVersion"));
    answer.add("kind", review.get("kind"));
    answer.add("response", response);
    return answer;
  }

  private static ReviewResult rule(JsonObject request, Reviewer reviewer) {
    if (!(request.get("object") instanceof JsonObject object)) {
      throw new InvalidReviewException("the AdmissionReview has no object");
    }
    try {
      return reviewer.review(
          new AdmissionRequest(
              text(request, "namespace"),
              object,
              request.get("oldObject") instanceof JsonObject old ? old : null));
    } catch (JsonParseException e) {
      throw new InvalidReviewException("its object can't be read: " + e.getMessage(), e);
    }
  }

  private static void allow(JsonObject response, ReviewResult.Allowed allowed) {
    response.addProperty("allowed", true);
    if (!allowed.warnings().isEmpty()) {
      response.add("warnings", KueueJson.toTree(allowed.warnings()));
    }
    JsonArray patch = allowed.patch();
    if (!patch.isEmpty()) {
      response.addProperty("patchType", "JSONPatch");
      response.addProperty(
          "patch",
          Base64.getEncoder().encodeToString(patch.toString().getBytes(StandardCharsets.UTF_8)));
    }
  }

  private static void refuse(JsonObject response, JsonObject request, List<Violation> violations) {
    JsonArray causes = new JsonArray();
    for (Violation violation : violations) {
      JsonObject cause = new JsonObject();
      cause.addProperty("reason", violation.problem().reason());
      cause.addProperty("message", violation.message());
      cause.addProperty("field", violation.field());
      causes.add(cause);
    }
    JsonObject details = new JsonObject();
    details.addProperty("name", text(request, "name"));
    if (request.get("kind") instanceof JsonObject kind) {
      details.add("group", kind.get("group"));
      details.add("kind", kind.get("kind"));
    }
    details.add("causes", causes);
    JsonObject status = new JsonObject();
    status.addProperty("code", UNPROCESSABLE);
    status.addProperty("reason", "Invalid");
    status.addProperty(
        "message", violations.stream().map(Violation::toString).collect(Collectors.joining("; ")));
    status.add("details", details);
    response.addProperty("allowed", false);
    response.add("status", status);
  }

  private static String text(JsonObject object, String member) {
    JsonElement value = object.get(member);
    return value instanceof JsonPrimitive text ? text.getAsString() : "";
  }
}
