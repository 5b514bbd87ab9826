// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/**
 * CustomResourceDefinitions, as YAML documents: of the kinds in {@link KueueTypes}, and of others.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class Crds {

  private Crds() {}

  /** The definitions of the {@code kueue.x-k8s.io} kinds, to be applied before the core starts. */
  public static List<String> kueue() {
    return KueueTypes.ALL.stream().map(Crds::of).toList();
  }

  /**
   * Substitutes for definitions that other projects install in a real cluster: the cluster
   * autoscaler's ProvisioningRequest. For tests and the demo.
   */
  public static List<String> external() {
    return List.of(of(KueueTypes.PROVISIONING_REQUEST));
  }

  /**
   * The definition of one kind of {@link KueueTypes}.
   *
   * @throws IllegalArgumentException if this module has no definition of the kind
   */
  public static String of(ResourceType<? extends ApiObject> type) {
    String folder = type.group().equals(KueueTypes.GROUP) ? "crds/" : "crds/external/";
    return read(Crds.class, folder, type);
  }

  /**
   * The definitions of a project's own kinds, from the resources beside one of its classes: each in
   * {@code crds/GROUP_PLURAL.yaml}.
   *
   * <pre>{@code
   * List<String> crds = Crds.beside(LicenseCheck.class, LICENSES);
   * }</pre>
   *
   * @throws IllegalArgumentException if a kind has no such resource
   */
  public static List<String> beside(Class<?> owner, ResourceType<?>... types) {
    return Stream.of(types).map(type -> read(owner, "crds/", type)).toList();
  }

  private static String read(Class<?> owner, String folder, ResourceType<?> type) {
    String file = folder + type.group() + '_' + type.plural() + ".yaml";
    try (InputStream in = owner.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "no CRD for " + type + ": beside " + owner.getName() + " there is no " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException("can't read the resource " + file, broken);
    }
  }
}
