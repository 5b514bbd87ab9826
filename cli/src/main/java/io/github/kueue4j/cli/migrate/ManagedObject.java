// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.migrate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.util.List;
import java.util.stream.Stream;

/** The name of an object and who owns fields of it; the fields themselves are not read. */
final class ManagedObject implements KubernetesObject {
  private final Metadata metadata = new Metadata("", "", List.of());

  /** Part of {@code metadata}. */
  record Metadata(String namespace, String name, List<FieldsEntry> managedFields) {
    Metadata {
      managedFields = managedFields == null ? List.of() : List.copyOf(managedFields);
    }
  }

  /** Part of an entry of {@code metadata.managedFields}. */
  record FieldsEntry(String manager, String operation, String subresource) {
    FieldsEntry {
      manager = manager == null ? "" : manager;
      operation = operation == null ? "" : operation;
      subresource = subresource == null ? "" : subresource;
    }
  }

  /**
   * The managers that own fields by server-side apply, and write them back when others change them.
   */
  Stream<String> appliers() {
    return metadata.managedFields().stream()
        .filter(entry -> "Apply".equals(entry.operation()))
        .map(FieldsEntry::manager)
        .distinct();
  }

  /** The managers that own fields of the status. */
  Stream<String> statusOwners() {
    return metadata.managedFields().stream()
        .filter(entry -> "status".equals(entry.subresource()))
        .map(FieldsEntry::manager)
        .distinct();
  }

  @Override
  public V1ObjectMeta getMetadata() {
    return new V1ObjectMeta().namespace(metadata.namespace()).name(metadata.name());
  }

  @Override
  public String getApiVersion() {
    return "";
  }

  @Override
  public String getKind() {
    return "";
  }
}
