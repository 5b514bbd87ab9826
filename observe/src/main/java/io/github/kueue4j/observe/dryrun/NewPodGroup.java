// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.observe.dryrun;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.openapi.models.V1Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The pods of a group that a user would create, beside those of it that are there. */
final class NewPodGroup {
  private static final String KIND = "Pod group";

  private final DryRun run;
  private final ObjectKey group;

  NewPodGroup(DryRun run, ObjectKey group) {
    this.run = run;
    this.group = group;
  }

  DryRunResult result(List<Manifest> manifests) {
    List<String> warnings = new ArrayList<>(run.remarks());
    List<V1Pod> pods = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Manifest manifest : manifests) {
      if (!names.add(manifest.key().name())) {
        return result(
                DryRunOutcome.REFUSED,
                "It is refused: pods \"%s\" is twice in the file.".formatted(manifest.key().name()))
            .warning(warnings);
      }
      Creation creation = Creation.ofJob(run, NewPods.KIND, manifest);
      if (creation.refusal().isPresent()) {
        return result(
                DryRunOutcome.REFUSED,
                "Pod %s is refused: %s.".formatted(manifest.key().name(), creation.refusal().get()))
            .warning(warnings);
      }
      creation.warnings().stream().filter(each -> !warnings.contains(each)).forEach(warnings::add);
      pods.add(KueueJson.fromTree(creation.object(), CoreTypes.POD));
    }
    return created(pods).warning(warnings);
  }

  private DryRunResult created(List<V1Pod> pods) {
    return run.objects().readable(CoreTypes.POD, group.namespace())
        ? new NewPods(run, KIND, group).result(List.of(pods), "group")
        : result(
            DryRunOutcome.UNKNOWN,
            "Which pods of the group are there already can't be seen: that needs list of pods in the namespace "
                + group.namespace()
                + ".");
  }

  private DryRunResult result(DryRunOutcome outcome, String summary) {
    return DryRunResult.of(KIND, group, outcome, summary);
  }
}
