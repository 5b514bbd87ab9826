// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apiguardian.api.API;

/** The CustomResourceDefinitions of the kinds in {@link KueueTypes}, as YAML documents. */
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
    String file = folder + type.group() + '_' + type.plural() + ".yaml";
    try (InputStream in = Crds.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalArgumentException(
            "no CRD for " + type + "; see KueueTypes for the kinds that have one");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException("can't read the resource " + file, broken);
    }
  }
}
