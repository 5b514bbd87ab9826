// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import io.github.kueue4j.gpu.fit.PodNeeds;
import io.github.kueue4j.sdk.AssignedFlavor;
import io.github.kueue4j.sdk.AssignedPodSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The resource names that people call GPUs. */
final class GpuKind {

  /** The kind of nodes without any of the labels. */
  static final String UNKNOWN = "unknown";

  private static final List<String> VENDORS = List.of("nvidia", "tesla", "amd");

  private GpuKind() {}

  /** For example {@code A100} for {@code NVIDIA-A100-SXM4-80GB}; else the flavor's name. */
  static String of(AssignedPodSet podSet, PodNeeds needs, GpuPolicy policy) {
    Optional<String> kind = shortened(needs.constraints().selector(), policy.kindLabels());
    return kind.orElseGet(
        () ->
            policy.resources().stream()
                .flatMap(resource -> Optional.ofNullable(podSet.flavors().get(resource)).stream())
                .map(AssignedFlavor::name)
                .findFirst()
                .orElse(""));
  }

  /** The kind that these labels tell, in a word. */
  static Optional<String> shortened(Map<String, String> labels, List<String> kindLabels) {
    return full(labels, kindLabels).map(GpuKind::word);
  }

  /** The kind that these labels tell, as they tell it. */
  static Optional<String> full(Map<String, String> labels, List<String> kindLabels) {
    for (String label : kindLabels) {
      @Nullable String product = labels.get(label);
      if (product != null && !product.isEmpty()) {
        return Optional.of(product);
      }
    }
    return Optional.empty();
  }

  private static String word(String product) {
    for (String word : product.split("[-_ ]", -1)) {
      if (!word.isEmpty() && VENDORS.stream().noneMatch(word::equalsIgnoreCase)) {
        return word;
      }
    }
    return product;
  }
}
