// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import com.google.gson.JsonObject;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.runtime.patch.MergePatch;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** Sets {@code spec.active} of a Workload. */
abstract class ActivationCommand implements Callable<Integer> {
  private final boolean active;

  @Mixin private WorkloadArgument argument = new WorkloadArgument();
  @Mixin private KueueCluster cluster = new KueueCluster();

  ActivationCommand(boolean active) {
    this.active = active;
  }

  @Override
  public final Integer call() throws InterruptedException {
    return cluster.use(
        "this needs to patch Workloads, and what 'explain' needs",
        (connection, out) -> {
          Workload workload = argument.find(connection);
          if (workload.conditions().finished()) {
            throw new UserError(
                "the Workload "
                    + workload.key()
                    + " has finished; to run it again, create a new Job");
          }
          if (workload.spec().active() == active) {
            out.println(workload.key() + (active ? " is active" : " is stopped") + " already");
            return 0;
          }
          JsonObject fields = new JsonObject();
          fields.addProperty("active", active);
          JsonObject patch = new JsonObject();
          patch.add("spec", fields);
          connection.api().patch(KueueTypes.WORKLOAD, workload.key(), new MergePatch(patch));
          out.println(workload.key() + effect(workload));
          return 0;
        });
  }

  private String effect(Workload workload) {
    if (active) {
      return " is resumed: it queues again";
    }
    return workload.conditions().holdsQuota()
        ? " is stopped: it holds quota, and is evicted"
        : " is stopped: it no longer waits";
  }
}
