// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.kinds;

import io.github.kueue4j.apiserver.protobuf.ProtobufKinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apiguardian.api.API;

/** The kinds that are served without a CustomResourceDefinition. */
@API(status = API.Status.INTERNAL)
public final class BuiltInKinds {
  /** Where definitions of custom resources are stored. */
  public static final String DEFINITIONS = "apiextensions.k8s.io/customresourcedefinitions";

  /** Where namespaces are stored. */
  public static final String NAMESPACES = "namespaces";

  /** Where nodes are stored. */
  public static final String NODES = "nodes";

  private static final Set<String> STATUS = Set.of("status");

  private final List<ServedResource> resources = new ArrayList<>();

  private BuiltInKinds() {}

  public static List<ServedResource> all() {
    BuiltInKinds kinds = new BuiltInKinds();
    kinds.core();
    kinds.events();
    kinds.workloads();
    kinds.policies();
    kinds.reviews();
    return List.copyOf(kinds.resources);
  }

  private void core() {
    cluster("", "v1", "Namespace", "namespaces", Set.of("status", "finalize"), "ns")
        .selectable("status.phase")
        .rules(new NamespaceRules())
        .add();
    cluster("", "v1", "Node", "nodes", STATUS, "no").selectable("spec.unschedulable").add();
    cluster("", "v1", "PersistentVolume", "persistentvolumes", STATUS, "pv").add();
    namespaced("", "v1", "Pod", "pods", Set.of("status", "binding", "eviction"), "po")
        .selectable(
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "status.phase",
            "status.podIP",
            "status.nominatedNodeName")
        .categories("all")
        .rules(new PodRules())
        .add();
    namespaced("", "v1", "PodTemplate", "podtemplates", Set.of()).add();
    namespaced("", "v1", "ConfigMap", "configmaps", Set.of(), "cm").add();
    namespaced("", "v1", "Secret", "secrets", Set.of())
        .selectable("type")
        .rules(new SecretRules())
        .add();
    namespaced("", "v1", "Service", "services", STATUS, "svc").categories("all").add();
    namespaced("", "v1", "LimitRange", "limitranges", Set.of(), "limits").add();
    namespaced("", "v1", "ResourceQuota", "resourcequotas", STATUS, "quota").add();
    namespaced("", "v1", "ServiceAccount", "serviceaccounts", Set.of(), "sa").add();
    namespaced("", "v1", "Endpoints", "endpoints", Set.of(), "ep").add();
    namespaced("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", STATUS, "pvc").add();
  }

  private void events() {
    namespaced("", "v1", "Event", "events", Set.of(), "ev")
        .storedAs("events")
        .selectable(
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "reason",
            "reportingComponent",
            "source",
            "type")
        .converted(new EventConversion())
        .add();
    namespaced("events.k8s.io", "v1", "Event", "events", Set.of(), "ev")
        .storedAs("events")
        .selectable(
            "regarding.kind",
            "regarding.namespace",
            "regarding.name",
            "regarding.uid",
            "reason",
            "reportingController",
            "type")
        .add();
  }

  private void workloads() {
    namespaced("batch", "v1", "Job", "jobs", STATUS)
        .selectable("status.successful")
        .categories("all")
        .rules(new JobRules())
        .add();
    namespaced("batch", "v1", "CronJob", "cronjobs", STATUS, "cj").categories("all").add();
    namespaced("apps", "v1", "Deployment", "deployments", STATUS, "deploy")
        .categories("all")
        .rules(new DeploymentRules())
        .add();
    namespaced("apps", "v1", "ReplicaSet", "replicasets", STATUS, "rs").categories("all").add();
    namespaced("apps", "v1", "StatefulSet", "statefulsets", STATUS, "sts").categories("all").add();
    namespaced("apps", "v1", "DaemonSet", "daemonsets", STATUS, "ds").categories("all").add();
    namespaced("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", STATUS, "pdb").add();
    namespaced("networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies", Set.of(), "netpol")
        .add();
    namespaced("coordination.k8s.io", "v1", "Lease", "leases", Set.of()).add();
    namespaced("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", Set.of()).add();
    cluster("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses", Set.of()).add();
    cluster("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", Set.of(), "pc").add();
    cluster("storage.k8s.io", "v1", "StorageClass", "storageclasses", Set.of(), "sc").add();
  }

