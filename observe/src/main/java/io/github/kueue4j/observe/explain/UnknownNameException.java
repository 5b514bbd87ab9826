// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import io.github.kueue4j.api.ObjectKey;
import java.util.List;
import org.apiguardian.api.API;

/** Thrown if there is neither a Workload nor a Job, nor a pod, of the given name. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class UnknownNameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnknownNameException(String namespace, String asked, List<String> near) {
    super(message(namespace, asked, near));
  }

  private UnknownNameException(String message) {
    super(message);
  }

  static UnknownNameException pod(ObjectKey asked, List<String> near) {
    String missing =
        "there is no pod called '" + asked.name() + "' in the namespace " + asked.namespace();
    return new UnknownNameException(
        near.isEmpty()
            ? missing + "; list them with 'kubectl get pods -A' and give the namespace with -n"
            : missing + "; did you mean " + String.join(", ", near) + "?");
  }

  private static String message(String namespace, String asked, List<String> near) {
    String missing =
        "there is no Workload and no Job called '" + asked + "' in the namespace " + namespace;
    return near.isEmpty()
        ? missing
            + "; list them with 'kubectl get workloads,jobs -A' and give the namespace with -n"
        : missing + "; did you mean " + String.join(", ", near) + "?";
  }
}
