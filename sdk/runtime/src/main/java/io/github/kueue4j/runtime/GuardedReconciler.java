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
package io.github.kueue4j.runtime;

import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.extended.controller.reconciler.Request;
import io.kubernetes.client.extended.controller.reconciler.Result;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Calls the reconciler for the extended controller and never returns null nor throws: either would
 * keep the key marked as "being processed" for ever, so that it is never reconciled again.
 *
 * <p>Every log line of a reconcile carries the controller, the object and the reconcile's number.
 */
final class GuardedReconciler
    implements io.kubernetes.client.extended.controller.reconciler.Reconciler {

  private static final Logger log = LoggerFactory.getLogger(GuardedReconciler.class);

  private final String name;
  private final Reconciler reconciler;
  private final KeyQueue<ObjectKey> queue;
  private final MeterRegistry meters;
  private final AtomicLong reconciles = new AtomicLong();

  GuardedReconciler(
      String name, Reconciler reconciler, KeyQueue<ObjectKey> queue, MeterRegistry meters) {
    this.name = name;
    this.reconciler = reconciler;
    this.queue = queue;
    this.meters = meters;
  }

  @Override
  public Result reconcile(Request request) {
    ObjectKey key = RequestQueue.key(request);
    MDC.put("controller", name);
    MDC.put("object", key.toString());
    MDC.put("reconcile", name + '-' + reconciles.incrementAndGet());
    try {
      return timed(key);
    } finally {
      MDC.remove("controller");
      MDC.remove("object");
      MDC.remove("reconcile");
    }
  }

  private Result timed(ObjectKey key) {
    Timer.Sample sample = Timer.start(meters);
    String result = outcome(key);
    sample.stop(meters.timer("controller.runtime.reconcile.time", "controller", name));
    meters
        .counter("controller.runtime.reconcile", "controller", name, "result", result)
        .increment();
    boolean failed = result.equals("error") || result.equals("conflict");
    // Timers are set already; "requeue" only means "count a failure" here.
    return new Result(failed);
  }

  // Errors are caught too: one that escapes would poison its key (see above).
  @SuppressWarnings("CatchingUnchecked")
  private String outcome(ObjectKey key) {
    try {
      Requeue answer =
          Objects.requireNonNull(
              reconciler.reconcile(key), "the reconciler returned null; return Requeue.never()");
      return requeue(key, answer);
    } catch (KubernetesApiException.Conflict e) {
      log.atDebug().addKeyValue("cause", e.getMessage()).log("The object changed meanwhile");
      return "conflict";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.atDebug().log("The reconcile was interrupted");
      return "error";
    } catch (Exception e) {
      queue.holdBack(key, HttpApi.patience(e));
      log.atWarn()
          .addKeyValue("failures", queue.failures(key) + 1)
          .setCause(e)
          .log("Reconciling failed; it will be tried again");
      return "error";
    } catch (Error e) {
      log.atError().setCause(e).log("Reconciling failed badly; it will be tried again");
      return "error";
    }
  }

  private String requeue(ObjectKey key, Requeue answer) {
    return switch (answer) {
      case Requeue.Never never -> {
        queue.cancelTimer(key);
        yield "success";
      }
      case Requeue.After after -> {
        queue.replaceTimerAfter(key, after.delay());
        yield "requeue_after";
      }
      case Requeue.At at -> {
        queue.replaceTimer(key, at.when());
        yield "requeue_after";
      }
    };
  }
}
