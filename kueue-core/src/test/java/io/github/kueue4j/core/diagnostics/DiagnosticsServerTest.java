// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.http.HttpAddress;
import io.github.kueue4j.runtime.http.HttpPortException;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.Level;

@ExpectedLog(level = Level.ERROR, logger = "FatalErrors", message = "An Error ended a thread")
class DiagnosticsServerTest {
  private final ManualTime time = ManualTime.create();
  private final DiagnosticsServer server = start(0);
  private final HttpClient client = HttpClient.newHttpClient();

  private DiagnosticsServer start(int port) {
    return DiagnosticsServer.start(
        new HttpAddress("127.0.0.1", port), time, FatalErrors.endProcess());
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    time.close();
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void showsThreadsAndWhatFillsTheHeap() throws Exception {
    assertThat(get("/debug/threads").body()).contains("Full thread dump", "\"main\"");
    assertThat(get("/debug/heap").body()).contains("#instances", "java.lang.String");
  }

  @Test
  void recordsForAsLongAsIsAsked(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("flight.jfr");
    HttpResponse<Path> answer =
        client.send(request("/debug/recording?seconds=1"), HttpResponse.BodyHandlers.ofFile(file));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(Files.size(file)).isPositive();
    assertThat(RecordingFile.readAllEvents(file)).isNotEmpty();
  }

  @Test
  void saysWhatThereIs() throws Exception {
    assertThat(get("/").body()).contains("/debug/threads");
    HttpResponse<String> profile = get("/debug/pprof/heap");
    assertThat(profile.statusCode()).isEqualTo(404);
    assertThat(profile.body()).contains("runs on a JVM", "/debug/heap");
    for (String query : new String[] {"seconds=0", "seconds=301", "seconds=x", "minutes=1"}) {
      assertThat(get("/debug/recording?" + query).statusCode()).as(query).isEqualTo(400);
    }
    HttpResponse<String> posted =
        client.send(
            HttpRequest.newBuilder(request("/debug/heap").uri())
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(posted.statusCode()).isEqualTo(405);
  }

  /** A JVM that runs out of memory while it answers. */
  public interface OutOfMemoryMBean {
    /** The operation that {@code jcmd Thread.print} is. */
    String threadPrint(String[] arguments);
  }

  @Test
  void anErrorOfTheJvmConcernsTheProcess() throws Exception {
    OutOfMemoryError provoked = new OutOfMemoryError("provoked");
    Queue<Error> fatal = new ConcurrentLinkedQueue<>();
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    beans.registerMBean(
        new StandardMBean(
            (OutOfMemoryMBean)
                arguments -> {
                  throw provoked;
                },
            OutOfMemoryMBean.class),
        new ObjectName(DiagnosticsServer.COMMANDS));
    try (DiagnosticsServer failing =
        DiagnosticsServer.start(
            new HttpAddress("127.0.0.1", 0),
            time,
            FatalErrors.then((thread, error) -> fatal.add(error)),
            beans)) {
      URI threads = URI.create("http://127.0.0.1:" + failing.port() + "/debug/threads");
      assertThatThrownBy(
              () ->
                  client.send(
                      HttpRequest.newBuilder(threads).build(),
                      HttpResponse.BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
      await().untilAsserted(() -> assertThat(fatal).contains(provoked));
    }
  }

  @Test
  void aPortThatIsTakenIsRefusedWithTheKey() {
    assertThatThrownBy(() -> start(server.port()))
        .isInstanceOf(HttpPortException.class)
        .hasMessageContaining("choose another port in pprofBindAddress");
  }
}
