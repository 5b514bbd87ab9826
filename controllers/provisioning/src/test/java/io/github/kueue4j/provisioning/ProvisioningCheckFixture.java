// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.AdmissionCheckState;
import io.github.kueue4j.api.Condition;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.ProvisioningRequest;
import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.api.Quantity;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.AssignedPodSet;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.Verdict;
import io.github.kueue4j.sdk.fixture.Evaluations;
import io.github.kueue4j.sdk.fixture.FakeObjects;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1PodTemplate;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The check on objects in memory, with a Workload of which it judges the second attempt. */
abstract class ProvisioningCheckFixture {

  static final Instant NOW = Instant.parse("2026-06-01T08:00:00Z");
  static final ObjectKey REQUEST = new ObjectKey("default", "train-spot-2");
  static final ObjectKey TEMPLATE = new ObjectKey("default", "ppt-train-spot-2-main");

  static final ObjectKey OTHER = new ObjectKey("default", "train-spot-2-6d014");
  static final ObjectKey OTHER_TEMPLATE = new ObjectKey("default", "ppt-" + OTHER.name() + "-main");
  static final Verdict REPLACING =
      Verdict.pending(
          "Replacing a provisioning request that is out of date: default/train-spot-2 has to go"
              + " first.",
          Duration.ofSeconds(2));

  final FakeObjects<ProvisioningRequest> requests = new FakeObjects<>();
  final FakeObjects<V1PodTemplate> templates = new FakeObjects<>();
  final FakeObjects<Workload> workloads = new FakeObjects<>();
  final Resources resources = new Resources();
  final ProvisioningCheck check = new ProvisioningCheck(requests, templates, resources);

  static ProvisioningRequest request(String name, String workloadUid) {
    return ProvisioningRequest.named("default", name)
        .withMetadata(
            metadata(name)
                .uid("uid-of-" + name)
                .putAnnotationsItem(Ownership.CHECK, "spot")
                .addOwnerReferencesItem(owner(workloadUid)));
  }

  static V1PodTemplate template(V1OwnerReference owner) {
    return new V1PodTemplate().metadata(metadata(TEMPLATE.name()).addOwnerReferencesItem(owner));
  }

  static V1ObjectMeta metadata(String name) {
    return new V1ObjectMeta().namespace("default").name(name);
  }

  static V1OwnerReference owner(String uid) {
    return new V1OwnerReference().name(uid).uid(uid).controller(true);
  }

  static Evaluation<ProvisioningRequestConfigSpec> evaluation() {
    return evaluation("{\"provisioningClassName\": \"c\"}");
  }

  static Evaluation<ProvisioningRequestConfigSpec> evaluation(String config) {
    return evaluation(config, NOW);
  }

  static Evaluation<ProvisioningRequestConfigSpec> evaluation(String config, Instant now) {
    return evaluation(config, now, AdmissionCheckState.pending("spot", NOW).withRetryCount(1));
  }

  static Evaluation<ProvisioningRequestConfigSpec> evaluation(
      String config, Instant now, AdmissionCheckState entry) {
    Workload plain = Workload.named("default", "train");
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
        KueueJson.fromJson(config, ProvisioningRequestConfigSpec.class),
        new AssignedPodSet(
            "main", 1, new V1PodTemplateSpec(), Map.of("cpu", Quantity.of(1)), Map.of()),
        now);
  }

  /** The server, which has what the watch shows. */
  final class Resources implements ResourceClient {
    final List<ObjectKey> created = new ArrayList<>();
    final List<ObjectKey> deleted = new ArrayList<>();
    boolean refusing;

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
      if (refusing) {
        throw new IllegalStateException("failed calling webhook");
      }
      ObjectKey key = ObjectKey.of(object);
      FakeObjects<T> there = watched(type);
      if (there.get(key).isEmpty()) {
        int before = Collections.frequency(created, key);
        object.getMetadata().setUid("uid-of-" + key.name() + (before == 0 ? "" : "-" + before));
        created.add(key);
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
      return (FakeObjects<T>)
          switch (type.kind()) {
            case "PodTemplate" -> templates;
            case "Workload" -> workloads;
            default -> requests;
          };
    }

    @Override
    public <T extends KubernetesObject> boolean delete(ResourceType<T> type, T object) {
      ObjectKey key = ObjectKey.of(object);
      return deleted.add(key);
    }

    @Override
    public <T extends KubernetesObject> boolean deleteUnchanged(ResourceType<T> type, T seen) {
      return delete(type, seen);
    }
  }
}
