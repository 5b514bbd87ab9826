// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.gpu;

import java.util.List;
import java.util.Map;

/** Names for people. */
final class GpuModel {

  /** Labels that say which GPUs a node has, by the tools that set them. */
  private static final List<String> PRODUCT_LABELS =
      List.of(
          "nvidia.com/gpu.product",
          "amd.com/gpu.product-name",
          "cloud.google.com/gke-accelerator",
          "gpu-type",
          "gpu-model");

  private GpuModel() {}

  /** For example {@code A100} for {@code NVIDIA-A100-SXM4-80GB}; else the flavor's name. */
  static String of(Map<String, String> nodeLabels, String flavor) {
    for (String label : PRODUCT_LABELS) {
      String product = nodeLabels.get(label);
      if (product != null && !product.isEmpty()) {
        return shortened(product);
      }
    }
    return flavor;
  }

  private static String shortened(String product) {
    for (String word : product.split("[-_ ]", -1)) {
      boolean vendor = word.equalsIgnoreCase("nvidia") || word.equalsIgnoreCase("tesla");
      if (!vendor && !word.isEmpty()) {
        return word;
      }
    }
    return product;
  }
}
