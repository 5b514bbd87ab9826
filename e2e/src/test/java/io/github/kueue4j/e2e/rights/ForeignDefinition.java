// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.rights;

import java.util.Locale;

/** As much of another project's CustomResourceDefinition as tests need. */
final class ForeignDefinition {
  private ForeignDefinition() {}

  /** One that takes any fields. */
  static String of(String group, String version, String kind) {
    String singular = kind.toLowerCase(Locale.ROOT);
    return """
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata:
      name: %1$ss.%2$s
      annotations: {api-approved.kubernetes.io: "unapproved, for tests"}
    spec:
      group: %2$s
      names: {kind: %3$s, listKind: %3$sList, plural: %1$ss, singular: %1$s}
      scope: Namespaced
      versions:
        - name: %4$s
          served: true
          storage: true
          subresources: {status: {}}
          schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    """
        .formatted(singular, group, kind, version);
  }
}
