// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.Workload;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A Workload as an admission check sees it, made of what an author of rules has written down: no
 * cluster is asked, and the quota is taken to be there.
 *
 * @param kind of the object that it is made of, such as {@code Job}; {@code Workload} for one that
 *     was written down itself
 * @param object namespace and name of that object
 * @param workload with the quota that it holds
 * @param namespaceLabels of its namespace: the one that each has, and those of its Namespace if
 *     that is among the documents
 * @param priorityClass that gives it its priority and isn't among the documents: it has 0 instead
 * @see SampleWorkloads
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record SampleWorkload(
    String kind,
    ObjectKey object,
    Workload workload,
    Map<String, String> namespaceLabels,
    Optional<String> priorityClass) {
  public SampleWorkload {
    namespaceLabels = Map.copyOf(namespaceLabels);
  }
}
