// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.script;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ResourceType;
import io.github.kueue4j.api.ServerProgram;
import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.apiserver.access.User;
import io.github.kueue4j.apiserver.traffic.ApiRequest;
import io.github.kueue4j.apiserver.traffic.Faults;
import io.github.kueue4j.apiserver.traffic.RequestMatcher;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.tree.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * All that a test of a check needs: an embedded API server that serves Kueue's kinds, a clock, and
 * a script that plays Kueue's part. {@link #close} ends what was {@link #run} on it, then the rest.
 *
 * @see io.github.kueue4j.testkit.junit.KueueTest
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class KueueCluster implements AutoCloseable {
  private static final int REMEMBERED_REQUESTS = 30;

  private final TimeSource time;
  private final Deque<ApiRequest> lastRequests = new ArrayDeque<>();
  private final EmbeddedApiServer server;
  private final KueueScript script;
  private final List<RunningController> controllers = new ArrayList<>();
  private final List<Path> files = new ArrayList<>();
  private @Nullable Path kubeconfig;

  private KueueCluster(TimeSource time, Duration patience, boolean secure) {
    this.time = time;
    List<String> definitions = new ArrayList<>(Crds.kueue());
    definitions.addAll(Crds.external());
    EmbeddedApiServer.Builder builder =
        EmbeddedApiServer.builder().clock(time).objects(definitions).onRequest(this::remember);
    this.server = (secure ? builder.secure() : builder).start();
    this.script = KueueScript.on(server, time, patience);
  }

  /**
   * A cluster in virtual time, which stands still at {@value ManualTime#DEFAULT_START} until the
   * test, or a step of it, advances it.
   */
  public static KueueCluster inVirtualTime() {
    return of(ManualTime.create(), KueueScript.Builder.PATIENCE);
  }

  /** A cluster that goes by the machine's clock. */
  public static KueueCluster inRealTime() {
    return of(TimeSource.system(), KueueScript.Builder.PATIENCE);
  }

  /**
   * A cluster that goes by this clock.
   *
   * @param time closed with the cluster
   * @param patience how long, in real time, a step of the script waits for what it needs; positive
   */
  public static KueueCluster of(TimeSource time, Duration patience) {
    return new KueueCluster(time, patience, false);
  }

  /** The same with an HTTPS port, where accounts have the rights that roles grant them. */
  public static KueueCluster secure(TimeSource time, Duration patience) {
    return new KueueCluster(time, patience, true);
  }

  /** The API server's base URL. */
  public URI uri() {
    return server.uri();
  }

  /** A file with a kubeconfig, for controllers in other processes; deleted with the cluster. */
  public synchronized Path kubeconfig() {
    if (kubeconfig == null) {
      kubeconfig = server.kubeconfig(file());
    }
    return kubeconfig;
  }

  /**
   * A file with a kubeconfig of this account, which has the rights that {@link #apply applied}
   * roles grant it; deleted with the cluster. For a controller under its own rights: {@code
   * CheckStarter.of(...).withKubeconfig(file)}.
   *
   * @throws IllegalStateException if the cluster is not {@link #secure}
   */
  public synchronized Path kubeconfig(User account) {
    return server.kubeconfig(file(), account);
  }

  private Path file() {
    try {
      Path file = Files.createTempFile("kueue4j-", ".kubeconfig");
      files.add(file);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("can't make a file for the kubeconfig", e);
    }
  }

  /** Creates or replaces objects, see {@link EmbeddedApiServer#apply}. */
  public KueueCluster apply(String yaml) {
    server.apply(yaml);
    return this;
  }

  /** The clock of the server and the script; give it to the controller under test too. */
  public TimeSource time() {
    return time;
  }

  /**
   * Lets virtual time pass.
   *
   * @throws IllegalStateException if the cluster goes by the machine's clock
   */
  public KueueCluster advance(Duration duration) {
    if (!(time instanceof ManualTime manual)) {
      throw new IllegalStateException(
          "the machine's clock can't be advanced; use virtual time for that");
    }
    manual.advance(duration);
    return this;
  }

  /**
   * Lets virtual time pass step by step until the condition holds. For what depends on a timer that
   * a controller sets after it has written: one single {@link #advance} may come before the timer,
   * which then waits for another.
   *
   * @param what for the message of the exception
   * @throws StepFailedException if it doesn't hold within the script's patience of real time
   * @throws IllegalStateException if the cluster goes by the machine's clock
   */
  public KueueCluster advanceUntil(Duration step, String what, BooleanSupplier condition) {
    script.await(
        what,
        () -> "as follows. " + describe(),
        () -> {
          if (condition.getAsBoolean()) {
            return Optional.of(true);
          }
          advance(step);
          return Optional.empty();
        });
    return this;
  }

  public EmbeddedApiServer server() {
    return server;
  }

  /** Plays Kueue's part. */
  public KueueScript script() {
    return script;
  }

  /** See {@link KueueScript#admissionCheck(String, String)}. */
  public KueueCluster admissionCheck(String name, String controllerName) {
    script.admissionCheck(name, controllerName);
    return this;
  }

  /** See {@link KueueScript#admissionCheck(String, String, String, String, String)}. */
  public KueueCluster admissionCheck(
      String name, String controllerName, String apiGroup, String kind, String parametersName) {
    script.admissionCheck(name, controllerName, apiGroup, kind, parametersName);
    return this;
  }

  /** See {@link KueueScript#workload(String)}. */
  public PlayedWorkload workload(String name) {
    return script.workload(name);
  }

  /** See {@link KueueScript#workload(String, Map)}. */
  public PlayedWorkload workload(String name, Map<String, String> labels) {
    return script.workload(name, labels);
  }

  /** See {@link KueueScript#workload(String, Consumer)}. */
  public PlayedWorkload workload(String name, Consumer<WorkloadShape> shape) {
    return script.workload(name, shape);
  }

  /** Starts something and returns what ends it. */
  @API(status = API.Status.EXPERIMENTAL, since = "0.1")
  @FunctionalInterface
  public interface Starter {
    AutoCloseable start() throws Exception;
  }

  /**
   * Starts a controller, which can be restarted and ends with the cluster.
   *
   * @throws IllegalStateException if it doesn't start
   */
  public RunningController run(Starter starter) {
    RunningController controller = new RunningController(starter);
    controller.start();
    controllers.add(controller);
    return controller;
  }

  /**
   * Starts a program on this cluster and by its clock, such as a check controller with the SDK's
   * {@code CheckStarter}. It can be restarted and ends with the cluster.
   *
   * @throws IllegalStateException if it doesn't start
   */
  public RunningController run(ServerProgram program) {
    return run(() -> program.start(uri(), time));
  }

  /**
   * Withholds the changes of Workloads from all clients until the result is closed: watches stay
   * open and silent, then go on where they stopped. Meanwhile controllers act on an old state.
   */
  public AutoCloseable staleWatches() {
    RequestMatcher watches =
        RequestMatcher.verbs("watch").and(RequestMatcher.resource(KueueTypes.WORKLOAD.plural()));
    RequestMatcher others = RequestMatcher.userAgent(JsonApi.USER_AGENT).negate();
    return server.faults().silenceWatches(watches.and(others));
  }

  /** Other ways to disturb controllers. */
  public Faults faults() {
    return server.faults();
  }

  private void remember(ApiRequest request) {
    if (request.userAgent().startsWith(JsonApi.USER_AGENT)) {
      return;
    }
    synchronized (lastRequests) {
      if (lastRequests.size() == REMEMBERED_REQUESTS) {
        lastRequests.removeFirst();
      }
      lastRequests.addLast(request);
    }
  }

  /** The objects of Kueue's kinds and the last requests of controllers: what a failure is about. */
  public String describe() {
    StringBuilder text = new StringBuilder("It is ").append(time.instant()).append(".\n");
    try (JsonApi api = JsonApi.at(server.uri())) {
      for (ResourceType<?> type : KueueTypes.ALL) {
        api.get(type.path())
            .ifPresent(list -> list.path("items").forEach(item -> append(text, type, item)));
      }
    }
    text.append("The last requests of controllers:\n");
    synchronized (lastRequests) {
      for (ApiRequest request : lastRequests) {
        text.append("  ").append(request.userAgent()).append(": ").append(request.verb());
        text.append(' ').append(request.path()).append('\n');
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, ResourceType<?> type, JsonNode item) {
    ObjectNode object = item.deepCopy();
    Trees.metadata(object).remove(List.of("managedFields", "uid"));
    object.remove(List.of("apiVersion", "kind"));
    text.append(type.kind()).append(' ').append(Trees.name(object)).append(":\n");
    object
        .properties()
        .forEach(
            field ->
                text.append("  ")
                    .append(field.getKey())
                    .append(": ")
                    .append(field.getValue())
                    .append('\n'));
  }

  @Override
  public void close() {
    for (RunningController controller : controllers.reversed()) {
      controller.stop();
    }
    script.close();
    server.close();
    time.close();
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new UncheckedIOException("can't delete the kubeconfig " + file, e);
      }
    }
  }
}
