/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.core.webhook;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.admission.AdmissionRules;
import io.github.kueue4j.core.job.JobKind;
import io.github.kueue4j.core.job.JobKinds;
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
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * What an API server has to know to ask the core about writes. Whoever installs the core registers
 * it and takes it away with the core, as the chart does; the core itself enters the authority of
 * its certificate.
 *
 * <p>Which writes wait for an answer (failure policy {@code Fail}) and which go on without one is
 * reasoned in docs/adr/0006-webhooks-that-are-down.md.
 *
 * @param service leads to the webhooks
 * @param namespaces where Jobs are managed
 * @param frameworks kinds of Jobs that are managed, as the configuration names them
 * @param coreUser whose writes aren't asked about, since they are decided by the same rules; null
 *     to ask about all
 */
@API(status = API.Status.INTERNAL)
public record WebhookRegistration(
    ObjectKey service,
    V1LabelSelector namespaces,
    List<String> frameworks,
    @Nullable String coreUser) {
  public WebhookRegistration {
    frameworks = List.copyOf(frameworks);
  }

  /** Name of the configuration of the webhooks that set defaults. */
  public static final String MUTATING = "kueue-mutating-webhook-configuration";

  /** Name of the configuration of the webhooks that validate. */
  public static final String VALIDATING = "kueue-validating-webhook-configuration";

  private static final String QUEUE_NAME = "kueue.x-k8s.io/queue-name";
  private static final String WAITS = "Fail";
  private static final String GOES_ON = "Ignore";

  /** Long enough for a core that is busy, short enough for whoever waits for an answer. */
  private static final int TIMEOUT_SECONDS = 5;

  private static final V1MatchCondition NOT_DELETED =
      new V1MatchCondition()
          .name("not-deleted")
          .expression("!has(object.metadata.deletionTimestamp)");

  private static final V1MatchCondition STARTS_UNASKED =
      new V1MatchCondition()
          .name("asks-for-a-queue-and-would-start")
          .expression(
              "has(object.metadata.labels) && '"
                  + QUEUE_NAME
                  + "' in object.metadata.labels && !(has(object.spec.suspend) &&"
                  + " object.spec.suspend)");

  private static final V1MatchCondition ANY_OTHER =
      new V1MatchCondition()
          .name("any-other")
          .expression("!(" + STARTS_UNASKED.getExpression() + ")");

  /** Jobs everywhere but in the system's namespace and the core's own. */
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
            Stream.concat(
                    Stream.of(
                        // The core adds a finalizer that is missing.
                        defaults("clusterqueue", GOES_ON),
                        defaults("resourceflavor", GOES_ON),
                        // The core knows the gate, too.
                        defaults("workload", GOES_ON)),
                    kinds()
                        .flatMap(
                            kind ->
                                Stream.of(
                                    // It would run without quota.
                                    jobDefaults(kind, "", WAITS, STARTS_UNASKED),
                                    // It gets no default queue; the core suspends what it manages.
                                    jobDefaults(kind, "-others", GOES_ON, ANY_OTHER))))
                .toList());
  }

  private Stream<JobKind<?>> kinds() {
    return JobKinds.ALL.stream().filter(kind -> frameworks.contains(kind.framework()));
  }

  private static String word(JobKind<?> kind) {
    return kind.type().kind().toLowerCase(Locale.ROOT);
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
      JobKind<?> kind, String suffix, String failurePolicy, V1MatchCondition condition) {
    return new V1MutatingWebhook()
        .name("m" + word(kind) + suffix + ".kb.io")
        .clientConfig(client(AdmissionRules.path("/mutate", kind)))
        .rules(List.of(jobs(kind, List.of("CREATE"))))
        .namespaceSelector(namespaces)
        .matchConditions(List.of(condition))
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
                        // What an administrator gets wrong here gives away quota; it can wait.
                        validates("clusterqueue", WAITS, "clusterqueues"),
                        validates("cohort", WAITS, "cohorts"),
                        validates("localqueue", WAITS, "localqueues"),
                        validates("resourceflavor", WAITS, "resourceflavors"),
                        // Checks write their verdicts here, and the core copes with whatever it
                        // finds.
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
        .name("v" + word(kind) + ".kb.io")
        .clientConfig(client(AdmissionRules.path("/validate", kind)))
        .rules(List.of(jobs(kind, List.of("CREATE", "UPDATE"))))
        .namespaceSelector(namespaces)
        .matchConditions(conditions())
        // The Job controller and the garbage collector write here, too.
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

  private static V1RuleWithOperations jobs(JobKind<?> kind, List<String> operations) {
    return new V1RuleWithOperations()
        .apiGroups(List.of(kind.type().group()))
        .apiVersions(List.of(kind.type().version()))
        .operations(operations)
        .resources(List.of(kind.type().plural()));
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
