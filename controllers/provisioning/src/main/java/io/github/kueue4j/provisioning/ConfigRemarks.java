// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.provisioning;

import io.github.kueue4j.api.ProvisioningRequestConfigSpec;
import io.github.kueue4j.sdk.Circumstances;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What of a ProvisioningRequestConfig has no effect, or likely another one than is meant. */
final class ConfigRemarks {

  private ConfigRemarks() {}

  /** Each with its remedy. */
  static List<String> of(ProvisioningRequestConfigSpec config, Circumstances at) {
    return Stream.of(at.misspelt("spec.managedResources", config.managedResources()))
        .flatMap(Optional::stream)
        .toList();
  }
}
