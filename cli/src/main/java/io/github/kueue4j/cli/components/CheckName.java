// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.components;

import io.github.kueue4j.approvalcheck.ApprovalCheck;
import io.github.kueue4j.budget.BudgetCheck;
import io.github.kueue4j.budget.BudgetOptions;
import io.github.kueue4j.dependencycheck.DependencyCheck;
import io.github.kueue4j.gpu.GpuAvailabilityCheck;
import io.github.kueue4j.gpu.GpuOptions;
import io.github.kueue4j.http.AddressRange;
import io.github.kueue4j.http.AddressRules;
import io.github.kueue4j.httpcheck.HttpCheck;
import io.github.kueue4j.policycheck.PolicyCheck;
import io.github.kueue4j.prometheuscheck.PrometheusCheck;
import io.github.kueue4j.provisioning.ProvisioningCheck;
import io.github.kueue4j.provisioning.ProvisioningOptions;
import io.github.kueue4j.sdk.CheckController;
import io.github.kueue4j.sdk.CheckEnvironment;
import io.github.kueue4j.sdk.program.CheckProgram;
import io.github.kueue4j.sdk.rbac.Permissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apiguardian.api.API;

/** The reference checks, by the names of the command line. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public enum CheckName {
  BUDGET("budget", "budgets of namespaces and LocalQueues") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return BudgetCheck.controller(
          environment, BudgetOptions.defaults().withAddresses(besideAnEmbeddedServer()));
    }

    @Override
    Permissions needs(Permissions basic) {
      return basic
          .reading("namespaces", "")
          .reading("localqueues.kueue.x-k8s.io", "")
          .reading("budgetpolicies.checks.kueue4j.io", "")
          .writingStatus("budgetpolicies.checks.kueue4j.io", "")
          .reading("budgets.checks.kueue4j.io", "")
          .writingStatus("budgets.checks.kueue4j.io", "")
          .reading("budgetledgers.checks.kueue4j.io", "")
          .owning("budgetledgers.checks.kueue4j.io", "")
          .changing("budgetledgers.checks.kueue4j.io", "");
    }

    @Override
    public CheckProgram program() {
      BudgetFlags flags = new BudgetFlags();
      return program(flags, environment -> BudgetCheck.controller(environment, flags.options()));
    }
  },
  GPU("gpu", "GPUs that are free on the nodes") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return GpuAvailabilityCheck.controller(
          environment, GpuOptions.defaults().withAddresses(besideAnEmbeddedServer()));
    }

    @Override
    public CheckProgram program() {
      GpuFlags flags = new GpuFlags();
      return program(
          flags, environment -> GpuAvailabilityCheck.controller(environment, flags.options()));
    }

    @Override
    Permissions needs(Permissions basic) {
      return basic
          .reading("nodes", "")
          .reading("pods", "")
          .reading("jobs.batch", "")
          .reading("gpuavailabilitypolicies.checks.kueue4j.io", "")
          .writingStatus("gpuavailabilitypolicies.checks.kueue4j.io", "");
    }
  },
  PROVISIONING("provisioning", "capacity from the cluster autoscaler") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return ProvisioningCheck.controller(environment, ProvisioningOptions.defaults());
    }

    @Override
    public CheckProgram program() {
      ProvisioningFlags flags = new ProvisioningFlags();
      return program(
          flags, environment -> ProvisioningCheck.controller(environment, flags.options()));
    }

    @Override
    Permissions needs(Permissions basic) {
      return basic
          .reading("provisioningrequestconfigs.kueue.x-k8s.io", "")
          .reading("provisioningrequests.autoscaling.x-k8s.io", "")
          .owning("provisioningrequests.autoscaling.x-k8s.io", "")
          .reading("podtemplates", "")
          .owning("podtemplates", "")
          .blockingDeletionOf("workloads.kueue.x-k8s.io")
          .blockingDeletionOf("provisioningrequests.autoscaling.x-k8s.io");
    }
  },
  HTTP("http", "what HTTP endpoints answer") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return HttpCheck.controller(
          environment, HttpCheck.defaults().withAddresses(besideAnEmbeddedServer()));
    }

    @Override
    public CheckProgram program() {
      EndpointCheckFlags flags = new EndpointCheckFlags(HttpCheck.defaults());
      return program(flags, environment -> HttpCheck.controller(environment, flags.options()));
    }

    @Override
    Permissions needs(Permissions basic) {
      return basic
          .reading("httpchecks.checks.kueue4j.io", "")
          .writingStatus("httpchecks.checks.kueue4j.io", "");
    }
  },
  PROMETHEUS("prometheus", "the values of PromQL queries") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return PrometheusCheck.controller(
          environment, PrometheusCheck.defaults().withAddresses(besideAnEmbeddedServer()));
    }

    @Override
    public CheckProgram program() {
      EndpointCheckFlags flags = new EndpointCheckFlags(PrometheusCheck.defaults());
      return program(
          flags, environment -> PrometheusCheck.controller(environment, flags.options()));
    }

    @Override
    Permissions needs(Permissions basic) {
      return basic
          .reading("prometheuschecks.checks.kueue4j.io", "")
          .writingStatus("prometheuschecks.checks.kueue4j.io", "");
    }
  },
  POLICY("policy", "rules in CEL, and windows of time") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return PolicyCheck.controller(environment, PolicyCheck.CONTROLLER_NAME);
    }

    @Override
    public CheckProgram program() {
      ControllerNameFlags flags = new ControllerNameFlags(PolicyCheck.CONTROLLER_NAME);
      return program(
          flags, environment -> PolicyCheck.controller(environment, flags.controllerName()));
    }

    @Override
    Permissions needs(Permissions basic) {
      return basic
          .reading("namespaces", "")
          .reading("policychecks.checks.kueue4j.io", "")
          .writingStatus("policychecks.checks.kueue4j.io", "");
    }
  },
  APPROVAL("approval", "a person's approval") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return ApprovalCheck.controller(environment, ApprovalCheck.CONTROLLER_NAME);
    }

    @Override
    public CheckProgram program() {
      ControllerNameFlags flags = new ControllerNameFlags(ApprovalCheck.CONTROLLER_NAME);
      return program(
          flags, environment -> ApprovalCheck.controller(environment, flags.controllerName()));
    }

    @Override
    Permissions needs(Permissions basic) {
      return basic
          .reading("approvals.checks.kueue4j.io", "")
          .reading("approvalchecks.checks.kueue4j.io", "")
          .writingStatus("approvalchecks.checks.kueue4j.io", "");
    }
  },
  DEPENDENCY("dependency", "the success of other Jobs") {
    @Override
    CheckController controller(CheckEnvironment environment) {
      return DependencyCheck.controller(environment, DependencyCheck.CONTROLLER_NAME);
    }

    @Override
    public CheckProgram program() {
      ControllerNameFlags flags = new ControllerNameFlags(DependencyCheck.CONTROLLER_NAME);
      return program(
          flags, environment -> DependencyCheck.controller(environment, flags.controllerName()));
    }

    @Override
    Permissions needs(Permissions basic) {
      return basic
          .reading("dependencychecks.checks.kueue4j.io", "")
          .writingStatus("dependencychecks.checks.kueue4j.io", "");
    }
  };

  private final String word;
  private final String subject;

  CheckName(String word, String subject) {
    this.word = word;
    this.subject = subject;
  }

  /** The name on the command line, such as {@code gpu}. */
  public String word() {
    return word;
  }

  /** The check with this name, if there is one. */
  public static Optional<CheckName> of(String word) {
    return Arrays.stream(values()).filter(name -> name.word.equals(word)).findFirst();
  }

  /** All names, for messages. */
  public static List<String> words() {
    return Arrays.stream(values()).map(CheckName::word).toList();
  }

  /** What it checks, for help texts. */
  public String subject() {
    return subject;
  }

  /** The process that runs this check alone. */
  public abstract CheckProgram program();

  /** The process that runs it with options of its own. */
  CheckProgram program(Object flags, Function<CheckEnvironment, CheckController> controller) {
    return CheckProgram.named(word + "-check", controller).options(flags).lease(lease());
  }

  /** The name of its Lease, unless an option names another. */
  public String lease() {
    return "kueue4j-check-" + word;
  }

  /**
   * The least rights with which it works.
   *
   * @param account the service account that it runs as
   * @param namespace where the service account is
   * @throws IllegalArgumentException if a name is none that Kubernetes allows
   */
  public Permissions permissions(String account, String namespace) {
    return needs(Permissions.of(account, namespace));
  }

  /** The definitions of the kinds that only this check reads, as YAML documents. */
  public List<String> crds() {
    return switch (this) {
      case BUDGET -> BudgetCheck.crds();
      case GPU -> GpuAvailabilityCheck.crds();
      case PROVISIONING -> List.of();
      case HTTP -> HttpCheck.crds();
      case PROMETHEUS -> PrometheusCheck.crds();
      case POLICY -> PolicyCheck.crds();
      case APPROVAL -> ApprovalCheck.crds();
      case DEPENDENCY -> DependencyCheck.crds();
    };
  }

  /** The usual addresses and this machine's own: there run the servers that a check asks, too. */
  private static AddressRules besideAnEmbeddedServer() {
    return AddressRules.defaults().allowing(AddressRange.parse("127.0.0.0/8"));
  }

  /** For a playground: with the options' defaults, beside an embedded server. */
  abstract CheckController controller(CheckEnvironment environment);

  /** Adds what this check reads and writes. */
  abstract Permissions needs(Permissions basic);
}
