// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import static java.util.Objects.requireNonNull;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.core.admission.AdmissionRules;
import io.github.kueue4j.core.config.Integrations;
import io.github.kueue4j.jobs.FieldPath;
import io.github.kueue4j.jobs.JobKind;
import io.github.kueue4j.jobs.Keys;
import io.github.kueue4j.jobs.ServingKind;
import io.kubernetes.client.openapi.models.AdmissionregistrationV1ServiceReference;
import io.kubernetes.client.openapi.models.AdmissionregistrationV1WebhookClientConfig;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1LabelSelectorRequirement;
import io.kubernetes.client.openapi.models.V1MatchCondition;
import io.kubernetes.client.openapi.models.V1MutatingWebhook;
import io.kubernetes.client.openapi.models.V1MutatingWebhookConfiguration;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1RuleWithOperations;
import io.kubernetes.client.openapi.models.V1ValidatingWebhook;
import io.kubernetes.client.openapi.models.V1ValidatingWebhookConfiguration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The configurations by which the API server calls the core's admission webhooks. The installer of
 * the core, such as the chart, creates them and deletes them with the core; the core itself adds
 * the authority of its certificate.
 *
 * <p>The reasons for the failure policies ({@code Fail} or {@code Ignore}) are in
 * docs/adr/0006-webhooks-that-are-down.md.
 *
 * @param service that routes to the webhooks
 * @param namespaces where Jobs are managed
 * @param integrations the kinds of Jobs that are managed
 * @param coreUser the user of the core, whose writes are not reviewed because they follow the same
 *     rules; null to review all
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WebhookRegistration(
    ObjectKey service,
    V1LabelSelector namespaces,
    Integrations integrations,
    @Nullable String coreUser) {
  /** Name of the configuration of the webhooks that set defaults. */
  public static final String MUTATING = "kueue-mutating-webhook-configuration";

  /** Name of the configuration of the webhooks that validate. */
  public static final String VALIDATING = "kueue-validating-webhook-configuration";

  private static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";
  private static final String WAITS = "Fail";
  private static final String GOES_ON = "Ignore";

  /** Timeout of a review: long enough for a busy core, short enough for a waiting client. */
  private static final int TIMEOUT_SECONDS = 5;

  private static final V1LabelSelector MANAGED_PODS =
      new V1LabelSelector().putMatchLabelsItem(Keys.MANAGED, "true");

  private static final V1LabelSelector NAMES_A_QUEUE =
      new V1LabelSelector()
          .addMatchExpressionsItem(
              new V1LabelSelectorRequirement().key(QUEUE_NAME).operator("Exists"));

  private static final V1MatchCondition NOT_DELETED =
      new V1MatchCondition()
          .name("not-deleted")
          .expression("!has(object.metadata.deletionTimestamp)");

  /** The name of the LocalQueue, and no suspension. */
  private static String startsUnasked(FieldPath suspendField) {
    StringBuilder suspended = new StringBuilder();
    String field = "object";
    for (String step : suspendField.steps()) {
      field = field + "." + step;
      suspended.append("has(").append(field).append(") && ");
    }
    return "has(object.metadata.labels) && '"
        + QUEUE_NAME
        + "' in object.metadata.labels && !("
        + suspended
        + field
        + ")";
  }

  /** The names of all webhooks that a core can serve, whatever kinds of Jobs it manages. */
  public static Set<String> names() {
    WebhookRegistration all =
        new WebhookRegistration(
            new ObjectKey("kueue-system", "webhooks"),
            new V1LabelSelector(),
            Integrations.ofAll(),
            null);
    return Stream.concat(
            requireNonNull(all.mutating().getWebhooks()).stream().map(V1MutatingWebhook::getName),
            requireNonNull(all.validating().getWebhooks()).stream()
                .map(V1ValidatingWebhook::getName))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Selects all namespaces but kube-system and the core's own. */
  public static V1LabelSelector allNamespacesBut(String namespace) {
    return new V1LabelSelector()
        .addMatchExpressionsItem(
            new V1LabelSelectorRequirement()
                .key("kubernetes.io/metadata.name")
                .operator("NotIn")
                .values(List.of("kube-system", namespace)));
  }

  /** The webhooks that set defaults. */
  public V1MutatingWebhookConfiguration mutating() {
    return new V1MutatingWebhookConfiguration()
        .apiVersion("admissionregistration.k8s.io/v1")
        .kind("MutatingWebhookConfiguration")
        .metadata(new V1ObjectMeta().name(MUTATING))
        .webhooks(
            Stream.of(
                    Stream.of(
                        // Ignore failures: the core adds a missing finalizer itself.
                        defaults("clusterqueue", GOES_ON),
                        defaults("resourceflavor", GOES_ON),
                        // Ignore failures: the core evaluates the gate, too.
                        defaults("workload", GOES_ON)),
                    kinds()
                        .flatMap(
                            kind ->
                                kind.suspendField()
                                    .map(field -> jobDefaults(kind, field))
                                    .orElseGet(() -> Stream.of(podDefaults(kind)))),
                    integrations.serving().stream().map(this::templateDefaults))
                .flatMap(webhooks -> webhooks)
                .toList());
  }

  private Stream<V1MutatingWebhook> jobDefaults(JobKind<?> kind, FieldPath suspendField) {
    String startsUnasked = startsUnasked(suspendField);
    return Stream.of(
        // Fail: the Job would run without quota.
        jobDefaults(kind.type(), "", WAITS, "asks-for-a-queue-and-would-start", startsUnasked),
        // Ignore failures: the Job gets no default queue, and the core suspends Jobs that it
        // manages.
        jobDefaults(kind.type(), "-others", GOES_ON, "any-other", "!(" + startsUnasked + ")"));
  }

  /**
   * Fail: the pod would run without quota. The core is asked about no other pod, since a cluster
   * without it must be able to start all those.
   */
  private V1MutatingWebhook podDefaults(JobKind<?> kind) {
    return jobDefaults(
            kind.type(),
            "",
            WAITS,
            "belongs-to-no-workload",
            "!object.metadata.?ownerReferences.orValue([]).exists(o, o.?controller.orValue(false)"
                + " && ('kueue.x-k8s.io/podset' in object.metadata.labels"
                + " || (o.apiVersion + ' ' + o.kind) in ['"
                + String.join("', '", integrations.ownersOfPods())
                + "']))")
        .objectSelector(NAMES_A_QUEUE);
  }

  /**
   * Fail: the object's pods would run without quota. The core is asked only while the template
   * lacks what the object names, or has what it names no more, so that controllers can write the
   * object without a core.
   */
  private V1MutatingWebhook templateDefaults(ServingKind kind) {
    V1MutatingWebhook webhook =
        jobDefaults(
                kind.type(),
                "",
                WAITS,
                "template-names-another-queue",
                "["
                    + kind.templatesInCel()
                    + "].exists(t, ['kueue.x-k8s.io/queue-name', 'kueue.x-k8s.io/priority-class']"
                    + ".exists(k, object.metadata.?labels[?k].orValue('') !="
                    + " t.?metadata.?labels[?k].orValue('')"
                    + " && object.metadata.?labels[?k].orValue('') + (request.operation == 'UPDATE'"
                    + " ? oldObject.metadata.?labels[?k].orValue('') : '') != ''))")
            .objectSelector(NAMES_A_QUEUE);
    return webhook
        // The garbage collector must be able to take its finalizers off without a core.
        .addMatchConditionsItem(NOT_DELETED)
        .rules(List.of(jobs(kind.type(), List.of("CREATE", "UPDATE"))));
  }

  /** The managed kinds, pods last as in the chart. */
  private Stream<JobKind<?>> kinds() {
    return integrations.managed().stream()
        .sorted(Comparator.comparing((JobKind<?> kind) -> kind.suspendField().isEmpty()));
  }

  private static String shortName(ResourceType<?> type) {
    return type.kind().toLowerCase(Locale.ROOT);
  }

  private V1MutatingWebhook defaults(String kind, String failurePolicy) {
    return new V1MutatingWebhook()
        .name("m" + kind + ".kb.io")
        .clientConfig(client("/mutate-kueue-x-k8s-io-v1beta2-" + kind))
        .rules(List.of(kueue(List.of("CREATE"), kind + "s")))
        .failurePolicy(failurePolicy)
        .reinvocationPolicy("Never")
        .sideEffects("None")
        .timeoutSeconds(TIMEOUT_SECONDS)
        .admissionReviewVersions(List.of("v1"));
  }

  private V1MutatingWebhook jobDefaults(
      ResourceType<?> type,
      String suffix,
      String failurePolicy,
      String condition,
      String expression) {
    return new V1MutatingWebhook()
        .name("m" + shortName(type) + suffix + ".kb.io")
        .clientConfig(client(AdmissionRules.path("/mutate", type)))
        .rules(List.of(jobs(type, List.of("CREATE"))))
        .namespaceSelector(namespaces)
        .addMatchConditionsItem(new V1MatchCondition().name(condition).expression(expression))
        .failurePolicy(failurePolicy)
        .reinvocationPolicy("Never")
        .sideEffects("None")
        .timeoutSeconds(TIMEOUT_SECONDS)
        .admissionReviewVersions(List.of("v1"));
  }

  /** The webhooks that validate. */
  public V1ValidatingWebhookConfiguration validating() {
    return new V1ValidatingWebhookConfiguration()
        .apiVersion("admissionregistration.k8s.io/v1")
        .kind("ValidatingWebhookConfiguration")
        .metadata(new V1ObjectMeta().name(VALIDATING))
        .webhooks(
            Stream.concat(
                    Stream.of(
                        // Fail: a mistake would give away quota, and an administrator can retry.
                        validates("clusterqueue", WAITS, "clusterqueues"),
                        validates("cohort", WAITS, "cohorts"),
                        validates("localqueue", WAITS, "localqueues"),
                        validates("resourceflavor", WAITS, "resourceflavors"),
                        // Ignore failures: checks write their verdicts here, and the core tolerates
                        // invalid values.
                        validates("workload", GOES_ON, "workloads", "workloads/status")),
                    kinds().map(this::jobs))
                .toList());
  }

  private V1ValidatingWebhook validates(String kind, String failurePolicy, String... resources) {
    return new V1ValidatingWebhook()
        .name("v" + kind + ".kb.io")
        .clientConfig(client("/validate-kueue-x-k8s-io-v1beta2-" + kind))
        .rules(List.of(kueue(List.of("CREATE", "UPDATE"), resources)))
        .matchConditions(conditions())
        .failurePolicy(failurePolicy)
        .sideEffects("None")
        .timeoutSeconds(TIMEOUT_SECONDS)
        .admissionReviewVersions(List.of("v1"));
  }

  private V1ValidatingWebhook jobs(JobKind<?> kind) {
    return new V1ValidatingWebhook()
        .name("v" + shortName(kind.type()) + ".kb.io")
        .clientConfig(client(AdmissionRules.path("/validate", kind)))
        .rules(List.of(jobs(kind.type(), List.of("CREATE", "UPDATE"))))
        .namespaceSelector(namespaces)
        .objectSelector(kind.suspendField().isPresent() ? null : MANAGED_PODS)
        .matchConditions(conditions())
        // Ignore failures: the Job controller and the garbage collector write Jobs, too.
        .failurePolicy(GOES_ON)
        .sideEffects("None")
        .timeoutSeconds(TIMEOUT_SECONDS)
        .admissionReviewVersions(List.of("v1"));
  }

  private List<V1MatchCondition> conditions() {
    List<V1MatchCondition> conditions = new ArrayList<>();
    conditions.add(NOT_DELETED);
    if (coreUser != null) {
      conditions.add(
          new V1MatchCondition()
              .name("not-the-core")
              .expression("request.userInfo.username != '" + coreUser + "'"));
    }
    return conditions;
  }

  private static V1RuleWithOperations kueue(List<String> operations, String... resources) {
    return new V1RuleWithOperations()
        .apiGroups(List.of(KueueTypes.GROUP))
        .apiVersions(List.of(KueueTypes.VERSION))
        .operations(operations)
        .resources(List.of(resources));
  }

  private static V1RuleWithOperations jobs(ResourceType<?> type, List<String> operations) {
    return new V1RuleWithOperations()
        .apiGroups(List.of(type.group()))
        .apiVersions(type.versions())
        .operations(operations)
        .resources(List.of(type.plural()));
  }

  private AdmissionregistrationV1WebhookClientConfig client(String path) {
    return new AdmissionregistrationV1WebhookClientConfig()
        .service(
            new AdmissionregistrationV1ServiceReference()
                .namespace(service.namespace())
                .name(service.name())
                .path(path));
  }
}
