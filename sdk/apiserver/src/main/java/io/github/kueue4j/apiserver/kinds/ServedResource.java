// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * One version of one resource as it is served at {@code /apis/GROUP/VERSION/PLURAL}.
 *
 * @param group empty for the core group
 * @param names how it is called
 * @param storageName where its objects are stored; shared by all versions (and, for events, by both
 *     groups); empty if they aren't stored
 * @param subresources such as {@code status}
 * @param selectableFields field paths that lists and watches can be selected by, beyond name and
 *     namespace
 * @param columns table columns that the definition asks for; empty for built-in kinds
 * @param schema the definition's openAPIV3Schema, null for built-in kinds
 * @param warning sent to clients of a deprecated version, empty if there is nothing to say
 * @param custom whether a CustomResourceDefinition defines it
 */
@API(status = API.Status.INTERNAL)
public record ServedResource(
    String group,
    String version,
    Names names,
    boolean namespaced,
    String storageName,
    Set<String> subresources,
    Set<String> selectableFields,
    List<PrinterColumn> columns,
    @Nullable ObjectNode schema,
    String warning,
    boolean custom,
    ObjectRules rules,
    Conversion conversion) {

  /**
   * The names of a resource.
   *
   * @param plural as in URLs
   */
  public record Names(
      String plural,
      String singular,
      String kind,
      String listKind,
      List<String> shortNames,
      List<String> categories) {}

  /** One that no CustomResourceDefinition defines. */
  static ServedResource builtIn(
      String group,
      String version,
      Names names,
      boolean namespaced,
      String storageName,
      Set<String> subresources,
      Set<String> selectableFields,
      ObjectRules rules,
      Conversion conversion) {
    return new ServedResource(
        group,
        version,
        names,
        namespaced,
        storageName,
        subresources,
        selectableFields,
        List.of(),
        null,
        "",
        false,
        rules,
        conversion);
  }

  public String plural() {
    return names.plural();
  }

  public String kind() {
    return names.kind();
  }

  /** {@code v1} or {@code group/version}. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** Whether its objects are questions, which are answered and not stored. */
  public boolean isReview() {
    return storageName.isEmpty();
  }

  public boolean hasStatus() {
    return subresources.contains("status");
  }
}
