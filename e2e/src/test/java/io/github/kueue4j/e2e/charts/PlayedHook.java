// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.e2e.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.cli.Main;
import io.github.kueue4j.cli.components.Target;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.runtime.client.KubernetesApi;
import io.github.kueue4j.runtime.patch.MergePatch;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testdefaults.Patience;
import io.kubernetes.client.openapi.models.V1Job;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The hook of an uninstallation, where no kubelet is: what its pod would run is run here, and the
 * Job says how that ended.
 *
 * @param release the name of the release
 * @param job the hook's Job, in the namespace of the release
 * @param kubeconfig of Helm
 * @param pods of the hook's pod
 */
public record PlayedHook(String release, ObjectKey job, Path kubeconfig, Path pods) {
  /** Longer than the hook itself may take. */
  private static final Duration PATIENCE = Patience.LIMIT;

  /** What a test does while the hook's objects are there, before the pod runs. */
  public interface Meanwhile {
    void look(KubernetesApi administrator);
  }

  /** Uninstalls the release, and returns what the hook printed. */
  String uninstall() {
    return uninstall(administrator -> {});
  }

  /** The same with a look at the hook's objects. */
  public String uninstall(Meanwhile meanwhile) {
    return uninstalling(
        (api, uninstalled) -> {
          meanwhile.look(api);
          String printed = run(api.get(CoreTypes.JOB, job).orElseThrow());
          api.patchStatus(CoreTypes.JOB, job, status("SuccessCriteriaMet", "Complete"));
          assertThat(uninstalled.get(PATIENCE)).contains("uninstalled");
          assertThat(api.get(CoreTypes.JOB, job)).as("a hook that has succeeded").isEmpty();
          return printed;
        });
  }

  /** Uninstalls the release while no pod can run, and returns what Helm says about it. */
  String uninstallInVain() {
    return uninstalling(
        (api, uninstalled) -> {
          api.patchStatus(CoreTypes.JOB, job, status("FailureTarget", "Failed"));
          Throwable thrown = catchThrowable(() -> uninstalled.get(PATIENCE));
          assertThat(thrown).as("what Helm says").isNotNull();
          StringWriter text = new StringWriter();
          thrown.printStackTrace(new PrintWriter(text));
          return text.toString();
        });
  }

  private interface Play {
    String of(KubernetesApi administrator, Act<String> uninstalled);
  }

  private String uninstalling(Play play) {
    try (ClusterConnection connection = Target.of(kubeconfig).connect("administrator");
        Actors operators = Actors.onPlatformThreads("operator")) {
      KubernetesApi api = connection.api();
      // One that has failed stays until the next takes its place.
      Optional<String> former = uid(api);
      Act<String> uninstalled =
          operators.ask(
              () ->
                  Helm.uninstall(release)
                      .withNamespace(job.namespace())
                      .withKubeConfig(kubeconfig)
                      .call());
      await()
          .alias("the uninstallation of " + release + " has made the Job " + job)
          .until(() -> uid(api).filter(uid -> !former.equals(Optional.of(uid))).isPresent());
      return play.of(api, uninstalled);
    }
  }

  private Optional<String> uid(KubernetesApi api) {
    return api.get(CoreTypes.JOB, job).map(found -> found.getMetadata().getUid());
  }

  private String run(V1Job hook) {
    List<String> line =
        new ArrayList<>(
            hook.getSpec().getTemplate().getSpec().getContainers().getFirst().getArgs());
    line.add("--kubeconfig=" + pods);
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed);
    int status = Main.run(out, out, line.toArray(String[]::new));
    assertThat(status).as(printed.toString()).isZero();
    return printed.toString();
  }

  /** Of a Job that has ended, as the Job controller writes it. */
  private static MergePatch status(String... conditions) {
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    JsonObject status = new JsonObject();
    status.addProperty("startTime", now);
    JsonArray list = new JsonArray();
    for (String type : conditions) {
      JsonObject condition = new JsonObject();
      condition.addProperty("type", type);
      condition.addProperty("status", "True");
      condition.addProperty("lastTransitionTime", now);
      list.add(condition);
      if (type.equals("Complete")) {
        status.addProperty("succeeded", 1);
        status.addProperty("completionTime", now);
      }
    }
    status.add("conditions", list);
    JsonObject patch = new JsonObject();
    patch.add("status", status);
    return new MergePatch(patch);
  }
}
