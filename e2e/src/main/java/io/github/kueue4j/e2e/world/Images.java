// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.world;

import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerState;
import io.kubernetes.client.openapi.models.V1ContainerStateWaiting;
import io.kubernetes.client.openapi.models.V1ContainerStatus;
import io.kubernetes.client.openapi.models.V1PodCondition;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodStatus;
import java.util.List;
import java.util.Objects;

/**
 * The images that the simulated nodes can pull: all but those whose name, without registry, path,
 * tag and digest, is {@value #MISSING}.
 */
final class Images {
  static final String MISSING = "no-such-image";

  private Images() {}

  /** The status of a pod that has just come to its node. */
  static V1PodStatus status(V1PodSpec spec) {
    boolean pulled = spec.getContainers().stream().noneMatch(Images::isMissing);
    return pulled
        ? new V1PodStatus()
            .phase("Running")
            .conditions(List.of(new V1PodCondition().type("Ready").status("True")))
        : new V1PodStatus()
            .phase("Pending")
            .conditions(
                List.of(
                    new V1PodCondition()
                        .type("Ready")
                        .status("False")
                        .reason("ContainersNotReady")))
            .containerStatuses(spec.getContainers().stream().map(Images::status).toList());
  }

  private static V1ContainerStatus status(V1Container container) {
    String image = Objects.requireNonNullElse(container.getImage(), "");
    String reason = isMissing(container) ? "ImagePullBackOff" : "ContainerCreating";
    return new V1ContainerStatus()
        .name(container.getName())
        .image(image)
        .imageID("")
        .ready(false)
        .restartCount(0)
        .state(
            new V1ContainerState()
                .waiting(
                    new V1ContainerStateWaiting()
                        .reason(reason)
                        .message("Back-off pulling image \"" + image + '"')));
  }

  private static boolean isMissing(V1Container container) {
    String image = Objects.requireNonNullElse(container.getImage(), "");
    String last = image.substring(image.lastIndexOf('/') + 1);
    return last.split("[:@]", 2)[0].equals(MISSING);
  }
}
