/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.e2e.cli;

import io.github.kueue4j.sdk.rights.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./kueue4j rbac}: the roles that a check controller needs. */
@Command(
    name = "rbac",
    description =
        "Prints the service account and the roles with the least rights that a check on the SDK"
            + " needs. RESOURCE is the plural with the group behind a dot, such as configmaps or"
            + " jobs.batch; NS restricts it to one namespace.",
    mixinStandardHelpOptions = true)
final class RbacCommand implements Callable<Integer> {
  @Option(
      names = "--controller-name",
      paramLabel = "NAME",
      required = true,
      description = "as in builder(...), such as example.com/license")
  private String controllerName = "";

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "where the controller runs (default: ${DEFAULT-VALUE})")
  private String namespace = "default";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "of service account and roles; default: what the controller name ends in")
  private @Nullable String name;

  @Option(
      names = "--check",
      paramLabel = "NAME",
      description = "an AdmissionCheck that it answers for, instead of any; repeatable")
  private List<String> checks = new ArrayList<>();

  @Option(
      names = "--parameters",
      paramLabel = "RESOURCE[:NS]",
      description = "the kind of its parameters")
  private List<String> parameters = new ArrayList<>();

  @Option(
      names = "--watch",
      paramLabel = "RESOURCE[:NS]",
      description = "a kind that it watches; repeatable")
  private List<String> watched = new ArrayList<>();

  @Option(
      names = "--own",
      paramLabel = "RESOURCE[:NS]",
      description = "a kind of objects that it gets, creates and deletes; repeatable")
  private List<String> owned = new ArrayList<>();

  @Option(names = "--leader-elect", description = "with a Lease of the same name")
  private boolean leaderElect;

  @Override
  public Integer call() {
    try {
      System.out.print(rights().yaml());
      System.out.flush();
      return 0;
    } catch (IllegalArgumentException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  private Rights rights() {
    String account =
        name == null ? controllerName.substring(controllerName.lastIndexOf('/') + 1) : name;
    Rights rights = Rights.of(account, namespace).forChecks(checks);
    for (List<String> kinds : List.of(parameters, watched)) {
      for (String kind : kinds) {
        rights = rights.reading(resource(kind), where(kind));
      }
    }
    for (String kind : owned) {
      rights = rights.owning(resource(kind), where(kind));
    }
    return leaderElect ? rights.withLease(account) : rights;
  }

  private static String resource(String kind) {
    return kind.split(":", 2)[0];
  }

  private static String where(String kind) {
    int colon = kind.indexOf(':');
    return colon < 0 ? "" : kind.substring(colon + 1);
  }
}
