// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestConfig;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.controller.ResourceClient;
import io.github.kueue4j.sdk.fixture.Evaluations;
import io.github.kueue4j.sdk.fixture.FakeObjects;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Objects that already have the names that a workload's request needs, and which of them the check
 * deletes.
 */
class ProvisioningCheckTest {

  private static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  private static final ObjectKey REQUEST = new ObjectKey("default", "train-spot-2");
  private static final ObjectKey TEMPLATE = new ObjectKey("default", "ppt-train-spot-2-main");

  private final FakeObjects<ProvisioningRequest> requests = new FakeObjects<>();
  private final FakeObjects<V1PodTemplate> templates = new FakeObjects<>();
  private final Resources resources = new Resources();
  private final ProvisioningCheck check = new ProvisioningCheck(requests, templates, resources);

  @Test
  void aRequestOfAnotherOwnerIsKeptAndNamedInTheMessage() {
    requests.put(request(REQUEST.name(), "a-colleague"));

    assertThatThrownBy(() -> check.evaluate(evaluation()))
        .hasMessageContaining("default/train-spot-2")
        .hasMessageContaining("does not belong to this workload; delete it");

    assertThat(resources.deleted).isEmpty();
  }

  @Test
  void aRequestThatIsGoingAlreadyIsWaitedFor() {
    ProvisioningRequest going = request(REQUEST.name(), "a-colleague");
    going.metadata().setDeletionTimestamp(NOW.atOffset(java.time.ZoneOffset.UTC));
    requests.put(going);

    assertThat(check.evaluate(evaluation())).isInstanceOf(Verdict.Pending.class);
    assertThat(resources.deleted).isEmpty();
  }

  @Test
  void requestsOfOtherAttemptsGiveTheirRoomUp() {
    requests.put(request("train-spot-1", "train-uid"));
    requests.put(request("other-spot-1", "other-uid"));

    check.evaluate(evaluation());

    assertThat(resources.deleted).containsExactly(new ObjectKey("default", "train-spot-1"));
    assertThat(requests.get(REQUEST)).isPresent();
  }

  /** Without a garbage collector it would stay for ever. */
  @Test
  void aTemplateOfTheReplacedRequestIsDeletedAndCreatedAnew() {
    templates.put(template(owner("old-request").kind("ProvisioningRequest").name(REQUEST.name())));

    assertThat(check.evaluate(evaluation()))
        .isEqualTo(
            Verdict.pending(
                "Replacing a pod template that is out of date.", Duration.ofSeconds(2)));
    assertThat(resources.deleted).containsExactly(TEMPLATE);

    templates.remove(TEMPLATE);
    Verdict second = check.evaluate(evaluation());
    assertThat(second).isEqualTo(Verdict.pending(Answer.NONE_YET));
    assertThat(templates.get(TEMPLATE).orElseThrow().getMetadata().getOwnerReferences())
        .extracting(V1OwnerReference::getUid)
        .containsExactly("uid-of-train-spot-2");
  }

  @Test
  void aTemplateOfAnotherOwnerIsKeptAndNamedInTheMessage() {
    for (V1OwnerReference other :
        List.of(
            owner("a-colleague").kind("ProvisioningRequest"),
            owner("a-colleague").kind("Deployment").name(REQUEST.name()),
            owner("x").kind("ProvisioningRequest").name(REQUEST.name()).controller(false))) {
      templates.put(template(other));

      assertThatThrownBy(() -> check.evaluate(evaluation()))
          .hasMessage(
              "the PodTemplate 'default/ppt-train-spot-2-main' has the name that a new one needs"
                  + " and does not belong to the ProvisioningRequest 'train-spot-2'; delete it");
    }

    V1PodTemplate byHand = template(owner("a-colleague"));
    byHand.getMetadata().setOwnerReferences(null);
    templates.put(byHand);
    assertThatThrownBy(() -> check.evaluate(evaluation())).hasMessageContaining("delete it");
    assertThat(resources.deleted).isEmpty();
  }

  @Test
  void aTemplateThatIsGoingAlreadyIsWaitedFor() {
    V1PodTemplate going = template(owner("a-colleague"));
    going.getMetadata().setDeletionTimestamp(NOW.atOffset(java.time.ZoneOffset.UTC));
    templates.put(going);

    assertThat(check.evaluate(evaluation())).isInstanceOf(Verdict.Pending.class);
    assertThat(resources.deleted).isEmpty();
  }

