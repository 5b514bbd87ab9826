// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.report;

import io.github.kueue4j.api.ClusterQueue;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.api.QueueingStrategy;
import io.github.kueue4j.core.lifecycle.PodsReadyPolicy;
import io.github.kueue4j.core.lifecycle.WaitForPodsReady;
import io.github.kueue4j.runtime.client.EventRecorder;
import io.github.kueue4j.runtime.controller.Reconciler;
import io.github.kueue4j.runtime.controller.Requeue;
import io.github.kueue4j.runtime.informer.Informer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apiguardian.api.API;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns about ClusterQueues that one Workload can block for as long as its pods don't get ready
 * (KEP-1282): in a StrictFIFO queue no Workload passes the head, and with the timestamp Creation an
 * evicted Workload becomes the head again.
 */
@API(status = API.Status.INTERNAL)
public final class BlockingQueueWarning implements Reconciler {
  private static final Logger log = LoggerFactory.getLogger(BlockingQueueWarning.class);
  private static final String REASON = "RequeuingMayBlock";
  private static final String NOTE =
      "Workloads whose pods don't get ready come back to the head of this StrictFIFO queue"
          + " (waitForPodsReady.requeuingStrategy.timestamp is Creation) and may block it. Use"
          + " Eviction, BestEffortFIFO, or a backoffLimitCount";

  private final Informer<ClusterQueue> queues;
  private final WaitForPodsReady podsReady;
  private final EventRecorder events;
  private final Set<ObjectKey> warned = ConcurrentHashMap.newKeySet();

  public BlockingQueueWarning(
      Informer<ClusterQueue> queues, WaitForPodsReady podsReady, EventRecorder events) {
    this.queues = queues;
    this.podsReady = podsReady;
    this.events = events;
  }

  @Override
  public Requeue reconcile(ObjectKey key) {
    queues
        .get(key)
        .filter(this::mayBlock)
        .ifPresentOrElse(
            queue -> {
              if (warned.add(key)) {
                events.warning(queue, REASON, REASON, NOTE);
                log.atWarn().addKeyValue("clusterQueue", key.name()).log(NOTE);
              }
            },
            () -> warned.remove(key));
    return Requeue.never();
  }

  private boolean mayBlock(ClusterQueue queue) {
    return queue.spec().queueingStrategy().equals(QueueingStrategy.STRICT_FIFO)
        && podsReady.in(queue.spec()).filter(PodsReadyPolicy::keepsPlace).isPresent();
  }
}
