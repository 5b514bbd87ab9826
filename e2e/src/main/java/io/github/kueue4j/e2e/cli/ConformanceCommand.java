// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.Crds;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.cli.Converters;
import io.github.kueue4j.cli.ExitStatus;
import io.github.kueue4j.cli.Launcher;
import io.github.kueue4j.cli.Logging;
import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.sdk.program.ClusterOptions;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import io.github.kueue4j.testkit.client.UnreachableServerException;
import io.github.kueue4j.testkit.conformance.Conformance;
import io.github.kueue4j.testkit.conformance.ConformanceException;
import io.github.kueue4j.testkit.conformance.ConformanceReport;
import io.github.kueue4j.testkit.conformance.ControllerProxy;
import io.github.kueue4j.testkit.script.StepFailedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./kueue4j conformance}: which rules a check controller breaks. */
@Command(
    name = "conformance",
    description = {
      "Brings an admission check controller, in any language, into the situations that matter, over"
          + " the API alone, and reports which rules it breaks.",
      "It plays Kueue's part itself: no core may run on the cluster meanwhile. What it makes (an"
          + " AdmissionCheck, a ResourceFlavor, a namespace with Workloads) has names of its own and"
          + " is taken away in the end."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, "1:at least one rule is broken", ExitStatus.USER_ERROR})
