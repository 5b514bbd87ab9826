// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.apiserver.EmbeddedApiServer;
import io.github.kueue4j.e2e.release.MachineRepository;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.sdk.Check;
import io.github.kueue4j.testdefaults.Checkout;
import io.github.kueue4j.testkit.script.KueueCluster;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * A local Maven repository of a third party that has installed this build's artifacts: the poms as
 * they are, the jars of the classes under test, and everything else from this machine's repository.
 */
final class StagedArtifacts {
  private static final String VERSION = "0.1.0-SNAPSHOT";
  private static final Path GROUP = Path.of("io", "github", "kueue4j");

  private StagedArtifacts() {}

  /** Makes one in this folder. */
  static void in(Path folder) throws IOException, URISyntaxException {
    Path ours = folder.resolve(GROUP);
    MachineRepository.linkInto(folder);
    Path root = Checkout.root();
    pom(ours, "kueue4j-parent", root.resolve("pom.xml"));
    pom(ours, "kueue4j-bom", root.resolve("bom/pom.xml"));
    jar(ours, "kueue4j-api", root.resolve("sdk/api"), KueueTypes.class);
    jar(ours, "kueue4j-runtime", root.resolve("sdk/runtime"), ClusterConnection.class);
    jar(ours, "kueue4j-sdk", root.resolve("sdk/admission-check"), Check.class);
    jar(ours, "kueue4j-apiserver", root.resolve("sdk/apiserver"), EmbeddedApiServer.class);
    jar(ours, "kueue4j-testkit", root.resolve("sdk/testkit"), KueueCluster.class);
  }

  private static void pom(Path group, String artifact, Path pom) throws IOException {
    Path folder = Files.createDirectories(group.resolve(artifact).resolve(VERSION));
    Files.copy(pom, folder.resolve(artifact + "-" + VERSION + ".pom"));
  }

  private static void jar(Path group, String artifact, Path module, Class<?> one)
      throws IOException, URISyntaxException {
    pom(group, artifact, module.resolve("pom.xml"));
    Path jar = group.resolve(artifact).resolve(VERSION).resolve(artifact + "-" + VERSION + ".jar");
    Path classes = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isRegularFile(classes)) {
      Files.copy(classes, jar);
      return;
    }
    List<String> arguments =
        List.of("--create", "--file", jar.toString(), "-C", classes.toString(), ".");
    int status =
        ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(System.out, System.err, arguments.toArray(String[]::new));
    assertThat(status).as("jar " + arguments).isZero();
  }
}
