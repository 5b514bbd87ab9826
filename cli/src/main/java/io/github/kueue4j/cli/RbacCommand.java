// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli;

import io.github.kueue4j.cli.components.CheckName;
import io.github.kueue4j.sdk.rbac.Permissions;
import io.github.kueue4j.sdk.rbac.StatusGuard;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kueue4j rbac}: the roles that a check controller needs. */
@Command(
    name = "rbac",
    description = {
      "Prints the service account and the roles with the least rights that a check on the SDK needs, and"
          + " a policy that confines it to its own entries.",
      "RESOURCE is the plural with the group behind a dot, such as configmaps or"
          + " jobs.batch; NS restricts it to one namespace."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.DONE, ExitStatus.USER_ERROR})
final class RbacCommand implements Callable<Integer> {
  @ArgGroup(multiplicity = "1")
  private Controller controller = new Controller();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "where the controller runs (default: ${DEFAULT-VALUE})")
  private String namespace = "default";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "of service account and roles (default: what the controller name ends in, or CHECK, and"
              + " -check, unless it ends so)")
  private @Nullable String name;

  @Option(
      names = "--check",
      paramLabel = "NAME",
      description = "an AdmissionCheck that it answers for, instead of any; repeatable")
  private List<String> checks = new ArrayList<>();

  @Option(
      names = "--parameters",
      paramLabel = "RESOURCE[:NS]",
      description = "the kind of its parameters, such as configmaps:team-a; repeatable")
  private List<String> parameters = new ArrayList<>();

  @Option(
      names = "--watch",
      paramLabel = "RESOURCE[:NS]",
      description = "a kind that it watches, such as nodes or jobs.batch; repeatable")
  private List<String> watched = new ArrayList<>();

  @Option(
      names = "--own",
      paramLabel = "RESOURCE[:NS]",
      description = "a kind of objects that it gets, creates and deletes; repeatable")
  private List<String> owned = new ArrayList<>();

  @Option(
      names = "--change",
      paramLabel = "RESOURCE[:NS]",
      description = "a kind of objects that it patches; repeatable")
  private List<String> changed = new ArrayList<>();

  @Option(
      names = "--status",
      paramLabel = "RESOURCE[:NS]",
      description = "a kind whose status it writes, such as that of its parameters; repeatable")
  private List<String> statuses = new ArrayList<>();

  @Option(
      names = "--secret",
      paramLabel = "NAME",
      description =
          "a Secret of NS that it gets, such as one that endpoints of an HttpCheck name; repeatable")
  private List<String> secrets = new ArrayList<>();

  @Option(names = "--leader-elect", description = "with the right to its Lease")
  private boolean leaderElect;

  @Option(
      names = "--lease",
      paramLabel = "[NS/]NAME",
      description = "with the right to this Lease, in NS unless another is given")
  private @Nullable String lease;

  @Option(
      names = "--answers",
      description = "with the rights to find out who may ask it in advance (--answers-port)")
  private boolean answers;

  @Option(
      names = "--guard",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "with a policy that confines it to its own entries, for Kubernetes 1.30 and newer"
              + " (default; --no-guard leaves it out)")
  private boolean guard = true;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    try {
      out.print(permissions().yaml());
      if (guard) {
        out.print("---\n" + guardOf(account()).yaml());
      }
      out.flush();
      return 0;
    } catch (IllegalArgumentException e) {
      throw new UserError(String.valueOf(e.getMessage()), e);
    }
  }

  /** The controller whose rights are printed: an author's own, or one that comes with kueue4j. */
  private static final class Controller {
    @Option(
        names = "--controller-name",
        paramLabel = "NAME",
        required = true,
        description = "as in builder(...), such as example.com/license")
    private @Nullable String name;

    @Option(
        names = "--for",
        paramLabel = "CHECK",
        required = true,
        converter = Converters.Check.class,
        completionCandidates = Converters.CheckWords.class,
        description =
            "instead of a controller name: a check of './kueue4j check', whose rights are known")
    private @Nullable CheckName check;

    Permissions permissions(String account, String namespace) {
      return check == null
          ? Permissions.of(account, namespace)
          : check.permissions(account, namespace);
    }

    String usualAccount() {
      if (check != null) {
        return check.word() + "-check";
      }
      String given = Objects.requireNonNull(name, "picocli demands one of the group");
      String last = given.substring(given.lastIndexOf('/') + 1);
      return last.endsWith("-check") ? last : last + "-check";
    }

    String lease(String account) {
      return check == null ? account : check.lease();
    }
  }

  private String account() {
    return name == null ? controller.usualAccount() : name;
  }

  private StatusGuard guardOf(String account) {
    return StatusGuard.confining(
        namespace + "-" + account + "-status-guard",
        List.of("system:serviceaccount:" + namespace + ":" + account));
  }

  private Permissions permissions() {
    String account = account();
    Permissions permissions = controller.permissions(account, namespace).forChecks(checks);
    for (List<String> kinds : List.of(parameters, watched)) {
      for (String kind : kinds) {
        permissions = permissions.reading(resource(kind), where(kind));
      }
    }
    for (String kind : owned) {
      permissions = permissions.owning(resource(kind), where(kind));
    }
    for (String kind : changed) {
      permissions = permissions.changing(resource(kind), where(kind));
    }
    for (String kind : statuses) {
      permissions = permissions.writingStatus(resource(kind), where(kind));
    }
    if (!secrets.isEmpty()) {
      permissions = permissions.gettingInOwnNamespace("secrets", secrets);
    }
    if (answers) {
      permissions = permissions.answeringInAdvance();
    }
    if (lease != null) {
      int slash = lease.indexOf('/');
      return slash < 0
          ? permissions.withLease(lease)
          : permissions.withLease(lease.substring(0, slash), lease.substring(slash + 1));
    }
    return leaderElect ? permissions.withLease(controller.lease(account)) : permissions;
  }

  private static String resource(String kind) {
    return kind.split(":", 2)[0];
  }

  private static String where(String kind) {
    int colon = kind.indexOf(':');
    return colon < 0 ? "" : kind.substring(colon + 1);
  }
}
