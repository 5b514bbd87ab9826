/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
   * Stand-ins for definitions that others install in a real cluster: the cluster autoscaler's
   * ProvisioningRequest. For tests and the demo.
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
            "no definition of " + type + " here; look in KueueTypes");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException("can't read the resource " + file, broken);
    }
  }
}
