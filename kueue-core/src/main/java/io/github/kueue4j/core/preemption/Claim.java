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
package io.github.kueue4j.core.preemption;

import java.util.List;
import java.util.Objects;
import org.apiguardian.api.API;

/**
 * A reservation whose quota others still hold (KEP-993, {@code AfterCheckPassedOrOnDemand}): they
 * give way later, or never if its checks say no.
 *
 * @param claimant who has reserved, or is about to
 * @param targets on whose quota it counts; empty when all of them have let go already
 */
@API(status = API.Status.INTERNAL)
public record Claim(Candidate claimant, List<Target> targets) {
  public Claim {
    Objects.requireNonNull(claimant, "claimant");
    targets = List.copyOf(targets);
  }
}
