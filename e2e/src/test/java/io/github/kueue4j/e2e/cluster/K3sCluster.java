// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import io.github.kueue4j.testdefaults.TestLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.event.Level;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * A k3s cluster in a container. It runs Jobs by itself, with real kubelets, so scenarios leave the
 * simulated world's Jobs out of it.
 */
public final class K3sCluster implements Cluster {
  /** Environment variable that names another image. */
  static final String IMAGE = "KUEUE4J_K3S_IMAGE";

  private static final String DEFAULT_IMAGE = "rancher/k3s:v1.33.5-k3s1";

  private final K3sContainer container;
  private final TemporaryFolder folder;
  private final Path kubeconfig;

  private K3sCluster(K3sContainer container, TemporaryFolder folder, Path kubeconfig) {
    this.container = container;
    this.folder = folder;
    this.kubeconfig = kubeconfig;
  }

  /** Why no cluster of this kind can start here, or empty when one can. */
  public static Optional<String> whyUnavailable() {
    TestLog.possible(
        Level.ERROR,
        "DockerClientProviderStrategy",
        "Could not find a valid Docker environment",
        "the library logs it the first time that it finds none");
    return DockerClientFactory.instance().isDockerAvailable()
        ? Optional.empty()
        : Optional.of("no Docker engine answers");
  }

  public static K3sCluster start() {
    DockerImageName image =
        DockerImageName.parse(Optional.ofNullable(System.getenv(IMAGE)).orElse(DEFAULT_IMAGE))
            .asCompatibleSubstituteFor("rancher/k3s");
    TemporaryFolder folder = TemporaryFolder.create("k3s");
    K3sContainer container = new K3sContainer(image);
    try {
      container.start();
      Path kubeconfig = folder.path().resolve("kubeconfig");
      Files.writeString(kubeconfig, container.getKubeConfigYaml());
      return new K3sCluster(container, folder, kubeconfig);
    } catch (RuntimeException e) {
      container.stop();
      folder.close();
      throw e;
    } catch (IOException e) {
      container.stop();
      folder.close();
      throw new ClusterUnavailable("cannot write the kubeconfig of k3s: " + e.getMessage(), e);
    }
  }

  /** Gives its node an image from a file, as {@code docker save} or the build writes it. */
  public void load(Path image) {
    String inside = "/image.tar";
    container.copyFileToContainer(MountableFile.forHostPath(image), inside);
    try {
      ExecResult imported = container.execInContainer("ctr", "images", "import", inside);
      if (imported.getExitCode() != 0) {
        throw new ClusterUnavailable(
            "k3s does not take the image " + image + ": " + imported.getStderr());
      }
    } catch (IOException e) {
      throw new ClusterUnavailable("cannot load " + image + " into k3s: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterUnavailable("interrupted while " + image + " was loaded into k3s", e);
    }
  }

  @Override
  public String name() {
    return "k3s";
  }

  @Override
  public Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public void close() {
    container.stop();
    folder.close();
  }
}
