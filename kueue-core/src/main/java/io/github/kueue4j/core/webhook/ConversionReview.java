// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.github.kueue4j.core.conversion.UnconvertibleException;
import io.github.kueue4j.core.conversion.VersionConversion;

/** Answers {@code ConversionReview} of apiextensions.k8s.io/v1. */
final class ConversionReview {
  static final String PATH = "/convert";

  private ConversionReview() {}

  /** Converts all objects, or none if one of them can't be converted, as the API requires. */
  static JsonObject answer(JsonObject review) {
    JsonObject request = review.getAsJsonObject("request");
    if (request == null) {
      throw new InvalidReviewException("the ConversionReview has no request");
    }
    String wanted = request.get("desiredAPIVersion").getAsString();
    JsonObject response = new JsonObject();
    response.add("uid", request.get("uid"));
    JsonObject result = new JsonObject();
    JsonArray converted = new JsonArray();
    try {
      for (JsonElement object : request.getAsJsonArray("objects")) {
        converted.add(VersionConversion.convert(object.getAsJsonObject(), wanted));
      }
      response.add("convertedObjects", converted);
      result.addProperty("status", "Success");
    } catch (UnconvertibleException e) {
      result.addProperty("status", "Failure");
      result.addProperty("message", e.getMessage());
    }
    response.add("result", result);
    JsonObject answer = new JsonObject();
    answer.add("apiVersion", review.get("apiVersion"));
    answer.add("kind", review.get("kind"));
    answer.add("response", response);
    return answer;
  }
}