  private void policies() {
    namespaced("rbac.authorization.k8s.io", "v1", "Role", "roles", Set.of()).add();
    namespaced("rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings", Set.of()).add();
    cluster("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", Set.of()).add();
    cluster(
            "rbac.authorization.k8s.io",
            "v1",
            "ClusterRoleBinding",
            "clusterrolebindings",
            Set.of())
        .add();
    String admission = "admissionregistration.k8s.io";
    cluster(
            admission,
            "v1",
            "MutatingWebhookConfiguration",
            "mutatingwebhookconfigurations",
            Set.of())
        .rules(new WebhookConfigurationRules())
        .categories("api-extensions")
        .add();
    cluster(
            admission,
            "v1",
            "ValidatingWebhookConfiguration",
            "validatingwebhookconfigurations",
            Set.of())
        .rules(new WebhookConfigurationRules())
        .categories("api-extensions")
        .add();
    cluster(admission, "v1", "ValidatingAdmissionPolicy", "validatingadmissionpolicies", STATUS)
        .categories("api-extensions")
        .add();
    cluster(
            admission,
            "v1",
            "ValidatingAdmissionPolicyBinding",
            "validatingadmissionpolicybindings",
            Set.of())
        .categories("api-extensions")
        .add();
    cluster(
            "apiextensions.k8s.io",
            "v1",
            "CustomResourceDefinition",
            "customresourcedefinitions",
            STATUS,
            "crd",
            "crds")
        .categories("api-extensions")
        .rules(new DefinitionRules())
        .add();
    cluster("apiregistration.k8s.io", "v1", "APIService", "apiservices", STATUS)
        .categories("api-extensions")
        .add();
    cluster("flowcontrol.apiserver.k8s.io", "v1", "FlowSchema", "flowschemas", STATUS).add();
    cluster(
            "flowcontrol.apiserver.k8s.io",
            "v1",
            "PriorityLevelConfiguration",
            "prioritylevelconfigurations",
            STATUS)
        .add();
  }

  private void reviews() {
    String access = "authorization.k8s.io";
    review(access, "SelfSubjectAccessReview", false);
    review(access, "SelfSubjectRulesReview", false);
    review(access, "SubjectAccessReview", false);
    review(access, "LocalSubjectAccessReview", true);
    review("authentication.k8s.io", "TokenReview", false);
    review("authentication.k8s.io", "SelfSubjectReview", false);
  }

  private void review(String group, String kind, boolean namespaced) {
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    new Definition(group, "v1", kind, plural, Set.of(), namespaced).storedAs("").add();
  }

  private Definition namespaced(
      String group,
      String version,
      String kind,
      String plural,
      Set<String> subresources,
      String... shortNames) {
    return new Definition(group, version, kind, plural, subresources, true, shortNames);
  }

  private Definition cluster(
      String group,
      String version,
      String kind,
      String plural,
      Set<String> subresources,
      String... shortNames) {
    return new Definition(group, version, kind, plural, subresources, false, shortNames);
  }

  private final class Definition {
    private final String group;
    private final String version;
    private final String kind;
    private final String plural;
    private final Set<String> subresources;
    private final boolean namespaced;
    private final List<String> shortNames;
    private String storageName;
    private Set<String> selectable = Set.of();
    private List<String> categories = List.of();
    private ObjectRules rules;
    private Conversion conversion = Conversion.NONE;

    Definition(
        String group,
        String version,
        String kind,
        String plural,
        Set<String> subresources,
        boolean namespaced,
        String... shortNames) {
      this.group = group;
      this.version = version;
      this.kind = kind;
      this.plural = plural;
      this.subresources = subresources;
      this.namespaced = namespaced;
      this.shortNames = List.of(shortNames);
      this.storageName = group.isEmpty() ? plural : group + "/" + plural;
      this.rules = new BuiltInRules();
    }

    Definition selectable(String... paths) {
      selectable = Set.of(paths);
      return this;
    }

    Definition categories(String... names) {
      categories = List.of(names);
      return this;
    }

    Definition storedAs(String name) {
      storageName = name;
      return this;
    }

    Definition converted(Conversion between) {
      conversion = between;
      return this;
    }

    Definition rules(ObjectRules ofKind) {
      rules = ofKind;
      return this;
    }

    void add() {
      String apiVersion = group.isEmpty() ? version : group + "/" + version;
      resources.add(
          ServedResource.builtIn(
              group,
              version,
              new ServedResource.Names(
                  plural,
                  kind.toLowerCase(Locale.ROOT),
                  kind,
                  kind + "List",
                  shortNames,
                  categories),
              namespaced,
              storageName,
              subresources,
              selectable,
              ProtobufKinds.messageOf(apiVersion, kind)
                  .<ObjectRules>map(message -> new TypedRules(message, rules))
                  .orElse(rules),
              conversion));
    }
  }
}
