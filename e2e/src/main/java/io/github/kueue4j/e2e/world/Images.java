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
 * Which images the simulated nodes can pull: all but those whose name, without registry, path, tag
 * and digest, is {@value #MISSING}.
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
