// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.hazards;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.controller.Queues;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.workqueue.DefaultWorkQueue;
import org.junit.jupiter.api.Test;

/** The library's key can be changed while it is queued, which breaks the queue's sets. */
class MutableKeyTest {

  @Test
  void theLibraryQueuesAChangedKeyTwice() {
    var queue = new DefaultWorkQueue<Request>();
    var request = new Request("default", "a");
    queue.add(request);
    request.setName("b");
    queue.add(request);

    assertThat(queue.length()).as("the same object, queued twice").isEqualTo(2);
  }

  @Test
  void oursKeepsTheKeyThatWasAdded() throws InterruptedException {
    var queue = Queues.requests(ManualTime.create());
    var request = new Request("default", "a");
    queue.add(request);
    request.setName("b");
    queue.add(new Request("default", "a"));

    assertThat(queue.length()).isEqualTo(1);
    assertThat(queue.get()).isEqualTo(new Request("default", "a"));
  }
}
