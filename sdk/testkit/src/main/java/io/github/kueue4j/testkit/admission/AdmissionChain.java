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
package io.github.kueue4j.testkit.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.testkit.objects.Admission;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Asks one after the other; the first refusal counts. */
@API(status = API.Status.INTERNAL)
public record AdmissionChain(List<Admission> links) implements Admission {
  public AdmissionChain {
    links = List.copyOf(links);
  }

  @Override
  public Optional<ObjectNode> mutate(Attempt attempt, @Nullable ObjectNode object) {
    Optional<ObjectNode> changed = Optional.empty();
    for (Admission link : links) {
      Optional<ObjectNode> next = link.mutate(attempt, changed.orElse(object));
      changed = next.isPresent() ? next : changed;
    }
    return changed;
  }

  @Override
  public void validate(Attempt attempt, @Nullable ObjectNode object) {
    links.forEach(link -> link.validate(attempt, object));
  }
}
