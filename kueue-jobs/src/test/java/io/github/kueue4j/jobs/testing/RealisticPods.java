// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs.testing;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A pod template as people write them: everything that a Job of a data team may have. */
public final class RealisticPods {
  private RealisticPods() {}

  /** The template as JSON. */
  public static String template() {
    return """
        {"metadata": {"labels": {"app": "train", "team": "vision", "batch.kubernetes.io/job-name": "train"},
            "annotations": {"prometheus.io/scrape": "true", "owner": "vision@example.com"}},
         "spec": {
           "restartPolicy": "Never", "serviceAccountName": "trainer", "schedulerName": "default-scheduler",
           "terminationGracePeriodSeconds": 120, "priorityClassName": "batch-normal",
           "runtimeClassName": "gvisor", "dnsPolicy": "ClusterFirst", "enableServiceLinks": false,
           "securityContext": {"runAsUser": 1000, "fsGroup": 1000, "runAsNonRoot": true,
             "seccompProfile": {"type": "RuntimeDefault"}},
           "imagePullSecrets": [{"name": "registry-credentials"}],
           "nodeSelector": {"zone": "a", "disk": "ssd"},
           "tolerations": [{"key": "spot", "operator": "Equal", "value": "true", "effect": "NoSchedule"},
             {"key": "gpu", "operator": "Exists"}],
           "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
               "nodeSelectorTerms": [{"matchExpressions": [
                 {"key": "flavor", "operator": "In", "values": ["spot", "reserved"]}]}]}},
             "podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 10,
               "podAffinityTerm": {"topologyKey": "kubernetes.io/hostname",
                 "labelSelector": {"matchLabels": {"app": "train"}}}}]}},
           "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone",
             "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {"matchLabels": {"app": "train"}}}],
           "overhead": {"memory": "16Mi"},
           "resources": {"requests": {"cpu": "3"}, "limits": {"cpu": "6"}},
           "initContainers": [
             {"name": "fetch", "image": "registry.example.com/team/fetch:2026-11-03",
               "command": ["/bin/sh", "-c", "fetch --from s3://datasets/vision --to /data"],
               "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}},
               "volumeMounts": [{"name": "data", "mountPath": "/data"}]},
             {"name": "proxy", "image": "registry.example.com/mesh/proxy:1.20", "restartPolicy": "Always",
               "resources": {"requests": {"cpu": "100m"}}}],
           "containers": [
             {"name": "train", "image": "registry.example.com/team/train:2026-11-03",
               "imagePullPolicy": "IfNotPresent", "workingDir": "/work",
               "command": ["python", "-m", "train"],
               "args": ["--epochs=90", "--batch-size=256", "--lr=0.1", "--data=/data", "--out=/out"],
               "env": [%s],
               "envFrom": [{"configMapRef": {"name": "train-settings"}}],
               "ports": [{"name": "metrics", "containerPort": 9090, "protocol": "TCP"}],
               "resources": {"requests": {"cpu": "2", "memory": "8Gi", "example.com/gpu": "1"},
                 "limits": {"memory": "8Gi", "example.com/gpu": "1"}},
               "livenessProbe": {"httpGet": {"path": "/live", "port": 9090}, "periodSeconds": 20,
                 "failureThreshold": 5, "timeoutSeconds": 3},
               "readinessProbe": {"httpGet": {"path": "/ready", "port": "metrics"}, "periodSeconds": 10},
               "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}},
               "volumeMounts": [{"name": "data", "mountPath": "/data"},
                 {"name": "out", "mountPath": "/out"},
                 {"name": "settings", "mountPath": "/etc/train", "readOnly": true}]},
             {"name": "upload", "image": "registry.example.com/team/upload:1.4",
               "args": ["--from=/out", "--to=s3://models/vision"],
               "env": [%s],
               "resources": {"limits": {"cpu": "250m", "memory": "256Mi"}},
               "lifecycle": {"preStop": {"exec": {"command": ["/bin/upload", "--flush"]}}},
               "volumeMounts": [{"name": "out", "mountPath": "/out"}]}],
           "volumes": [
             {"name": "data", "emptyDir": {"sizeLimit": "100Gi"}},
             {"name": "out", "persistentVolumeClaim": {"claimName": "models"}},
             {"name": "settings", "configMap": {"name": "train-settings", "defaultMode": 420}}]}}
        """
        .formatted(variables("TRAIN"), variables("UPLOAD"));
  }

  private static String variables(String prefix) {
    return IntStream.range(0, 20)
        .mapToObj(
            i ->
                i % 4 == 3
                    ? """
                      {"name": "%s_SECRET_%d", "valueFrom": {"secretKeyRef":
                        {"name": "train-credentials", "key": "key-%d"}}}"""
                        .formatted(prefix, i, i)
                    : "{\"name\": \"%s_SETTING_%d\", \"value\": \"https://service-%d.example.com/v1\"}"
                        .formatted(prefix, i, i))
        .collect(Collectors.joining(", "));
  }
}
