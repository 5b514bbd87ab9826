// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the reviews of one server may take together, so that no client, authenticated or
 * not, can exhaust the heap of the core. Thread-safe.
 *
 * <p>A review takes its share as its bytes arrive, and before it is parsed the share of its tree: a
 * body of {@code [[],[],...} takes thirty times its length. A client that only announces a long
 * body takes nothing.
 */
final class ReviewBudget {

  /**
   * The longest body, in bytes: an object and its old version, at most 3 MiB each in an API server,
   * and the review around them.
   */
  static final int LONGEST = 8 << 20;

  /** The budget's part of the heap. */
  private static final int PART_OF_HEAP = 4;

  /** No more than this on a large heap, in units of {@link #UNIT}. */
  private static final int MOST_UNITS = (256 << 20) >> 10;

  /** Bytes in a unit of the budget. */
  private static final int UNIT = 1 << 10;

  /** Bytes that one value, key or element takes as a part of a parsed tree, generously. */
  private static final int PER_VALUE = 100;

  /** Bytes that one byte of the body takes: as bytes, as text, and as texts of the tree. */
  private static final int PER_BYTE = 3;

  /** How long a review waits for others to end, in milliseconds of real time. */
  private static final long PATIENCE_MILLIS = 1000;

  private final int units;
  private final Semaphore free;

  /**
   * A budget of which nothing is taken yet.
   *
   * @param heap bytes of the heap
   */
  ReviewBudget(long heap) {
    this.units = Math.clamp(heap / PART_OF_HEAP / UNIT, 1, MOST_UNITS);
    this.free = new Semaphore(units, true);
  }

  static ReviewBudget ofThisProcess() {
    return new ReviewBudget(Runtime.getRuntime().maxMemory());
  }

  /** Whether no review has a share. */
  boolean untouched() {
    return free.availablePermits() == units;
  }

  /** The share of one review, empty at first. */
  Share share() {
    return new Share();
  }

  /** Thrown if a review is larger than any may be. */
  static final class TooLargeException extends Exception {
    private static final long serialVersionUID = 1L;

    TooLargeException(String message) {
      super(message);
    }
  }

  /** Thrown if the others have taken so much that nothing is left for this review. */
  static final class ExhaustedException extends Exception {
    private static final long serialVersionUID = 1L;

    ExhaustedException() {
      super("too many large reviews at once; try again");
    }
  }

  /** The share of one review; used by one thread. */
  final class Share implements AutoCloseable {
    private int taken;

    private Share() {}

    /**
     * Reads a body.
     *
     * @param announced the value of Content-Length, if there is one
     */
    byte[] read(InputStream body, @Nullable String announced)
        throws IOException, TooLargeException, ExhaustedException {
      if (announced != null && Long.parseLong(announced) > LONGEST) {
        // Before reading any of it; the server has refused what isn't a number.
        throw tooLong();
      }
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      byte[] piece = new byte[16 << 10];
      for (int count = body.read(piece); count >= 0; count = body.read(piece)) {
        if (read.size() + count > LONGEST) {
          throw tooLong();
        }
        grow(PER_BYTE * ((long) read.size() + count));
        read.write(piece, 0, count);
      }
      byte[] bytes = read.toByteArray();
      grow(PER_BYTE * (long) bytes.length + PER_VALUE * values(bytes));
      return bytes;
    }

    /**
     * The number of values in a JSON text, or more: what separates them may be part of a string.
     */
    private static long values(byte[] json) {
      long values = 1;
      for (byte each : json) {
        if (each == ',' || each == ':' || each == '[' || each == '{') {
          values++;
        }
      }
      return values;
    }

    private static TooLargeException tooLong() {
      return new TooLargeException("reviews are at most " + LONGEST + " bytes long");
    }

    /** Takes more, so that the share is this many bytes. */
    private void grow(long bytes) throws TooLargeException, ExhaustedException {
      long wanted = bytes / UNIT + 1;
      if (wanted > units) {
        throw new TooLargeException(
            String.format(
                Locale.ROOT,
                "the review would take %d MiB of memory, and all together may take %d MiB",
                wanted >> 10,
                units >> 10));
      }
      int more = (int) (wanted - taken);
      try {
        if (more > 0 && !free.tryAcquire(more, PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
          throw new ExhaustedException();
        }
      } catch (InterruptedException e) {
        // The deadline of the request, or the end of the server.
        Thread.currentThread().interrupt();
        throw new ExhaustedException();
      }
      taken += Math.max(more, 0);
    }

    @Override
    public void close() {
      free.release(taken);
      taken = 0;
    }
  }
}
