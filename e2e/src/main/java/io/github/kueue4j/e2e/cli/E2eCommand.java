// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.cli.ExitStatus;
import io.github.kueue4j.cli.Logging;
import io.github.kueue4j.cli.UserError;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import io.github.kueue4j.testkit.client.UnreachableServerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./kueue4j e2e}: whether core and checks do on a cluster what they shall. */
@Command(
    name = "e2e",
    description = {
      "Installs both charts into a cluster, runs Jobs there with real pods, and prints for each story"
          + " how it went, how long it took and what it saw; then removes everything. It takes about"
          + " ten minutes.",
      "The cluster must be free of Kueue: the definitions of kueue.x-k8s.io are installed and removed,"
          + " too. Namespaces begin with kueue4j-e2e-; one node gets a resource that doesn't exist"
          + " for the time of a story. Its clock and this machine's must agree to the second."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, "1:at least one story failed", ExitStatus.USER_ERROR})
final class E2eCommand implements Callable<Integer> {
  private static final String TEST = "io.github.kueue4j.e2e.stories.StoriesOnClusterTest";
  private static final int MINOR = 30;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--kubeconfig",
      required = true,
      paramLabel = "FILE",
      description = "the cluster, by its current context, with the rights of an administrator")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--image",
      paramLabel = "NAME:TAG",
      description =
          "of core and checks; the nodes have it or can pull it (default: the charts' own)")
  private @Nullable String image;

  @Option(
      names = "--job-image",
      paramLabel = "NAME:TAG",
      description = "of Jobs' pods, with busybox' sh and httpd (default: busybox:1)")
  private String jobImage = "busybox:1";

  @ArgGroup(exclusive = false)
  private @Nullable NodeLoss nodeLoss;

  @Option(
      names = "--keep",
      description = "leave everything in the cluster; the next run removes it first")
  private boolean keep;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "also write the result to this file as JUnit's XML, for build servers")
  private @Nullable Path junit;

  /** All three, or none. */
  static final class NodeLoss {
    @Option(
        names = "--lost-node",
        required = true,
        paramLabel = "NODE",
        description = "a node that may be lost for a minute; core and checks should be on another")
    private String node = "";

    @Option(
        names = "--lose-node",
        required = true,
        paramLabel = "COMMAND",
        description =
            "a line for sh that stops its kubelet, such as 'ssh n2 systemctl stop kubelet'")
    private String lose = "";

    @Option(
        names = "--bring-node-back",
        required = true,
        paramLabel = "COMMAND",
        description = "a line for sh that starts it again")
    private String bringBack = "";
  }

  @Override
  public Integer call() throws InterruptedException {
    Logging.quiet();
    Path file = Objects.requireNonNull(kubeconfig).toAbsolutePath();
    requireUsable(file);
    if (junit != null) {
      ReportFiles.requireFolder("--junit", junit);
    }
    int status = run(arguments(file));
    if (junit != null) {
      copyReport(junit);
    }
    return status == 0 ? 0 : 1;
  }

  /** Says at once what would otherwise show after a minute of compiling. */
  private void requireUsable(Path file) {
    try (JsonApi api = JsonApi.of(file)) {
      JsonNode version = api.get("/version").orElseThrow();
      int minor = Integer.parseInt("0" + version.path("minor").asText().replaceAll("[^0-9].*", ""));
      if (version.path("major").asText().equals("1") && minor < MINOR) {
        throw new UserError(
            "the cluster at %s is Kubernetes %s; the charts need 1.%s or newer"
                .formatted(api.server(), version.path("gitVersion").asText(), MINOR));
      }
      JsonNode nodes = api.get("/api/v1/nodes").orElseThrow().path("items");
      if (nodes.isEmpty()) {
        throw new UserError("the cluster at " + api.server() + " has no nodes to run pods on");
      }
      Objects.requireNonNull(spec)
          .commandLine()
          .getErr()
          .println(
              "e2e: "
                  + api.server()
                  + ", Kubernetes "
                  + version.path("gitVersion").asText()
                  + ", "
                  + nodes.size()
                  + (nodes.size() == 1 ? " node" : " nodes"));
    } catch (UnreachableServerException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    } catch (RefusedRequestException e) {
      throw new UserError(e.getMessage() + "; the rights of an administrator are needed", e);
    }
  }

  private List<String> arguments(Path file) {
    List<String> arguments = new ArrayList<>();
    arguments.add(Home.folder().resolve("mvnw").toString());
    arguments.addAll(List.of("-B", "-q", "-Pcluster", "-pl", "e2e", "-am", "test"));
    arguments.add("-Dkueue4j.kubeconfig=" + file);
    arguments.add("-Dkueue4j.jobImage=" + jobImage);
    if (image != null) {
      if (image.lastIndexOf(':') <= image.lastIndexOf('/')) {
        throw new UserError("--image " + image + " has no tag, such as " + image + ":0.1.0");
      }
      arguments.add("-Dkueue4j.image=" + image);
    }
    if (nodeLoss != null) {
      arguments.add("-Dkueue4j.lostNode=" + nodeLoss.node);
      arguments.add("-Dkueue4j.loseNode=" + nodeLoss.lose);
      arguments.add("-Dkueue4j.bringNodeBack=" + nodeLoss.bringBack);
    }
    if (keep) {
      arguments.add("-Dkueue4j.keep=true");
    }
    return arguments;
  }

  private static int run(List<String> command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
          .directory(Home.folder().toFile())
          .inheritIO()
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UserError("can't run " + command.getFirst() + ": " + e.getMessage(), e);
    }
  }

  private static void copyReport(Path to) {
    Path from =
        Home.folder().resolve("e2e/target/surefire-reports").resolve("TEST-" + TEST + ".xml");
    try {
      Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UserError("can't write --junit " + to + ": " + e, e);
    }
  }
}
