{{- /* At most 30 characters, so that the longest suffix still fits a name of 63. */ -}}
{{- define "admission-checks.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 30 | trimSuffix "-" -}}
{{- else if .Values.nameOverride -}}
{{- printf "%s-%s" .Release.Name .Values.nameOverride | trunc 30 | trimSuffix "-" -}}
{{- else -}}
{{- .Release.Name | trunc 30 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* usage: include "admission-checks.selectorLabels" (dict "root" $ "check" "budget") */ -}}
{{- define "admission-checks.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .check }}
{{- end -}}

{{- define "admission-checks.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "admission-checks.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{- /* The AdmissionChecks that a check answers for, as a JSON array; empty: any. */ -}}
{{- define "admission-checks.names" -}}
{{- $controllers := dict "budget" "kueue4j.io/budget" "gpu" "kueue4j.io/gpu-availability" "provisioning" "kueue.x-k8s.io/provisioning-request" "http" "kueue4j.io/http" "prometheus" "kueue4j.io/prometheus" -}}
{{- $names := (get .root.Values.checks .check).names | default list -}}
{{- if not $names -}}
{{- range .root.Values.admissionChecks -}}
{{- if eq .controllerName (get $controllers $.check) -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $names | toJson -}}
{{- end -}}

{{- /* What a check reads and writes beyond Workloads and AdmissionChecks, as RBAC rules. */ -}}
{{- define "admission-checks.rules.budget" -}}
- apiGroups: [""]
  resources: [namespaces]
  verbs: [list, watch]
- apiGroups: [checks.kueue4j.io]
  resources: [budgetpolicies, budgets]
  verbs: [list, watch]
- apiGroups: [checks.kueue4j.io]
  resources: [budgetpolicies/status, budgets/status]
  verbs: [patch]
- apiGroups: [checks.kueue4j.io]
  resources: [budgetledgers]
  verbs: [get, list, watch, create, patch, delete]
{{- end -}}

{{- define "admission-checks.rules.gpu" -}}
- apiGroups: [""]
  resources: [nodes, pods]
  verbs: [list, watch]
# Whose pods they are: a JobSet's belong to its Jobs.
- apiGroups: [batch]
  resources: [jobs]
  verbs: [list, watch]
- apiGroups: [checks.kueue4j.io]
  resources: [gpuavailabilitypolicies]
  verbs: [list, watch]
- apiGroups: [checks.kueue4j.io]
  resources: [gpuavailabilitypolicies/status]
  verbs: [patch]
{{- end -}}

{{- define "admission-checks.rules.provisioning" -}}
- apiGroups: [autoscaling.x-k8s.io]
  resources: [provisioningrequests]
  verbs: [get, list, watch, create, delete]
- apiGroups: [""]
  resources: [podtemplates]
  verbs: [get, list, watch, create, delete]
- apiGroups: [kueue.x-k8s.io]
  resources: [provisioningrequestconfigs]
  verbs: [list, watch]
# Owner references with blockOwnerDeletion need the right to finalize the owner.
- apiGroups: [kueue.x-k8s.io]
  resources: [workloads/finalizers]
  verbs: [update]
- apiGroups: [autoscaling.x-k8s.io]
  resources: [provisioningrequests/finalizers]
  verbs: [update]
{{- end -}}

{{- define "admission-checks.rules.http" -}}
- apiGroups: [checks.kueue4j.io]
  resources: [httpchecks]
  verbs: [list, watch]
- apiGroups: [checks.kueue4j.io]
  resources: [httpchecks/status]
  verbs: [patch]
{{- end -}}

{{- define "admission-checks.rules.prometheus" -}}
- apiGroups: [checks.kueue4j.io]
  resources: [prometheuschecks]
  verbs: [list, watch]
- apiGroups: [checks.kueue4j.io]
  resources: [prometheuschecks/status]
  verbs: [patch]
{{- end -}}
