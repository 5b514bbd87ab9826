// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.faults;

import io.github.kueue4j.e2e.objects.Manifests;
import io.github.kueue4j.e2e.objects.QueueYaml;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A tenant who creates what no honest user does, in a namespace and a queue of their own. No
 * webhook stands in between: what the schemas let through reaches the core and the checks.
 */
final class HostileTenant {
  private static final String NAMESPACE = "hostile";
  private static final int DEPTH = 500;
  private static final int HUGE = 1_000_000;
  private static final int MANY = 20;

  private HostileTenant() {}

  /**
   * Creates one of each.
   *
   * @return how many objects the server has taken
   */
  static long strike(Scene scene) throws InterruptedException {
    Manifests.parse(new QueueYaml(NAMESPACE, NAMESPACE, NAMESPACE).cpus(3))
        .createIn(scene.storm().api());
    return strike(scene.address());
  }

  /** Creates one of each in a cluster that has the queue. */
  static long strike(URI server) throws InterruptedException {
    long taken = 0;
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (Creation creation : creations()) {
        HttpRequest request =
            HttpRequest.newBuilder(server.resolve(creation.path()))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(creation.body()))
                .build();
        int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        taken += status == 201 ? 1 : 0;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return taken;
  }

  private record Creation(String path, String body) {}

  private static List<Creation> creations() {
    List<Creation> all = new ArrayList<>();
    all.add(
        job(
            ", \"managedFields\": [{\"manager\": \"m\", \"operation\": \"Update\","
                + " \"apiVersion\": \"batch/v1\", \"fieldsType\": \"FieldsV1\", \"fieldsV1\": "
                + "{\"f:a\": ".repeat(DEPTH)
                + "{}"
                + "}".repeat(DEPTH)
                + "}]",
            "1",
            "c"));
    for (String name : List.of("..", "../../../../api/v1/secrets/s", "%2e%2e%2f", "a/b?c#d", " ")) {
      all.add(
          job(
              ", \"ownerReferences\": [{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\", \"name\":"
                  + " \""
                  + name
                  + "\", \"uid\": \"1\", \"controller\": true}]",
              "1",
              "c"));
    }
    all.add(job("", "1", "x".repeat(HUGE)));
    for (String cpus : List.of("1n", "9223372036854775807", "1Ei", "1e-9", "0")) {
      all.add(job("", cpus, "c"));
    }
    for (String queue : List.of("..", "main", "no-such-queue")) {
      all.add(workload(queue, "1", "c"));
    }
    all.add(workload(NAMESPACE, "9223372036854775807", "x".repeat(HUGE)));
    IntStream.range(0, MANY).forEach(i -> all.add(job("", "2", "c")));
    return all;
  }

  private static Creation job(String metadata, String cpus, String argument) {
    return new Creation(
        "/apis/batch/v1/namespaces/" + NAMESPACE + "/jobs",
        """
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"generateName": "hostile-",
          "labels": {"kueue.x-k8s.io/queue-name": "%s"}%s},
         "spec": {"suspend": true, "parallelism": 3, "template": {"spec": %s}}}
        """
            .formatted(NAMESPACE, metadata, pod(cpus, argument)));
  }

  private static Creation workload(String queue, String cpus, String argument) {
    return new Creation(
        "/apis/kueue.x-k8s.io/v1beta2/namespaces/" + NAMESPACE + "/workloads",
        """
        {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "Workload",
         "metadata": {"generateName": "hostile-"},
         "spec": {"queueName": "%s", "podSets": [
           {"name": "main", "count": 2147483647, "template": {"spec": %s}}]}}
        """
            .formatted(queue, pod(cpus, argument)));
  }

  private static String pod(String cpus, String argument) {
    return """
    {"restartPolicy": "Never", "containers": [{"name": "c", "image": "example.invalid/c",
      "args": ["%s"], "resources": {"requests": {"cpu": "%s"}}}]}
    """
        .formatted(argument, cpus);
  }
}
