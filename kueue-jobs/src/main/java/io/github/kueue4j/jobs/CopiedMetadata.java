// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import java.util.Set;
import org.apiguardian.api.API;

/**
 * The keys of the metadata that a new Workload copies from its Job.
 *
 * @param labels of the Job's labels
 * @param annotations of the Job's annotations, besides those that every Workload copies
 */
@API(status = API.Status.INTERNAL)
public record CopiedMetadata(Set<String> labels, Set<String> annotations) {
  public CopiedMetadata {
    labels = Set.copyOf(labels);
    annotations = Set.copyOf(annotations);
  }

  /** Whether an annotation with this key is copied. */
  public boolean takesAnnotation(String key) {
    return key.startsWith(Keys.PROVISIONING_PREFIX)
        || key.equals(Keys.ADMISSION_GATED_BY)
        || key.equals(Keys.DEPENDS_ON)
        || annotations.contains(key);
  }
}
