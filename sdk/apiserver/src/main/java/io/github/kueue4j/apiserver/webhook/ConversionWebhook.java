// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.kinds.VersionConverter;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.tree.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Has custom resources converted by the webhook that their definition names.
 *
 * <p>Source: Kubernetes documentation, "Versions in CustomResourceDefinitions", section "Webhook
 * conversion".
 *
 * @param uids makes up the names of reviews
 */
@API(status = API.Status.INTERNAL)
public record ConversionWebhook(WebhookClient client, ClientConfig config, Supplier<String> uids)
    implements VersionConverter {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String VERSION = "apiextensions.k8s.io/v1";

  @Override
  public List<ObjectNode> convert(List<ObjectNode> objects, String apiVersion) {
    try {
      String uid = uids.get();
      ObjectNode review = Trees.empty();
      review.put("kind", "ConversionReview").put("apiVersion", VERSION);
      ObjectNode request = review.putObject("request");
      request.put("uid", uid).put("desiredAPIVersion", apiVersion);
      request.putArray("objects").addAll(objects);
      ObjectNode answer = client.call(config, review, TIMEOUT);
      return converted(answer, uid, objects, apiVersion);
    } catch (WebhookException e) {
      ObjectNode first = objects.get(0);
      throw ApiErrors.unexpected(
          "conversion webhook for %s, Kind=%s failed: %s"
              .formatted(Trees.text(first, "apiVersion"), Trees.text(first, "kind"), e.text()));
    }
  }

  private static List<ObjectNode> converted(
      ObjectNode answer, String uid, List<ObjectNode> objects, String apiVersion)
      throws WebhookException {
    JsonNode response = answer.path("response");
    if (!Trees.text(answer, "apiVersion").equals(VERSION)
        || !Trees.text(answer, "kind").equals("ConversionReview")) {
      throw invalid(
          "expected %s, Kind=ConversionReview, got %s, Kind=%s"
              .formatted(VERSION, Trees.text(answer, "apiVersion"), Trees.text(answer, "kind")));
    }
    if (!response.isObject()) {
      throw invalid("response is nil");
    }
    if (!Trees.text(response, "uid").equals(uid)) {
      throw invalid(
          "expected response.uid=\"" + uid + "\", got \"" + Trees.text(response, "uid") + "\"");
    }
    JsonNode result = response.path("result");
    if (!Trees.text(result, "status").equals("Success")) {
      String why = Trees.text(result, "message");
      throw new WebhookException(why.isEmpty() ? "no status provided" : why, null);
    }
    JsonNode list = response.path("convertedObjects");
    if (list.size() != objects.size()) {
      throw invalid("expected " + objects.size() + " converted objects, got " + list.size());
    }
    List<ObjectNode> converted = new ArrayList<>(objects.size());
    for (int i = 0; i < list.size(); i++) {
      converted.add(checked(list.get(i), objects.get(i), apiVersion, i));
    }
    return converted;
  }

  /** A converted object with the metadata that it had: only labels and annotations may change. */
  private static ObjectNode checked(
      JsonNode converted, ObjectNode original, String apiVersion, int position)
      throws WebhookException {
    String where = "converted object at index " + position;
    if (!(converted instanceof ObjectNode object)
        || !Trees.text(object, "apiVersion").equals(apiVersion)) {
      throw invalid(where + ": expected apiVersion " + apiVersion);
    }
    ObjectNode then = Trees.metadata(original);
    ObjectNode now = Trees.metadata(object);
    for (String field : List.of("name", "namespace", "uid")) {
      if (!Trees.text(then, field).equals(Trees.text(now, field))) {
        throw invalid(where + ": metadata." + field + " must not be changed");
      }
    }
    if (!Trees.text(original, "kind").equals(Trees.text(object, "kind"))) {
      throw invalid(where + ": kind must not be changed");
    }
    ObjectNode metadata = Trees.fresh(then);
    Trees.copyField(now, metadata, "labels");
    Trees.copyField(now, metadata, "annotations");
    return Trees.withMetadata(object, metadata);
  }

  private static WebhookException invalid(String why) {
    return new WebhookException("invalid conversion response: " + why, null);
  }
}
