// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.sdk.program;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.runtime.ProgramStart;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.controller.ProbePort;
import io.github.kueue4j.runtime.http.HttpPortException;
import io.github.kueue4j.runtime.informer.InitialSyncTimeoutException;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.objects.KindNotServedException;
import io.github.kueue4j.sdk.rbac.MissingRightsException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ExitCode;

/**
 * The main method of a check: standard options, logging, an orderly end.
 *
 * <pre>{@code
 * public static void main(String[] arguments) {
 *   CheckProgram.named("license-check", LicenseCheck::controller).runAndExit(arguments);
 * }
 * }</pre>
 *
 * <p>{@code --help} lists the options, see {@link CheckOptions}. The program runs until SIGTERM or
 * SIGINT, as {@link CheckController#runUntilTerminated(Runnable)} says. Its exit status is 0 or 130
 * then, 1 after it has lost its Lease, 2 if it can't start with these options or on this cluster,
 * with one line on standard error that says why, and 3 after an {@link Error}.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class CheckProgram {
  private static final int ENDED = 1;

  private final String name;
  private final Function<CheckEnvironment, CheckController> factory;
  private final @Nullable Object moreOptions;
  private final String lease;

  private CheckProgram(
      String name,
      Function<CheckEnvironment, CheckController> factory,
      @Nullable Object moreOptions,
      String lease) {
    this.name = name;
    this.factory = factory;
    this.moreOptions = moreOptions;
    this.lease = lease;
  }

  /**
   * A program that runs one controller.
   *
   * @param name of the program, for example {@code license-check}: the component of its events and
   *     of the fields that it writes, and the Lease's name
   * @param controller builds the controller, not yet started; called once, after the command line
   *     is read and the cluster has answered
   */
  public static CheckProgram named(
      String name, Function<CheckEnvironment, CheckController> controller) {
    return new CheckProgram(name, controller, null, name);
  }

  /**
   * The same with more options.
   *
   * @param mixin an object with fields or methods that are annotated with picocli's
   *     {@code @Option}; they are set before the controller is built
   */
  public CheckProgram options(Object mixin) {
    return new CheckProgram(name, factory, mixin, lease);
  }

  /** The same with another default for the name of its Lease. */
  public CheckProgram lease(String other) {
    return new CheckProgram(name, factory, moreOptions, other);
  }

  /** Runs and ends the process. Call it on the main thread, as the last thing. */
  public void runAndExit(String... arguments) {
    ProgramStart.prepare();
    System.exit(run(arguments));
  }

  /**
   * Runs until a signal, or until it can't go on.
   *
   * @param arguments the command line
   * @return the exit status; after a signal the process ends by itself
   */
  public int run(String... arguments) {
    return ProgramCommand.of(this).execute(arguments);
  }

  /**
   * Runs with options that are read already.
   *
   * @param out where it says that it has started
   * @return the exit status
   * @throws StartRefusedException if it can't start with these options or on this cluster
   * @throws InterruptedException if the thread is interrupted
   */
  public int run(CheckOptions options, PrintWriter out) throws InterruptedException {
    options.validate();
    ProgramLogging logging = options.logging();
    logging.apply();
    GuardSettings limits = options.limits();
    // A kubelet that asks too early waits for the answer, instead of being refused.
    try (ProbePort probes = options.probePort().map(ProbePort::take).orElse(null);
        ClusterConnection cluster = options.connect(name)) {
      mustServeKueue(cluster);
      CheckEnvironment environment =
          CheckEnvironment.of(cluster)
              .withHosting(
                  host ->
                      options.host(
                          probes == null ? host : host.probePort(probes),
                          new ObjectKey(cluster.namespace(), lease)))
              .withGuards(limits::on);
      environment = options.answersPort().map(environment::withAnswers).orElse(environment);
      try (CheckController controller = controller(environment)) {
        CheckController.Ending ending =
            controller.runUntilTerminated(() -> sayStarted(cluster.server(), logging, out));
        return ending == CheckController.Ending.LEASE_LOST ? ENDED : ExitCode.OK;
      }
    } catch (HttpPortException e) {
      throw new StartRefusedException(
          e.getMessage() + " (--http-port, --metrics-port, --answers-port)", e);
    } catch (InvalidGuardSettingException
        | InitialSyncTimeoutException
        | KindNotServedException
        | MissingRightsException e) {
      throw StartRefusedException.of(e);
    }
  }

  /** The controller; the refusal of its builder is one line, too. */
  private CheckController controller(CheckEnvironment environment) {
    try {
      return factory.apply(environment);
    } catch (IllegalArgumentException | IllegalStateException | KubernetesApiException e) {
      throw StartRefusedException.of(e);
    }
  }

  /** The program's name. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public String name() {
    return name;
  }

  /** The options that it has besides {@link CheckOptions}. */
  @API(status = API.Status.INTERNAL, since = "0.1")
  public Optional<Object> moreOptions() {
    return Optional.ofNullable(moreOptions);
  }

  /** A line for people, which isn't in the log's form; machines get one that is. */
  private void sayStarted(URI server, ProgramLogging logging, PrintWriter out) {
    if (logging.format() == LogFormat.TEXT) {
      out.println(name + " is running on " + server + "; Ctrl-C ends it");
      out.flush();
    } else {
      LoggerFactory.getLogger(CheckProgram.class)
          .atInfo()
          .addKeyValue("program", name)
          .addKeyValue("server", server)
          .log("Running");
    }
  }

  private static void mustServeKueue(ClusterConnection cluster) {
    if (!servesKueue(cluster.api())) {
      throw new StartRefusedException(
          "the cluster at %s does not serve %s; install kueue-core or another implementation of that API first"
              .formatted(cluster.server(), KueueTypes.GROUP),
          null);
    }
  }

  private static boolean servesKueue(KubernetesApi api) {
    try {
      return KueueTypes.VERSIONS.stream()
          .anyMatch(version -> api.serves(KueueTypes.WORKLOAD.inVersion(version)));
    } catch (KubernetesApiException e) {
      throw StartRefusedException.of(e);
    }
  }
}
