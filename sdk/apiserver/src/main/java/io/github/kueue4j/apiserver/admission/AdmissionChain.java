// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.apiserver.objects.Admission;
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
