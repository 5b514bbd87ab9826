// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.common.KubernetesObject;
import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A kind as the API server serves it, with the class of its objects.
 *
 * <p>Kinds of an author's own custom resources need no class but a record of their spec:
 *
 * <pre>{@code
 * record Window(LocalTime opens, Duration length, Optional<ZoneId> zone) {}
 *
 * ResourceType<CustomResource<Window>> windows =
 *     ResourceType.clusterScoped("ops.example.com/v1", "MaintenanceWindow", Window.class);
 * }</pre>
 *
 * @param <T> the class of the objects
 * @param group the API group; empty for the core group
 * @param version the version in use, for example {@code v1beta2}
 * @param kind the kind, for example {@code Workload}
 * @param plural the name in paths, for example {@code workloads}
 * @param namespaced whether objects live in namespaces
 * @param type the class of the objects
 * @param readAs what their JSON is read as: {@code type}, with its type arguments if it has any
 * @param otherVersions the versions with the same fields that requests use, in this order, where
 *     the server doesn't serve {@code version}; usually none
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record ResourceType<T extends KubernetesObject>(
    String group,
    String version,
    String kind,
    String plural,
    boolean namespaced,
    Class<T> type,
    Type readAs,
    List<String> otherVersions) {

  private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");
  private static final Pattern API_VERSION =
      Pattern.compile("([a-z0-9][-.a-z0-9]*/)?v[0-9][a-z0-9]*");
  private static final Pattern VERSION = Pattern.compile("v[0-9][a-z0-9]*");
  private static final Pattern PLURAL = Pattern.compile("[a-z][-a-z0-9]{0,62}");

  public ResourceType {
    otherVersions = List.copyOf(otherVersions);
  }

  /**
   * A kind of one version, whose objects live in namespaces and are read as this class. The plural
   * is as of {@link #clusterScoped(String, String, Class)}.
   *
   * @param apiVersion group and version, for example {@code batch/v1}; without a group {@code v1}
   * @param kind for example {@code Job}
   * @throws IllegalArgumentException if the version or the kind can't be one
   */
  public static <T extends KubernetesObject> ResourceType<T> of(
      String apiVersion, String kind, Class<T> type) {
    return of(apiVersion, kind, true, type, type);
  }

  /**
   * A kind of custom resources that live in no namespace.
   *
   * <p>The plural, which paths and roles use, is the kind in lower case with an {@code s}, or as
   * English has it: {@code -es} after s, x, z, ch and sh, {@code -ies} for a y after a consonant.
   * Say {@link #withPlural} where {@code spec.names.plural} of the CRD is another.
   *
   * @param apiVersion group and version, for example {@code ops.example.com/v1}
   * @param kind for example {@code MaintenanceWindow}
   * @param spec the record that {@code spec} is read as, when it is asked for; {@link
   *     CustomResource} says what its components may be
   * @throws IllegalArgumentException if the version or the kind can't be one, or the record has a
   *     component of a type that can't be read
   */
  public static <S extends Record> ResourceType<CustomResource<S>> clusterScoped(
      String apiVersion, String kind, Class<S> spec) {
    return custom(apiVersion, kind, false, spec);
  }

  /**
   * A kind of custom resources that live in namespaces; otherwise as {@link #clusterScoped(String,
   * String, Class)}.
   *
   * @param apiVersion group and version, for example {@code ops.example.com/v1}
   * @param kind for example {@code MaintenanceWindow}
   * @param spec the record that {@code spec} is read as
   * @throws IllegalArgumentException as {@link #clusterScoped(String, String, Class)}
   */
  public static <S extends Record> ResourceType<CustomResource<S>> namespaced(
      String apiVersion, String kind, Class<S> spec) {
    return custom(apiVersion, kind, true, spec);
  }

  @SuppressWarnings("unchecked") // A class literal can't say its type argument.
  private static <S extends Record> ResourceType<CustomResource<S>> custom(
      String apiVersion, String kind, boolean namespaced, Class<S> spec) {
    ResourceType<CustomResource<S>> type =
        of(
            apiVersion,
            kind,
            namespaced,
            (Class<CustomResource<S>>) (Class<?>) CustomResource.class,
            TypeToken.getParameterized(CustomResource.class, spec).getType());
    if (KubernetesObject.class.isAssignableFrom(spec)) {
      throw new IllegalArgumentException(
          spec.getName()
              + " stands for a whole object: name a record of the spec alone, or give the class to"
              + " ResourceType.of");
    }
    RecordReader.refuseUnreadable(spec);
    return type;
  }

  private static <T extends KubernetesObject> ResourceType<T> of(
      String apiVersion, String kind, boolean namespaced, Class<T> type, Type readAs) {
    if (!API_VERSION.matcher(apiVersion).matches()) {
      throw new IllegalArgumentException(
          "'"
              + apiVersion
              + "' is no apiVersion: write group and version, such as ops.example.com/v1");
    }
    if (!KIND.matcher(kind).matches()) {
      throw new IllegalArgumentException(
          "'" + kind + "' is no kind: write its name as in the CRD, such as MaintenanceWindow");
    }
    int slash = apiVersion.indexOf('/');
    return new ResourceType<>(
        apiVersion.substring(0, Math.max(slash, 0)),
        apiVersion.substring(slash + 1),
        kind,
        pluralOf(kind.toLowerCase(Locale.ROOT)),
        namespaced,
        type,
        readAs,
        List.of());
  }

  private static String pluralOf(String singular) {
    if (singular.matches(".*(s|x|z|ch|sh)")) {
      return singular + "es";
    }
    return singular.matches(".*[^aeiou]y")
        ? singular.substring(0, singular.length() - 1) + "ies"
        : singular + 's';
  }

  /**
   * The same kind by another name in paths and roles.
   *
   * @param other {@code spec.names.plural} of its CRD
   * @throws IllegalArgumentException if it is not in lower case
   */
  public ResourceType<T> withPlural(String other) {
    if (!PLURAL.matcher(other).matches()) {
      throw new IllegalArgumentException(
          "'" + other + "' is no plural of " + kind + ": write it in lower case, as the CRD does");
    }
    return new ResourceType<>(group, version, kind, other, namespaced, type, readAs, otherVersions);
  }

  /** The same kind, whose objects live in no namespace. */
  public ResourceType<T> clusterScoped() {
    return new ResourceType<>(group, version, kind, plural, false, type, readAs, otherVersions);
  }

  /** The same kind, read as objects of another class. */
  public <U extends KubernetesObject> ResourceType<U> as(Class<U> other) {
    return new ResourceType<>(
        group, version, kind, plural, namespaced, other, other, otherVersions);
  }

  /** The same kind in this version of its group, and in no other. */
  public ResourceType<T> inVersion(String other) {
    return new ResourceType<>(group, other, kind, plural, namespaced, type, readAs, List.of());
  }

  /**
   * The same kind, whose requests use another version where the server doesn't serve {@link
   * #version}: the first of these that it serves. The fields that are read and written must be the
   * same in all of them.
   *
   * @throws IllegalArgumentException if one is no version, or is given twice
   */
  public ResourceType<T> orInVersions(List<String> others) {
    Set<String> seen = new HashSet<>(Set.of(version));
    for (String other : others) {
      if (!VERSION.matcher(other).matches()) {
        throw new IllegalArgumentException(
            "'" + other + "' is no version of " + kind + ": write one such as v1beta1");
      }
      if (!seen.add(other)) {
        throw new IllegalArgumentException(
            "'" + other + "' is named twice among the versions of " + kind);
      }
    }
    return new ResourceType<>(group, version, kind, plural, namespaced, type, readAs, others);
  }

  /** The version and the other ones, in the order in which they are tried. */
  public List<String> versions() {
    return Stream.concat(Stream.of(version), otherVersions.stream()).toList();
  }

  /** Whether an object or a reference with these names is of this kind, in any of its versions. */
  public boolean isNamed(@Nullable String apiVersion, @Nullable String kindName) {
    return kind.equals(kindName)
        && versions().stream().anyMatch(each -> inVersion(each).apiVersion().equals(apiVersion));
  }

  /** {@code group/version}, or the version alone for the core group. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + '/' + version;
  }

  /** The name of the CRD or resource: {@code plural.group}, or the plural alone. */
  public String qualifiedName() {
    return group.isEmpty() ? plural : plural + '.' + group;
  }

  /** The path of the collection across all namespaces, for example {@code /apis/batch/v1/jobs}. */
  public String path() {
    return root() + '/' + plural;
  }

  /**
   * The path of the collection in one namespace; for a cluster-scoped kind or an empty namespace
   * the same as {@link #path()}.
   *
   * @throws PathSegmentException if no namespace can have this name
   */
  public String path(String namespace) {
    return namespaced && !namespace.isEmpty()
        ? root()
            + "/namespaces/"
            + PathSegmentException.check("an object's namespace", namespace)
            + '/'
            + plural
        : path();
  }

  /**
   * The path of one object.
   *
   * @throws PathSegmentException if no object can have this name: a key may come from a field that
   *     the server doesn't check, such as the name in an owner reference
   */
  public String path(ObjectKey key) {
    return path(key.namespace()) + '/' + PathSegmentException.check("an object's name", key.name());
  }

  private String root() {
    return group.isEmpty() ? "/api/" + version : "/apis/" + group + '/' + version;
  }

  @Override
  public String toString() {
    return kind + '.' + apiVersion();
  }
}
