// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.architecture.offenders;

import java.util.List;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A planted offender: makes threads in every way that tests may not, one per method, and uses some
 * in ways that they may. It is compiled and never called.
 */
final class ThreadMaker {
  private ThreadMaker() {}

  static ExecutorService executors() {
    return Executors.newVirtualThreadPerTaskExecutor();
  }

  static Thread thread(Runnable task) {
    return new Thread(task);
  }

  static Thread subclass() {
    return new Thread() {};
  }

  static Function<Runnable, Thread> reference() {
    return Thread::new;
  }

  static ThreadFactory virtual() {
    return Thread.ofVirtual().factory();
  }

  static Runnable platformInLambda(Runnable task) {
    return () -> Thread.ofPlatform().start(task);
  }

  static Thread startVirtual(Runnable task) {
    return Thread.startVirtualThread(task);
  }

  static CompletableFuture<Void> async(Runnable task) {
    return CompletableFuture.runAsync(task);
  }

  static CompletionStage<Integer> asyncStage(CompletionStage<Integer> stage) {
    return stage.thenApplyAsync(number -> number + 1);
  }

  static Executor delayed() {
    return CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
  }

  static ForkJoinPool forkJoin() {
    return new ForkJoinPool();
  }

  static ForkJoinPool common() {
    return ForkJoinPool.commonPool();
  }

  static Timer timer() {
    return new Timer();
  }

  static ExecutorService pool() {
    return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
  }

  static ExecutorService scheduled() {
    return new ScheduledThreadPoolExecutor(1);
  }

  static Stream<String> parallelStream(List<String> all) {
    return all.parallelStream();
  }

  static Stream<String> parallel(Stream<String> all) {
    return all.parallel();
  }

  static CompletableFuture<Void> mayUseAnExecutor(Runnable task, Executor actors) {
    return CompletableFuture.runAsync(task, actors);
  }

  static Thread mayAskForItsOwn() {
    return Thread.currentThread();
  }

  static CompletableFuture<Integer> mayGoOn(CompletableFuture<Integer> stage) {
    return stage.thenApply(number -> number + 1);
  }
}
