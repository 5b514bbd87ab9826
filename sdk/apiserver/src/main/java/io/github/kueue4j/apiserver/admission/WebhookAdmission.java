// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.access.RoleBasedAccess;
import io.github.kueue4j.apiserver.kinds.ResourceRegistry;
import io.github.kueue4j.apiserver.objects.Admission;
import io.github.kueue4j.apiserver.patch.PatchException;
import io.github.kueue4j.apiserver.patch.Patches;
import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.store.Derived;
import io.github.kueue4j.apiserver.store.ObjectStore;
import io.github.kueue4j.apiserver.store.StoredObject;
import io.github.kueue4j.apiserver.tree.Trees;
import io.github.kueue4j.apiserver.webhook.WebhookClient;
import io.github.kueue4j.apiserver.webhook.WebhookException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Asks the webhooks of the stored MutatingWebhookConfigurations and
 * ValidatingWebhookConfigurations, one after the other.
 *
 * <p>Source: Kubernetes documentation, "Dynamic Admission Control".
 */
@API(status = API.Status.INTERNAL)
public final class WebhookAdmission implements Admission {
  /** Where configurations and policies are stored, and what is never reviewed itself. */
  static final String GROUP = "admissionregistration.k8s.io";

  private static final String MUTATING = GROUP + "/mutatingwebhookconfigurations";
  private static final String VALIDATING = GROUP + "/validatingwebhookconfigurations";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Matching matching;
  private final WebhookClient client;
  private final Supplier<String> uids;
  private final Derived<List<Webhook>> mutating;
  private final Derived<List<Webhook>> validating;

  /**
   * Finds the configurations in the store.
   *
   * @param uids makes up the names of reviews
   */
  public WebhookAdmission(
      ObjectStore store,
      ResourceRegistry registry,
      Supplier<RoleBasedAccess> access,
      WebhookClient client,
      Supplier<String> uids) {
    this.matching = new Matching(store, registry, access);
    this.client = client;
    this.uids = uids;
    this.mutating = webhooks(store, MUTATING);
    this.validating = webhooks(store, VALIDATING);
  }

  private static Derived<List<Webhook>> webhooks(ObjectStore store, String kind) {
    return new Derived<>(
        store,
        kind::equals,
        () -> Webhook.of(store.kind(kind).current("").stream().map(StoredObject::tree).toList()));
  }

  @Override
  public Optional<ObjectNode> mutate(Attempt attempt, @Nullable ObjectNode object) {
    List<Webhook> webhooks = mutating.get();
    if (webhooks.isEmpty() || attempt.resource().group().equals(GROUP)) {
      return Optional.empty();
    }
    Map<Webhook, ObjectNode> left = new HashMap<>();
    ObjectNode current = object;
    for (Webhook webhook : webhooks) {
      Optional<ObjectNode> changed = mutate(webhook, attempt, current);
      current = changed.orElse(current);
      if (webhook.again() && current != null) {
        left.put(webhook, current);
      }
    }
    for (Webhook webhook : webhooks) {
      // Asked once more if the object has changed since this webhook's answer.
      ObjectNode seen = left.get(webhook);
      if (seen != null && !seen.equals(current)) {
        current = mutate(webhook, attempt, current).orElse(current);
      }
    }
    return current == null || current.equals(object) ? Optional.empty() : Optional.of(current);
  }

  private Optional<ObjectNode> mutate(
      Webhook webhook, Attempt attempt, @Nullable ObjectNode object) {
    Optional<Review> wanted = matching.review(webhook.wanted(), attempt, object);
    Optional<JsonNode> response = wanted.flatMap(review -> ask(webhook, review, true));
    if (wanted.isEmpty() || response.isEmpty() || object == null) {
      return Optional.empty();
    }
    String patch = Trees.text(response.get(), "patch");
    Review review = wanted.get();
    ObjectNode seen = review.object();
    if (patch.isEmpty() || seen == null) {
      return Optional.empty();
    }
    ObjectNode patched = patched(seen, patch);
    ObjectNode back = Matching.convert(patched, review.resource(), attempt.resource());
    return Optional.ofNullable(back).map(attempt.resource().rules()::prepare);
  }

