// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.explain;

import java.util.Objects;
import org.apiguardian.api.API;

/**
 * The action that is needed and the party that has to take it.
 *
 * @param actor that has to act
 * @param action as one sentence; for {@link Actor#NONE} the expected course
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WhoActs(Actor actor, String action) {
  public WhoActs {
    Objects.requireNonNull(actor, "actor");
    Objects.requireNonNull(action, "action");
  }
}
