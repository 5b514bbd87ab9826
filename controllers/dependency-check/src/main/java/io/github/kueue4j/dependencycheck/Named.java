// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.dependencycheck;

import io.github.kueue4j.api.InvalidFieldException;
import io.github.kueue4j.api.Metadata;
import io.github.kueue4j.api.Workload;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The objects that an annotation names: a Job by its kind and name, or a Workload.
 *
 * @param namespace that of the Workload with the annotation
 * @param kind in lower case; with a dot and the group where that is written, as {@code job.batch}
 */
record Named(String namespace, String kind, String name) {
  /** The annotation of a Job, its pod template or a Workload. */
  static final String ANNOTATION = "kueue4j.io/depends-on";

  /** As many as an author can oversee; each costs a look-up. */
  private static final int MOST = 100;

  private static final String WORKLOAD = "workload";

  private static final Pattern FORM =
      Pattern.compile(
          "([A-Za-z][A-Za-z0-9]*(?:\\.[a-z0-9][-.a-z0-9]*)?)/([a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)");

  /** The texts of the annotation, of the Workload and of its pod sets. */
  static Set<String> written(Workload workload) {
    return Stream.concat(
            Stream.of(workload.metadata()),
            workload.spec().podSets().stream().map(podSet -> podSet.template().getMetadata()))
        .filter(Objects::nonNull)
        .map(V1ObjectMeta::getAnnotations)
        .filter(Objects::nonNull)
        .map(annotations -> annotations.get(ANNOTATION))
        .filter(Objects::nonNull)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * The dependencies of a Workload, in the order in which they are written.
   *
   * @throws InvalidFieldException if it can't be read; the message says what to write
   */
  static Set<Named> dependencies(Workload workload) {
    Set<Named> all = new LinkedHashSet<>();
    for (String text : written(workload)) {
      for (String word : text.split("[,\\s]+", -1)) {
        if (!word.isEmpty()) {
          all.add(read(workload, word));
        }
      }
    }
    if (all.size() > MOST) {
      throw unreadable(all.size() + " names", "name at most " + MOST);
    }
    return all;
  }

  private static Named read(Workload workload, String word) {
    Matcher form = FORM.matcher(word);
    if (!form.matches()) {
      throw unreadable(
          word,
          "write the kind, a slash and the name, with commas between, as job/prepare, job/load");
    }
    return new Named(
        workload.key().namespace(), form.group(1).toLowerCase(Locale.ROOT), form.group(2));
  }

  private static InvalidFieldException unreadable(String value, String remedy) {
    return new InvalidFieldException(
        "The annotation " + ANNOTATION,
        Dependencies.cut(value),
        remedy + ", and create the Job anew, or correct the Workload and resume it");
  }

  /** The names under which others depend on this Workload: its own, and that of its Job. */
  static List<Named> of(Workload workload) {
    String namespace = workload.key().namespace();
    List<Named> names = new ArrayList<>();
    names.add(new Named(namespace, WORKLOAD, workload.key().name()));
    owner(workload)
        .ifPresent(
            owner -> {
              String kind = owner.getKind().toLowerCase(Locale.ROOT);
              names.addFirst(new Named(namespace, kind, owner.getName()));
              String version = owner.getApiVersion();
              int slash = version.indexOf('/');
              if (slash > 0) {
                names.add(
                    new Named(
                        namespace, kind + '.' + version.substring(0, slash), owner.getName()));
              }
            });
    return List.copyOf(names);
  }

  /** The uid of its Job; empty if it has none. */
  static Optional<String> ownerUid(Workload workload) {
    return owner(workload).map(V1OwnerReference::getUid);
  }

  private static Optional<V1OwnerReference> owner(Workload workload) {
    return Metadata.owners(workload).stream()
        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
        .findFirst();
  }

  @Override
  public String toString() {
    return kind + '/' + name;
  }
}
