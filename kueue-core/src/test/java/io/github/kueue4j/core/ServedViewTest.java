// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.core.testing.TestCluster;
import io.github.kueue4j.simulation.Simulated;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A core is shown by the view that it is given. */
@Simulated
class ServedViewTest {
  private static final String ON =
      "kueue4j: {view: {bindAddress: \"127.0.0.1:8082\", secureServing: false}}\n";

  private final TestCluster cluster = new TestCluster();
  private final List<String> steps = new ArrayList<>();

  @AfterEach
  void stop() {
    cluster.close();
  }

  /** Says what it is asked, and what it sees of its core. */
  private final class NotedView implements ServedView {
    private final ViewedCore core;

    NotedView(ViewedCore core) {
      this.core = core;
      steps.add("made with " + core.caches().clusterQueues().list().size());
    }

    @Override
    public void start() {
      steps.add("started with " + core.caches().clusterQueues().list().size());
    }

    @Override
    public int port() {
      return 17;
    }

    @Override
    public void close() {
      steps.add("closed");
    }

    List<ObjectKey> workloads() {
      return List.copyOf(core.snapshots().get().join().workloads().keySet());
    }
  }

  @Test
  void itStartsOnceTheCachesAreFullAndSeesWhatTheSchedulerHasDecided() {
    cluster.queue("", "default=1");
    List<NotedView> views = new ArrayList<>();
    cluster.view(
        core -> {
          views.add(new NotedView(core));
          return views.getFirst();
        });

    KueueCore core = cluster.startCore(ON);
    cluster.job("job", 1);
    String workload = cluster.awaitWorkload("job", TestCluster::admitted).metadata().getName();

    assertThat(core.viewPort()).isEqualTo(17);
    assertThat(views.getFirst().workloads()).containsExactly(TestCluster.key(workload));
    core.close();
    assertThat(steps).startsWith("made with 0", "started with 1", "closed");
  }

  @Test
  void itIsNotMadeWithoutAnAddress() {
    cluster.view(NotedView::new);

    KueueCore core = cluster.startCore();

    assertThat(steps).isEmpty();
    assertThat(core.viewPort()).isEqualTo(-1);
  }

  @Test
  void anAddressWithoutAViewIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.startCore(ON))
        .withMessageContaining("kueue4j.view.bindAddress is 127.0.0.1:8082")
        .withMessageContaining("KueueCore.Builder.view");
  }
}
