// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Answers reviews of objects that are nested deeply. An API server stores objects that are nested
 * 10,000 deep, in fields that it doesn't know; copying, comparing and writing such a tree calls
 * itself as often, which takes more stack than a thread has, and a review that fails fails a whole
 * list or every update. So such a review has a thread of its own, with a stack for its depth; one
 * at a time, so that all together take no more memory than one.
 *
 * <p>Rejected: a larger stack for all threads of the server. What a stack has grown to is not given
 * back, and a client chooses how many reviews it sends at once.
 */
final class DeepReviews {
  /** A depth that any thread can handle, and that no object has whose fields are all known. */
  static final int SHALLOW = 255;

  /** Twice what an API server stores, for what surrounds the objects; more is refused. */
  static final int DEEPEST = 20_000;

  /** Bytes of stack for each level: comparing two trees takes three calls, of about 100 bytes. */
  private static final int PER_LEVEL = 2 << 10;

  /** Bytes of stack for everything else. */
  private static final int BASE = 1 << 20;

  private final Semaphore turn = new Semaphore(1, true);

  /**
   * Computes an answer, on a thread of its own if the review needs it.
   *
   * @param depth of the review, see {@link #depth}; at most {@link #DEEPEST}
   * @throws IOException if the thread is interrupted: the request has taken too long. What was
   *     begun is waited for all the same, since its memory is in use until then
   */
  <T> T answer(int depth, Supplier<T> answer) throws IOException {
    if (depth <= SHALLOW) {
      return answer.get();
    }
    FutureTask<T> task = new FutureTask<>(answer::get);
    try {
      turn.acquire();
    } catch (InterruptedException e) {
      throw tooLong();
    }
    boolean interrupted = false;
    try {
      Thread.ofPlatform()
          .daemon()
          .name(Thread.currentThread().getName() + "-deep")
          .stackSize(BASE + (long) PER_LEVEL * depth)
          .start(task);
      interrupted = awaitEnd(task);
    } finally {
      turn.release();
    }
    if (interrupted) {
      throw tooLong();
    }
    try {
      return task.get();
    } catch (InterruptedException e) {
      throw tooLong();
    } catch (ExecutionException e) {
      throw rethrown(Objects.requireNonNull(e.getCause(), "cause"));
    }
  }

  /** Returns whether this thread was interrupted meanwhile. */
  private static boolean awaitEnd(FutureTask<?> task) {
    boolean interrupted = false;
    while (!task.isDone()) {
      try {
        task.get();
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException e) {
        // It has ended; its result is looked at later.
        return interrupted;
      }
    }
    return interrupted;
  }

  private static IOException tooLong() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("the review took too long");
  }

  private static RuntimeException rethrown(Throwable failure) {
    return switch (failure) {
      // It ends the process, as on any other thread.
      case Error error -> throw error;
      case RuntimeException unchecked -> unchecked;
      default -> new IllegalStateException(failure);
    };
  }

  /**
   * How deep the objects and arrays of a JSON text are nested. What isn't quite JSON may be nested
   * deeper: a parser has to be held to this depth.
   */
  static int depth(byte[] json) {
    int depth = 0;
    int deepest = 0;
    boolean quoted = false;
    for (int i = 0; i < json.length; i++) {
      switch (json[i]) {
        case '"' -> quoted = !quoted;
        case '\\' -> i += quoted ? 1 : 0;
        case '{', '[' -> {
          depth += quoted ? 0 : 1;
          deepest = Math.max(deepest, depth);
        }
        case '}', ']' -> depth -= quoted ? 0 : 1;
        default -> {}
      }
    }
    return deepest;
  }
}
