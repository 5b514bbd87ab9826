// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.cli.page.PageServer;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.ClusterConnectionException;
import io.github.kueue4j.runtime.client.KubernetesApiException;
import io.github.kueue4j.runtime.client.ServiceProxy;
import io.github.kueue4j.runtime.http.HttpPortException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kueue4j page}: the core's page in a browser, as the user of a kubeconfig. */
@Command(
    name = "page",
    description =
        "Serves the core's page to a browser of this machine, as the kubeconfig's user, until Ctrl-C.",
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR, ExitStatus.ENDED_BY_SIGINT})
final class PageCommand implements Callable<Integer> {
  private static final int KEY_BYTES = 24;
  private static final String WORKLOADS = "/view/v1/workloads";

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "port on localhost; 0 takes any free one (default: ${DEFAULT-VALUE})")
  private int port = 8447;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "where the core is installed (default: ${DEFAULT-VALUE})")
  private String namespace = "kueue-system";

  @Option(
      names = "--service",
      paramLabel = "NAME",
      description = "the Service of its view (default: ${DEFAULT-VALUE})")
  private String service = "kueue-view-service";

  @Mixin private TokenOption token = new TokenOption();

  @Mixin private KueueCluster cluster = new KueueCluster();

  @Override
  public Integer call() throws InterruptedException {
    return cluster.use(
        "page needs 'get' on services/proxy of https:" + service + ":https in " + namespace,
        (connection, out) -> {
          try (Interruption interruption = Interruption.listen()) {
            serve(connection, out, interruption);
          }
          return 0;
        });
  }

  /** Serves the page until the interruption. */
  void serve(ClusterConnection connection, PrintWriter out, Interruption interruption)
      throws InterruptedException {
    ServiceProxy core =
        connection.serviceProxy(
            namespace,
            "https:" + service + ":https",
            new ServiceProxy.Identity(ServiceProxy.FORWARDED_AUTHORIZATION, token.token()));
    String start = start(core, connection.namespace());
    try (PageServer page = PageServer.start(port, key(), core)) {
      out.println("queues and workloads in a browser: " + page.address() + start);
      out.println("Who has this address sees what you may see. Ctrl-C ends it.");
      out.flush();
      interruption.await();
    } catch (HttpPortException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private static String key() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return HexFormat.of().formatHex(key);
  }

  /**
   * Asks the core once, so that what is wrong is said here and not in the browser.
   *
   * @param home the namespace of the kubeconfig's context
   * @return the fragment of the page's address: who may not list all Workloads starts at home
   */
  private String start(ServiceProxy core, String home) {
    return switch (status(core, "limit=1")) {
      case 200 -> "";
      case 403 -> {
        String inHome = "namespace=" + URLEncoder.encode(home, StandardCharsets.UTF_8);
        if (status(core, "limit=1&" + inHome) == 403) {
          throw new UserError(
              "you may list Workloads neither in all namespaces nor in "
                  + home
                  + "; choose a --context whose namespace is yours");
        }
        yield "#/workloads?" + inHome;
      }
      case 401 ->
          throw new UserError(
              "the core at "
                  + called()
                  + " doesn't know your token; is it expired, or for another audience?");
      default ->
          throw new UserError(
              called() + " is no view of a core; check -n, --service and kueue4j.view");
    };
  }

  private int status(ServiceProxy core, String query) {
    try (ServiceProxy.Answer answer = core.get(WORKLOADS, query, Map.of())) {
      return answer.status();
    } catch (KubernetesApiException.NotFound e) {
      throw new UserError(
          e.getMessage()
              + "; is the view on (kueue4j.view.bindAddress), and are -n and --service right?",
          e);
    } catch (KubernetesApiException.ServerFailure e) {
      throw new UserError(e.getMessage() + "; does a core run in " + namespace + "?", e);
    } catch (ClusterConnectionException e) {
      throw new UserError(
          "the core knows people by tokens: "
              + e.getMessage()
              + "; write one to a file with 'kubectl create token', and name it with --token-file"
              + " ('./kueue4j up' prints the address of its page)",
          e);
    }
  }

  private String called() {
    return namespace + "/" + service;
  }
}
