// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A real control plane without nodes: {@code etcd} and {@code kube-apiserver} from the folder that
 * the environment variable {@code KUBEBUILDER_ASSETS} names, on free loopback ports. If the folder
 * has a {@code kube-controller-manager}, too, what has lost its owner is collected, and namespaces
 * end; Jobs run only where that was asked for, for otherwise the simulated world runs them.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class BinariesCluster implements Cluster {
  /** Environment variable that names the folder with the binaries. */
  public static final String ASSETS = "KUBEBUILDER_ASSETS";

  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration CALL = Duration.ofSeconds(2);
  private static final String CONTROLLER_MANAGER = "kube-controller-manager";

  /** Nothing of it gets in the simulated world's way. */
  private static final List<String> HOUSEKEEPING = List.of("garbagecollector", "namespace");

  private static final String TOKEN = "kueue4j-e2e";

  private final TemporaryFolder folder;
  private final LocalProcess etcd;
  private final LocalProcess apiServer;
  private final @Nullable LocalProcess controllers;
  private final Path kubeconfig;

  private BinariesCluster(
      TemporaryFolder folder,
      LocalProcess etcd,
      LocalProcess apiServer,
      @Nullable LocalProcess controllers,
      Path kubeconfig) {
    this.folder = folder;
    this.etcd = etcd;
    this.apiServer = apiServer;
    this.controllers = controllers;
    this.kubeconfig = kubeconfig;
  }

  /** Why no cluster of this kind can start here, or empty when one can. */
  public static Optional<String> whyUnavailable(Optional<String> assets) {
    if (assets.isEmpty() || assets.get().isBlank()) {
      return Optional.of(
          ASSETS + " is not set; it should name a folder with etcd and kube-apiserver");
    }
    return whyUnavailable(Path.of(assets.get()), List.of("etcd", "kube-apiserver"));
  }

  /** Why no cluster whose garbage is collected can start here, or empty when one can. */
  public static Optional<String> whyWithoutControllers(Path assets) {
    return whyUnavailable(assets, List.of(CONTROLLER_MANAGER));
  }

  private static Optional<String> whyUnavailable(Path folder, List<String> programs) {
    for (String program : programs) {
      if (!Files.isExecutable(folder.resolve(program))) {
        return Optional.of(ASSETS + "=" + folder + " has no executable " + program);
      }
    }
    return Optional.empty();
  }

  /**
   * Starts both processes and waits until the API answers as ready.
   *
   * @throws ClusterUnavailable when a program is missing, ends early or isn't ready within a minute
   */
  public static BinariesCluster start(Path assets) {
    return start(assets, HOUSEKEEPING);
  }

  /**
   * Starts all processes, with a controller manager that runs objects of some kinds: it creates
   * their pods and follows what is written into the pods' statuses. No kubelet starts the pods.
   *
   * @param controllers further ones of the controller manager, such as {@code job}
   * @throws ClusterUnavailable when a program is missing, ends early or isn't ready within a minute
   */
  public static BinariesCluster startWith(Path assets, List<String> controllers) {
    List<String> all = new ArrayList<>(HOUSEKEEPING);
    all.addAll(controllers);
    return start(assets, all);
  }

  private static BinariesCluster start(Path assets, List<String> controllers) {
    TemporaryFolder folder = TemporaryFolder.create("binaries");
    LocalProcess etcd = null;
    LocalProcess apiServer = null;
    LocalProcess manager = null;
    try {
      int etcdPort = LocalProcess.freePort();
      etcd = startEtcd(assets.resolve("etcd"), folder.path(), etcdPort);
      int port = LocalProcess.freePort();
      apiServer = startApiServer(assets.resolve("kube-apiserver"), folder.path(), etcdPort, port);
      Path certificate = folder.path().resolve("certs").resolve("apiserver.crt");
      apiServer.awaitReady(START, () -> answers(port, certificate));
      Path kubeconfig = writeKubeconfig(folder.path(), port, certificate);
      if (whyWithoutControllers(assets).isEmpty()) {
        manager =
            startControllers(
                assets.resolve(CONTROLLER_MANAGER), folder.path(), kubeconfig, controllers);
      }
      return new BinariesCluster(folder, etcd, apiServer, manager, kubeconfig);
    } catch (RuntimeException e) {
      closeAll(manager, apiServer, etcd, folder);
      throw e;
    } catch (IOException | GeneralSecurityException e) {
      closeAll(manager, apiServer, etcd, folder);
      throw new ClusterUnavailable("cannot prepare a control plane: " + e.getMessage(), e);
    }
  }

  /** Starts etcd alone and waits until it answers as healthy. */
  static LocalProcess startEtcd(Path program, Path folder, int port) {
    String clients = "http://127.0.0.1:" + port;
    String peers = "http://127.0.0.1:" + LocalProcess.freePort();
    LocalProcess etcd =
        LocalProcess.start(
            "etcd",
            folder,
            List.of(
                program.toString(),
                "--name=e2e",
                "--data-dir=" + folder.resolve("etcd"),
                "--listen-client-urls=" + clients,
                "--advertise-client-urls=" + clients,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=e2e=" + peers));
    try (HttpClient http = HttpClient.newBuilder().connectTimeout(CALL).build()) {
      etcd.awaitReady(START, () -> isOk(http, URI.create(clients + "/health")));
      return etcd;
    } catch (RuntimeException e) {
      etcd.close();
      throw e;
    }
  }

  private static LocalProcess startApiServer(Path program, Path folder, int etcdPort, int port)
      throws IOException, GeneralSecurityException {
    Path tokens = folder.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",admin,admin,\"system:masters\"\n");
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair serviceAccounts = generator.generateKeyPair();
    Path signing = folder.resolve("sa.key");
    writePem(signing, "PRIVATE KEY", serviceAccounts.getPrivate().getEncoded());
    Path verifying = folder.resolve("sa.pub");
    writePem(verifying, "PUBLIC KEY", serviceAccounts.getPublic().getEncoded());
    return LocalProcess.start(
        "kube-apiserver",
        folder,
        List.of(
            program.toString(),
            "--etcd-servers=http://127.0.0.1:" + etcdPort,
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            "--secure-port=" + port,
            "--cert-dir=" + folder.resolve("certs"),
            "--token-auth-file=" + tokens,
            "--authorization-mode=RBAC",
            "--service-account-issuer=https://127.0.0.1:" + port,
            "--service-account-signing-key-file=" + signing,
            "--service-account-key-file=" + verifying,
            "--service-cluster-ip-range=10.0.0.0/24",
            // Pods come from the simulated world, which has no service accounts.
            "--disable-admission-plugins=ServiceAccount"));
  }

  /** Whether it works shows in what it does: its health is served with a certificate of its own. */
  private static LocalProcess startControllers(
      Path program, Path folder, Path kubeconfig, List<String> controllers) {
    return LocalProcess.start(
        CONTROLLER_MANAGER,
        folder,
        List.of(
            program.toString(),
            "--kubeconfig=" + kubeconfig,
            "--bind-address=127.0.0.1",
            "--secure-port=" + LocalProcess.freePort(),
            "--cert-dir=" + folder.resolve("controllers"),
            "--leader-elect=false",
            "--controllers=" + String.join(",", controllers)));
  }

  private static void writePem(Path file, String label, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n");
  }

  private static boolean answers(int port, Path certificate) {
    if (!Files.exists(certificate)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(certificate)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int index = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry("apiserver-" + index++, each);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, trust.getTrustManagers(), null);
      try (HttpClient http = HttpClient.newBuilder().sslContext(tls).connectTimeout(CALL).build()) {
        return isOk(http, URI.create("https://127.0.0.1:" + port + "/readyz"));
      }
    } catch (IOException | GeneralSecurityException notYet) {
      // The certificate is being written: ask again. A lasting problem ends in the timeout's
      // message.
      return false;
    }
  }

  private static boolean isOk(HttpClient http, URI uri) {
    try {
      return http.send(
                  HttpRequest.newBuilder(uri).timeout(CALL).build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Path writeKubeconfig(Path folder, int port, Path certificate) throws IOException {
    String authority =
        Base64.getEncoder()
            .encodeToString(Files.readString(certificate).getBytes(StandardCharsets.UTF_8));
    Path file = folder.resolve("kubeconfig");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: e2e
        clusters:
        - name: e2e
          cluster:
            server: https://127.0.0.1:%d
            certificate-authority-data: %s
        users:
        - name: admin
          user:
            token: %s
        contexts:
        - name: e2e
          context:
            cluster: e2e
            user: admin
        """
            .formatted(port, authority, TOKEN));
    return file;
  }

  @Override
  public String name() {
    return "binaries";
  }

  @Override
  public Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public void close() {
    closeAll(controllers, apiServer, etcd, folder);
  }

  private static void closeAll(
      @Nullable LocalProcess controllers,
      @Nullable LocalProcess apiServer,
      @Nullable LocalProcess etcd,
      TemporaryFolder folder) {
    if (controllers != null) {
      controllers.close();
    }
    if (apiServer != null) {
      apiServer.close();
    }
    if (etcd != null) {
      etcd.close();
    }
    folder.close();
  }
}