  /** Without a garbage collector it would stay for ever. */
  @Test
  void aRequestOfAFormerWorkloadOfTheSameNameIsReplaced() {
    ProvisioningRequest former = request(REQUEST.name(), "former-uid");
    former.metadata().getOwnerReferences().getFirst().kind("Workload").name("train");
    former
        .metadata()
        .putAnnotationsItem(RequestPlan.RESERVATION, NOW.toString()); // Within the same second.
    requests.put(former);

    assertThat(check.evaluate(evaluation()))
        .isEqualTo(
            Verdict.pending(
                "Replacing a provisioning request that is out of date.", Duration.ofSeconds(2)));
    assertThat(resources.deleted).containsExactly(REQUEST);

    resources.deleted.clear();
    former.metadata().putAnnotationsItem(RequestPlan.CHECK, "another-check");
    assertThatThrownBy(() -> check.evaluate(evaluation())).hasMessageContaining("delete it");
    assertThat(resources.deleted).isEmpty();
  }

  private static ProvisioningRequest request(String name, String workloadUid) {
    return ProvisioningRequest.named("default", name)
        .withMetadata(
            metadata(name)
                .uid("uid-of-" + name)
                .putAnnotationsItem(RequestPlan.CHECK, "spot")
                .addOwnerReferencesItem(owner(workloadUid)));
  }

  private static V1PodTemplate template(V1OwnerReference owner) {
    return new V1PodTemplate().metadata(metadata(TEMPLATE.name()).addOwnerReferencesItem(owner));
  }

  private static V1ObjectMeta metadata(String name) {
    return new V1ObjectMeta().namespace("default").name(name);
  }

  private static V1OwnerReference owner(String uid) {
    return new V1OwnerReference().name(uid).uid(uid).controller(true);
  }

  private static Evaluation<ProvisioningRequestConfig> evaluation() {
    Workload plain = Workload.named("default", "train");
    AdmissionCheckState entry = AdmissionCheckState.pending("spot", NOW).withRetryCount(1);
    Workload workload =
        plain
            .withMetadata(metadata("train").uid("train-uid"))
            .withStatus(
                plain
                    .status()
                    .withConditions(
                        List.of(Condition.isTrue("QuotaReserved", "QuotaReserved", "", NOW)))
                    .withAdmissionChecks(List.of(entry)));
    return Evaluations.of(
        workload,
        entry,
        KueueJson.fromJson(
            "{\"metadata\": {\"name\": \"spot\"}, \"spec\": {\"provisioningClassName\": \"c\"}}",
            ProvisioningRequestConfig.class),
        new AssignedPodSet(
            "main", 1, new V1PodTemplateSpec(), Map.of("cpu", Quantity.of(1)), Map.of()),
        NOW);
  }

  /** The server, which has what the watch shows. */
  private final class Resources implements ResourceClient {
    private final List<ObjectKey> deleted = new ArrayList<>();

    @Override
    public <T extends KubernetesObject> ResourceType<T> served(ResourceType<T> type) {
      return type;
    }

    @Override
    public <T extends KubernetesObject> Optional<T> get(ResourceType<T> type, ObjectKey key) {
      return watched(type).get(key);
    }

    @Override
    public <T extends KubernetesObject> T createIfAbsent(ResourceType<T> type, T object) {
      ObjectKey key = ObjectKey.of(object);
      FakeObjects<T> there = watched(type);
      if (there.get(key).isEmpty()) {
        object.getMetadata().setUid("uid-of-" + key.name());
        there.put(object);
      }
      return there.get(key).orElseThrow();
    }

    @Override
    public <T extends KubernetesObject> T patch(
        ResourceType<T> type, T seen, Map<String, ? extends @Nullable Object> change) {
      throw new UnsupportedOperationException("this check changes no object");
    }

    @Override
    public <T extends KubernetesObject> T patchStatus(
        ResourceType<T> type, T seen, Map<String, ? extends @Nullable Object> status) {
      throw new UnsupportedOperationException("this check writes no status");
    }

    @SuppressWarnings("unchecked") // One list for each type.
    private <T extends KubernetesObject> FakeObjects<T> watched(ResourceType<T> type) {
      return (FakeObjects<T>) (type.kind().equals("PodTemplate") ? templates : requests);
    }

    @Override
    public <T extends KubernetesObject> boolean delete(ResourceType<T> type, T object) {
      ObjectKey key = ObjectKey.of(object);
      return deleted.add(key);
    }
  }
}
