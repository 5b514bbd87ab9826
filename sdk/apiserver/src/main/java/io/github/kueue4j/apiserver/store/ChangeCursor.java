// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apiguardian.api.API;

/**
 * A reader's position in the history of a kind. It holds no queue: the position of a reader that is
 * slower than the history expires, like that of a slow watcher of a real server. One thread reads;
 * any thread may {@link #wake} or {@link #cancel}.
 */
@API(status = API.Status.INTERNAL)
public final class ChangeCursor implements AutoCloseable {
  private static final int BATCH = 500;

  private final KindStore kind;
  private final Semaphore news = new Semaphore(0);
  private volatile boolean cancelled;
  private long position;

  ChangeCursor(KindStore kind, long position) {
    this.kind = kind;
    this.position = position;
  }

  /** Everything up to this revision has been read. */
  public long position() {
    return position;
  }

  /**
   * The next changes, oldest first; waits at most that long for the first one.
   *
   * @return empty if there was none in time, or the cursor was woken or cancelled
   * @throws HistoryExpiredException if changes were lost before they were read
   */
  public List<Change> next(Duration wait) throws InterruptedException {
    List<Change> changes = read();
    if (!changes.isEmpty() || cancelled) {
      return changes;
    }
    if (news.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
      news.drainPermits();
    }
    return read();
  }

  private List<Change> read() {
    long upTo = Math.max(position, kind.storeRevision());
    List<Change> changes = kind.changes(position, upTo, BATCH);
    position = changes.size() == BATCH ? changes.get(BATCH - 1).revision() : upTo;
    return changes;
  }

  /** Makes a waiting reader look again. */
  public void wake() {
    if (news.availablePermits() == 0) {
      news.release();
    }
  }

  /** Tells the reader to end. */
  public void cancel() {
    cancelled = true;
    wake();
  }

  public boolean cancelled() {
    return cancelled;
  }

  @Override
  public void close() {
    kind.unfollow(this);
  }
}
