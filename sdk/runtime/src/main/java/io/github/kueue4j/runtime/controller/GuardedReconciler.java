// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.controller;

import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.Latencies;
import io.github.kueue4j.runtime.client.FailedRequest;
import io.github.kueue4j.runtime.client.KubernetesApiException;
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
 * Adapts the reconciler to the extended controller. It never returns null nor throws, because the
 * extended controller would then keep the key marked as "being processed" and never reconcile it
 * again.
 *
 * <p>Every log line of a reconcile contains the controller, the object and the reconcile's number.
 */
final class GuardedReconciler
    implements io.kubernetes.client.extended.controller.reconciler.Reconciler {

  private static final Logger log = LoggerFactory.getLogger(GuardedReconciler.class);

  private final String name;
  private final Reconciler reconciler;
  private final KeyQueue<ObjectKey> queue;
  private final MeterRegistry meters;
  private final FatalErrors fatalErrors;
  private final AtomicLong reconciles = new AtomicLong();

  GuardedReconciler(
      String name,
      Reconciler reconciler,
      KeyQueue<ObjectKey> queue,
      MeterRegistry meters,
      FatalErrors fatalErrors) {
    this.name = name;
    this.reconciler = reconciler;
    this.queue = queue;
    this.meters = meters;
    this.fatalErrors = fatalErrors;
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
    sample.stop(
        Timer.builder("controller.runtime.reconcile.time")
            .tag("controller", name)
            .serviceLevelObjectives(Latencies.buckets())
            .register(meters));
    meters
        .counter("controller.runtime.reconcile", "controller", name, "result", result)
        .increment();
    boolean failed = result.equals("error") || result.equals("conflict");
    // The timers are set already; "requeue" only makes the queue count a failure.
    return new Result(failed);
  }

  // Errors are caught, too: see the class comment.
  @SuppressWarnings("CatchingUnchecked")
  private String outcome(ObjectKey key) {
    try {
      Requeue answer =
          Objects.requireNonNull(
              reconciler.reconcile(key), "the reconciler returned null; return Requeue.never()");
      return requeue(key, answer);
    } catch (KubernetesApiException.Conflict e) {
      log.atDebug()
          .addKeyValue("cause", e.getMessage())
          .log("Conflict: the object changed meanwhile; retrying");
      return "conflict";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.atDebug().log("The reconcile was interrupted");
      return "error";
    } catch (Exception e) {
      queue.delayNextFailure(key, FailedRequest.patience(e));
      log.atWarn()
          .addKeyValue("failures", queue.failures(key) + 1)
          .setCause(e)
          .log("Reconcile failed; retrying");
      return "error";
    } catch (Error e) {
      fatalErrors.report(e);
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
      case Requeue.AtSteady at -> {
        queue.replaceSteadyTimer(key, at.when());
        yield "requeue_after";
      }
    };
  }
}