  private static ObjectNode patched(ObjectNode object, String patch) {
    try {
      byte[] text = Base64.getDecoder().decode(patch);
      return Patches.jsonPatch(object, JSON.readTree(new String(text, StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException | JsonProcessingException | PatchException e) {
      throw ApiErrors.internal("error applying patch: " + e.getMessage());
    }
  }

  @Override
  public void validate(Attempt attempt, @Nullable ObjectNode object) {
    List<Webhook> webhooks = validating.get();
    if (webhooks.isEmpty() || attempt.resource().group().equals(GROUP)) {
      return;
    }
    for (Webhook webhook : webhooks) {
      matching
          .review(webhook.wanted(), attempt, object)
          .ifPresent(review -> ask(webhook, review, false));
    }
  }

  /**
   * The webhook's consent; empty if it isn't needed.
   *
   * @throws ApiException if the webhook refuses or must be asked and can't
   */
  private Optional<JsonNode> ask(Webhook webhook, Review review, boolean mayChange) {
    try {
      if (!webhook.conditions().isEmpty()
          && !webhook.conditions().hold(matching.variables(review))) {
        return Optional.empty();
      }
    } catch (Expression.Failure e) {
      if (webhook.ignorable()) {
        return Optional.empty();
      }
      Attempt attempt = review.attempt();
      throw ApiErrors.forbidden(
          attempt.resource().group(),
          attempt.resource().plural(),
          attempt.key().name(),
          e.text(),
          List.of());
    }
    if (review.attempt().dryRun() && !webhook.harmless()) {
      throw ApiErrors.badRequest(
          "admission webhook \"" + webhook.name() + "\" does not support dry run");
    }
    try {
      JsonNode response = call(webhook, review, mayChange);
      response
          .path("warnings")
          .forEach(warning -> review.attempt().warnings().accept(warning.asText()));
      if (!response.path("allowed").asBoolean()) {
        throw denial(webhook, response.path("status"));
      }
      return Optional.of(response);
    } catch (WebhookException e) {
      if (webhook.ignorable()) {
        return Optional.empty();
      }
      throw ApiErrors.internal("failed calling webhook \"" + webhook.name() + "\": " + e.text());
    }
  }

  private JsonNode call(Webhook webhook, Review review, boolean mayChange) throws WebhookException {
    String uid = uids.get();
    ObjectNode answer;
    try {
      answer = client.call(webhook.config(), review.toSend(uid), webhook.timeout());
    } catch (WebhookException e) {
      throw new WebhookException("failed to call webhook: " + e.text(), e);
    }
    String problem = problem(answer, uid, mayChange);
    if (!problem.isEmpty()) {
      throw new WebhookException("received invalid webhook response: " + problem, null);
    }
    return answer.path("response");
  }

  private static String problem(ObjectNode answer, String uid, boolean mayChange) {
    JsonNode response = answer.path("response");
    String version = Trees.text(answer, "apiVersion");
    String kind = Trees.text(answer, "kind");
    if (!response.isObject()) {
      return "webhook response was absent";
    }
    if (!version.equals("admission.k8s.io/v1") || !kind.equals("AdmissionReview")) {
      return "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got "
          + version
          + ", Kind="
          + kind;
    }
    if (!Trees.text(response, "uid").equals(uid)) {
      return "expected response.uid=\"" + uid + "\", got \"" + Trees.text(response, "uid") + "\"";
    }
    boolean patches = !Trees.text(response, "patch").isEmpty();
    String type = Trees.text(response, "patchType");
    if (!mayChange) {
      return patches ? "validating webhook returned response.patch" : "";
    }
    if (patches && type.isEmpty()) {
      return "webhook returned response.patch but not response.patchType";
    }
    if (!patches && !type.isEmpty()) {
      return "webhook returned response.patchType but not response.patch";
    }
    return patches && !type.equals("JSONPatch")
        ? "webhook returned invalid response.patchType of \"" + type + "\""
        : "";
  }

  private static ApiException denial(Webhook webhook, JsonNode status) {
    String denied = "admission webhook \"" + webhook.name() + "\" denied the request";
    String message = Trees.text(status, "message");
    String reason = Trees.text(status, "reason");
    String why =
        !message.isEmpty()
            ? ": " + message
            : !reason.isEmpty() ? ": " + reason : " without explanation";
    return ApiErrors.denied(Math.max(400, status.path("code").asInt()), reason, denied + why);
  }
}
