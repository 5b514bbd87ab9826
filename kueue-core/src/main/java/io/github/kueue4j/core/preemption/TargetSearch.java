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

import io.github.kueue4j.api.ClusterQueuePreemption;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.quota.QuotaTree;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apiguardian.api.API;

/** Finds whom to preempt. A value; each search works on a scratch copy of the quota. */
@API(status = API.Status.INTERNAL)
public final class TargetSearch {
  private final QuotaTree tree;
  private final Holders holders;
  private final PreemptionSettings settings;
  private final ToDoubleFunction<ObjectKey> usageOfLocalQueue;

  /**
   * A search.
   *
   * @param tree the quota and who uses how much of it
   * @param holders who exactly
   * @param usageOfLocalQueue as admission fair sharing counts it; 0 where it isn't in force
   */
  TargetSearch(
      QuotaTree tree,
      Holders holders,
      PreemptionSettings settings,
      ToDoubleFunction<ObjectKey> usageOfLocalQueue) {
    this.tree = tree;
    this.holders = holders;
    this.settings = settings;
    this.usageOfLocalQueue = usageOfLocalQueue;
  }

  /**
   * The smallest set of Workloads whose quota makes the preemptor fit; empty if there is none.
   *
   * @param policy of the preemptor's ClusterQueue
   */
  public List<Target> targets(Preemptor preemptor, ClusterQueuePreemption policy) {
    Policies policies = new Policies(policy, preemptor);
    Comparator<Candidate> order = new CandidateOrder(preemptor.clusterQueue(), usageOfLocalQueue);
    Room room = new Room(tree, preemptor);
    return settings.fairSharing()
        ? new FairSharingPreemption(preemptor, policies, room, holders, order, settings).targets()
        : new ClassicalPreemption(preemptor, policies, room, holders, order).targets();
  }
}