final class ConformanceCommand implements Callable<Integer> {
  /** How the report is printed. */
  enum Format {
    TEXT,
    JSON
  }

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--controller-name",
      required = true,
      paramLabel = "NAME",
      description = "spec.controllerName of its checks, such as example.com/x")
  private String controllerName = "";

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--embedded",
      description =
          "no cluster at hand: use an embedded API server of the kit's own; with COMMAND or"
              + " --proxy-kubeconfig")
  private boolean embedded;

  @Option(
      names = "--apply",
      paramLabel = "FILE",
      description = "with --embedded: objects (YAML) that the controller needs")
  private @Nullable Path objects;

  @Parameters(
      arity = "0..*",
      paramLabel = "-- COMMAND",
      description =
          "starts the controller, with KUBECONFIG set to the kit's proxy, and KUEUE4J_SERVER to its"
              + " URL, which needs no credentials; it is also restarted. Its output goes to stderr")
  private List<String> command = new ArrayList<>();

  @Option(
      names = "--proxy-kubeconfig",
      paramLabel = "FILE",
      description =
          "write a kubeconfig of the kit's proxy here, for a controller that you start; without a"
              + " proxy the rules about late and concurrent writes can't be tried")
  private @Nullable Path proxyKubeconfig;

  @Option(
      names = "--workload",
      paramLabel = "FILE",
      description =
          "a Workload (YAML) that the controller accepts, with its spec, labels and annotations"
              + " (default: one pod with one cpu)")
  private @Nullable Path workload;

  @Option(
      names = "--parameters",
      paramLabel = "GROUP/KIND/NAME",
      description = "what the AdmissionCheck refers to; the object must exist")
  private @Nullable String parameters;

  @Option(
      names = "--quiet",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "how long silence must last to count as silence (default: 2s)")
  private Duration quiet = Duration.ofSeconds(2);

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      converter = Converters.PositiveDuration.class,
      description = "how long the controller may take for an answer (default: 30s)")
  private Duration patience = Duration.ofSeconds(30);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text or json (default: text)")
  private Format format = Format.TEXT;

  @Mixin private ReportFiles files = new ReportFiles();

  @Option(
      names = "--revoke",
      paramLabel = "COMMAND",
      description =
          "a line for sh that withdraws what made the controller say Ready, run at the end; the"
              + " controller may then say Retry or Rejected about a Workload that runs")
  private @Nullable String revoke;

  @Override
  public Integer call() {
    Logging.quiet();
    files.requireFolders();
    if (objects != null && !embedded) {
      throw new UserError("--apply goes with --embedded; on a cluster, apply objects with kubectl");
    }
    if (!embedded) {
      try (JsonApi api = api()) {
        return judge(api);
      }
    }
    refuseOtherServers();
    if (command.isEmpty() && proxyKubeconfig == null) {
      throw new UserError("--embedded needs a COMMAND after --, or --proxy-kubeconfig FILE");
    }
    List<String> definitions = new ArrayList<>(Crds.kueue());
    definitions.addAll(Crds.external());
    try (EmbeddedApiServer server = EmbeddedApiServer.builder().objects(definitions).start();
        JsonApi api = JsonApi.at(server.uri())) {
      if (objects != null) {
        apply(server, objects);
      }
      return judge(api);
    }
  }

  private void refuseOtherServers() {
    for (String option : List.of("--kubeconfig", "--context", "--server")) {
      if (Objects.requireNonNull(spec).commandLine().getParseResult().hasMatchedOption(option)) {
        throw new UserError("--embedded starts a server of its own; leave out " + option);
      }
    }
  }

  /** A connection that parses nothing, as the kit needs it. */
  private JsonApi api() {
    Optional<URI> server = cluster.server();
    if (server.isPresent()) {
      return JsonApi.at(server.get());
    }
    Path kubeconfig =
        cluster
            .kubeconfig()
            .orElseThrow(
                () ->
                    new UserError(
                        "no kubeconfig found; choose a cluster with --kubeconfig or --server"));
    try {
      return JsonApi.of(kubeconfig, cluster.context().orElse(null));
    } catch (UnreachableServerException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private static void apply(EmbeddedApiServer server, Path file) {
    try {
      server.apply(Files.readString(file));
    } catch (IOException e) {
      throw new UserError("can't read " + file + ": " + e, e);
    } catch (IllegalArgumentException e) {
      throw new UserError(file + ": " + e.getMessage(), e);
    }
  }

  private int judge(JsonApi api) {
    try (TimeSource time = TimeSource.system()) {
      if (api.get(KueueTypes.WORKLOAD.path()).isEmpty()) {
        throw new UserError(
            "the cluster at %s does not serve %s; install the CRDs with '%s core --install-crds', then stop that core"
                .formatted(api.server(), KueueTypes.WORKLOAD.apiVersion(), Launcher.command()));
      }
      Conformance conformance =
          Conformance.of(controllerName, api, time, RandomGenerator.getDefault())
              .quiet(quiet)
              .patience(patience)
              .progress(step -> err().println("conformance: " + step + " ..."));
      if (workload != null) {
        conformance.workload(read(workload));
      }
      if (parameters != null) {
        refer(conformance, parameters);
      }
      if (revoke != null) {
        conformance.revocation(new ShellLine(revoke, err()));
      }
      ConformanceReport report = run(conformance, api);
      files.write(report);
      PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
      out.print(format == Format.JSON ? report.toJson() : report.toText());
      out.flush();
      return report.broken().isEmpty() ? 0 : 1;
    } catch (ConformanceException | UnreachableServerException | UncheckedIOException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (StepFailedException e) {
      throw new UserError("the run came to a halt: " + e.getMessage(), e);
    } catch (RefusedRequestException e) {
      throw new UserError(
          e.getMessage() + "; the kit needs every right on namespaces and kueue.x-k8s.io objects",
          e);
    }
  }

  private ConformanceReport run(Conformance conformance, JsonApi api) {
    if (command.isEmpty() && proxyKubeconfig == null) {
      return conformance.run();
    }
    if (proxyKubeconfig != null) {
      return run(conformance, api, proxyKubeconfig);
    }
    try {
      Path own = Files.createTempFile("kueue4j-conformance-", ".kubeconfig");
      try {
        return run(conformance, api, own);
      } finally {
        Files.deleteIfExists(own);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't keep a file for the proxy's kubeconfig", e);
    }
  }

  private ConformanceReport run(Conformance conformance, JsonApi api, Path kubeconfig) {
    try (ControllerProxy proxy = ControllerProxy.before(api);
        ControllerCommand controller =
            new ControllerCommand(command, proxy.uri(), proxy.kubeconfig(kubeconfig), err())) {
      conformance.proxy(proxy);
      if (command.isEmpty()) {
        err()
            .println(
                "conformance: start the controller with KUBECONFIG=" + controller.kubeconfig());
      } else {
        controller.start();
        conformance.restart(controller);
      }
      ConformanceReport report = conformance.run();
      if (!controller.ended().isEmpty()) {
        err().println(controller.ended());
      }
      return report;
    }
  }

  private PrintWriter err() {
    return Objects.requireNonNull(spec).commandLine().getErr();
  }

  private static void refer(Conformance conformance, String reference) {
    String[] parts = reference.split("/", -1);
    if (parts.length != 3 || List.of(parts).contains("")) {
      throw new UserError(
          "--parameters is GROUP/KIND/NAME, such as"
              + " kueue.x-k8s.io/ProvisioningRequestConfig/spot, but was "
              + reference);
    }
    conformance.parameters(parts[0], parts[1], parts[2]);
  }

  private static ObjectNode read(Path file) {
    try {
      Object tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
      if (new ObjectMapper().valueToTree(tree) instanceof ObjectNode object
          && object.path("kind").asText().equals("Workload")
          && object.has("spec")) {
        return object;
      }
      throw new UserError(file + " is no Workload with a spec");
    } catch (IOException e) {
      throw new UserError("can't read " + file + ": " + e, e);
    } catch (YAMLException e) {
      throw new UserError(file + " is no YAML: " + e.getMessage(), e);
    }
  }
}
