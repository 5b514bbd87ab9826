// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.httpcheck;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.kueue4j.api.CheckState;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.http.HttpCall;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Evaluation;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The document that tells an endpoint about a Workload. Nothing of the pods but their number, what
 * they request, the flavors and the annotations that are named: an environment, an image or a
 * volume may say more than the endpoint's owner may know.
 */
final class WorkloadDocument {
  static final String VERSION = "kueue4j.io/http-check/v1";

  private WorkloadDocument() {}

  /** The request of one evaluation. */
  static HttpCall call(Evaluation<HttpCheckSpec> evaluation) {
    HttpCall call =
        evaluation.parameters().method().orElse(HttpCheckSpec.Method.POST)
                == HttpCheckSpec.Method.GET
            ? HttpCall.get()
                .withQuery("version", VERSION)
                .withQuery("check", evaluation.check())
                .withQuery("namespace", evaluation.namespace())
                .withQuery("name", evaluation.key().name())
                .withQuery("uid", uid(evaluation))
                .withQuery("attempt", Integer.toString(evaluation.attempt()))
                .withQuery("recheck", Boolean.toString(isRecheck(evaluation)))
                .withQuery("deadline", deadline(evaluation))
            : HttpCall.postJson(of(evaluation).toString());
    // Not from a cache on the way: what was said before is no second answer.
    return call.withHeader("Idempotency-Key", evaluation.attemptId())
        .withHeader("Cache-Control", "no-cache");
  }

  /** The document. */
  static JsonObject of(Evaluation<HttpCheckSpec> evaluation) {
    JsonObject document = new JsonObject();
    document.addProperty("version", VERSION);
    document.addProperty("check", evaluation.check());
    document.addProperty("attempt", evaluation.attempt());
    document.addProperty("attemptId", evaluation.attemptId());
    document.addProperty("deadline", deadline(evaluation));
    document.addProperty("recheck", isRecheck(evaluation));
    document.add("workload", workload(evaluation));
    JsonArray podSets = new JsonArray();
    evaluation.podSets().forEach(podSet -> podSets.add(podSet(podSet)));
    document.add("podSets", podSets);
    return document;
  }

  private static String deadline(Evaluation<?> evaluation) {
    return evaluation.deadline().truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static boolean isRecheck(Evaluation<?> evaluation) {
    return evaluation.entry().is(CheckState.READY);
  }

  private static JsonObject workload(Evaluation<HttpCheckSpec> evaluation) {
    HttpCheckSpec spec = evaluation.parameters();
    JsonObject workload = new JsonObject();
    workload.addProperty("namespace", evaluation.namespace());
    workload.addProperty("name", evaluation.key().name());
    workload.addProperty("uid", uid(evaluation));
    workload.addProperty(
        "queue", Objects.requireNonNullElse(evaluation.workload().spec().queueName(), ""));
    workload.addProperty("priority", evaluation.priority());
    evaluation
        .owner()
        .ifPresent(
            owner -> {
              JsonObject job = new JsonObject();
              job.addProperty("apiVersion", owner.getApiVersion());
              job.addProperty("kind", owner.getKind());
              job.addProperty("name", owner.getName());
              workload.add("owner", job);
            });
    if (spec.sendsLabels()) {
      workload.add("labels", texts(evaluation.labels()));
    }
    if (!spec.sentAnnotations().isEmpty()) {
      Map<String, String> sent = annotations(evaluation);
      sent.keySet().retainAll(spec.sentAnnotations());
      workload.add("annotations", texts(sent));
    }
    return workload;
  }

  private static JsonObject podSet(AssignedPodSet podSet) {
    Map<String, String> requests = new TreeMap<>();
    podSet.requests().forEach((resource, amount) -> requests.put(resource, amount.toString()));
    Map<String, String> flavors = new TreeMap<>();
    podSet.flavors().forEach((resource, flavor) -> flavors.put(resource, flavor.name()));
    JsonObject written = new JsonObject();
    written.addProperty("name", podSet.name());
    written.addProperty("count", podSet.count());
    written.add("requests", texts(requests));
    written.add("flavors", texts(flavors));
    return written;
  }

  /**
   * The annotations of the Workload and of its pod sets; a Job's own don't become its Workload's.
   */
  private static Map<String, String> annotations(Evaluation<?> evaluation) {
    Map<String, String> all = new HashMap<>();
    Stream.concat(
            Stream.of(evaluation.workload().metadata()),
            evaluation.podSets().stream().map(podSet -> podSet.template().getMetadata()))
        .forEach(metadata -> Metadata.annotations(metadata).forEach(all::putIfAbsent));
    return all;
  }

  private static String uid(Evaluation<?> evaluation) {
    return Objects.requireNonNullElse(evaluation.workload().metadata().getUid(), "");
  }

  private static JsonObject texts(Map<String, String> texts) {
    JsonObject object = new JsonObject();
    new TreeMap<>(texts).forEach(object::addProperty);
    return object;
  }
}
