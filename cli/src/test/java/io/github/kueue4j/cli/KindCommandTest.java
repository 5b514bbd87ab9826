// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.jobs.kinds.BuiltInKinds;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Declarations of kinds on the command line; {@code JobKindTrialTest} has what is said of them. */
class KindCommandTest {
  private static final String OBJECT =
      """
      {"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": {"name": "demo"}, "spec": {
        "suspend": true, "headGroupSpec": {"template": {"spec": {"containers": [{"name": "ray"}]}}},
        "workerGroupSpecs": []}}
      """;

  @TempDir Path folder;

  @Test
  void listsWhatIsBuiltInAndShowsIt() {
    CommandRun list = run("kind", "list");

    assertThat(list.status()).isZero();
    assertThat(list.out().lines())
        .hasSize(1 + BuiltInKinds.FILES.size())
        .first()
        .asString()
        .matches("FRAMEWORK +KIND +API VERSION +POD SETS");
    assertThat(list.out().lines())
        .anyMatch(
            line ->
                line.matches(
                    "ray.io/raycluster +RayCluster +ray.io/v1 +head, one for each of"
                        + " spec.workerGroupSpecs"));
    assertThat(run("kind", "show", "ray.io/raycluster").out())
        .isEqualTo(run("kind", "show", "raycluster").out())
        .isEqualTo(BuiltInKinds.text("raycluster"));
    CommandRun unknown = run("kind", "show", "ray.io/rayclusters");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err())
        .isEqualTo(
            "kueue4j: no built-in kind is called 'ray.io/rayclusters'; did you mean"
                + " ray.io/raycluster?\n");
  }

  @Test
  void aDeclarationIsCheckedAndRefusedAsAnInput() throws IOException {
    assertThat(run("kind", "check", "ray.io/rayjob").out())
        .startsWith("valid: RayJob of ray.io, as ray.io/rayjob\n");
    Path own = folder.resolve("own.yaml");
    CommandRun none = run("kind", "check", own.toString());
    assertThat(none.status()).isEqualTo(2);
    assertThat(none.err())
        .startsWith("kueue4j: " + own + ": there is no such file, and no built-in kind is called");

    Files.writeString(own, BuiltInKinds.text("raycluster").replace("ray", "sun"));
    CommandRun valid = run("kind", "check", own.toString());
    assertThat(valid.status()).as(valid.err()).isZero();
    Files.writeString(own, BuiltInKinds.text("raycluster").replace("suspend:", "suspnd:"));
    CommandRun wrong = run("kind", "check", own.toString());
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err())
        .isEqualTo(
            "kueue4j: "
                + own
                + ": line 2: suspend is missing; write the field that stops the pods\n");
  }

  @Test
  void anObjectIsTriedAndItsStatusIsTheExitStatus() throws IOException {
    Path object = Files.writeString(folder.resolve("demo.json"), OBJECT);
    String[] command = {"kind", "check", "raycluster", "--object", object.toString()};

    // Without workers: whether that is a mistake, its author knows.
    CommandRun without = run(command);
    assertThat(without.status()).isEqualTo(1);
    assertThat(without.out())
        .contains("\n\nRayCluster demo\n", " podSets[1].forEach: spec.workerGroupSpecs.*");

    Files.writeString(
        object, OBJECT.replace("[]", "[{\"groupName\": \"a\", \"template\": {\"spec\": {}}}]"));
    assertThat(run(command).status()).isZero();

    Files.writeString(object, OBJECT.replace("RayCluster", "RayJob"));
    CommandRun another = run(command);
    assertThat(another.status()).isEqualTo(2);
    assertThat(another.err())
        .isEqualTo(
            "kueue4j: "
                + object
                + " is a RayJob of ray.io/v1; take a RayCluster of ray.io/v1, as the declaration"
                + " says\n");
  }

  private static CommandRun run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
    return new CommandRun(status, out.toString(), err.toString());
  }
}
