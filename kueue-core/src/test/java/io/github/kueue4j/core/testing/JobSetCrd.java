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
package io.github.kueue4j.core.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The definition of JobSets, which somebody else installs. */
public final class JobSetCrd {
  private static final String RESOURCE = "/io/github/kueue4j/core/scenarios/jobset/crd.yaml";

  private JobSetCrd() {}

  public static void install(TestCluster cluster) {
    try (InputStream in = JobSetCrd.class.getResourceAsStream(RESOURCE)) {
      cluster.server.applyCrds(
          List.of(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new IllegalStateException("the definition of JobSets can't be read", e);
    }
  }
}
