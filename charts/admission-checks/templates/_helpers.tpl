{{- /* At most 30 characters, so that the longest suffix still fits a name of 63. */ -}}
{{- define "admission-checks.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else -}}
{{- $name := .Release.Name -}}
{{- if .Values.nameOverride -}}
{{- $name = printf "%s-%s" $name .Values.nameOverride -}}
{{- end -}}
{{- /* Not cut: two releases could come to the same names. */ -}}
{{- if gt (len $name) 30 -}}
{{- fail (printf "the names of all objects begin with the name of the release and nameOverride, here %q, which is longer than 30 characters: write shorter ones, or the whole in fullnameOverride; an installed release keeps its objects with fullnameOverride: %q" $name ($name | trunc 30 | trimSuffix "-")) -}}
{{- end -}}
{{- $name -}}
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

{{- /*
What runs, as {"components": [...]}, the reference checks and custom ones in one form: name, settings (what the values
say), controllerName, image, pullPolicy, command, args, sdk (whether it takes the
options of the SDK), port, probes (whether it answers on it), lease, rules, namespaceRules and their namespace,
account, names.
*/ -}}
{{- define "admission-checks.components" -}}
{{- $controllers := dict "budget" "kueue4j.io/budget" "gpu" "kueue4j.io/gpu-availability" "provisioning" "kueue.x-k8s.io/provisioning-request" "http" "kueue4j.io/http" "prometheus" "kueue4j.io/prometheus" "policy" "kueue4j.io/policy" "approval" "kueue4j.io/approval" "dependency" "kueue4j.io/dependency" -}}
{{- $all := list -}}
{{- range $check, $settings := .Values.checks -}}
{{- if $settings.enabled -}}
{{- $controller := get $controllers $check -}}
{{- $args := $settings.args | default list -}}
{{- range $index, $arg := $args -}}
{{- if hasPrefix "--controller-name=" $arg -}}
{{- $controller = trimPrefix "--controller-name=" $arg -}}
{{- else if eq $arg "--controller-name" -}}
{{- $controller = index (append $args "") (int (add1 $index)) -}}
{{- end -}}
{{- end -}}
{{- if not (regexMatch "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$" $controller) -}}
{{- fail (printf "checks.%s.args: --controller-name is '%s', which can't be the name of a check controller: write a domain of yours, a slash and a name" $check $controller) -}}
{{- end -}}
{{- $one := dict "name" $check "settings" $settings "controllerName" $controller "lease" (printf "kueue4j-check-%s" $check) -}}
{{- $_ := set $one "image" (printf "%s:%s" $.Values.image.repository ($.Values.image.tag | default $.Chart.AppVersion)) -}}
{{- $_ := set $one "pullPolicy" $.Values.image.pullPolicy -}}
{{- $_ := set $one "args" (concat (list "check" $check "--leader-elect" (printf "--http-port=%d" (int $.Values.httpPort))) $args) -}}
{{- $_ := set $one "port" $.Values.httpPort -}}
{{- $_ := set $one "probes" true -}}
{{- $_ := set $one "sdk" true -}}
{{- if and $.Values.answers.enabled (has $check (list "budget" "prometheus" "policy" "dependency")) -}}
{{- $_ := set $one "answers" true -}}
{{- $_ := set $one "args" (append $one.args (printf "--answers-port=%d" (int $.Values.answers.port))) -}}
{{- end -}}
{{- $_ := set $one "rules" (include (printf "admission-checks.rules.%s" $check) $ | fromYamlArray) -}}
{{- with $settings.secrets -}}
{{- /* The credentials of its endpoints. In the namespace of a release lies all that Helm was told, in Secrets, too. */ -}}
{{- $own := or (not .namespace) (eq .namespace $.Release.Namespace) -}}
{{- if and $own .namespace (not .names) -}}
{{- fail (printf "checks.%s.secrets.namespace is that of the release, where Helm keeps its releases: name the Secrets that endpoints may have in checks.%s.secrets.names, or take another namespace" $check $check) -}}
{{- end -}}
{{- if or .names (not $own) -}}
{{- $rule := dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get") -}}
{{- with .names -}}
{{- $_ := set $rule "resourceNames" . -}}
{{- end -}}
{{- $_ := set $one "namespaceRules" (list $rule) -}}
{{- end -}}
{{- if not $own -}}
{{- $_ := set $one "rulesNamespace" .namespace -}}
{{- $_ := set $one "args" (append $one.args (printf "--secrets-namespace=%s" .namespace)) -}}
{{- end -}}
{{- end -}}
{{- $all = append $all $one -}}
{{- end -}}
{{- end -}}
{{- range $check, $settings := .Values.customChecks -}}
{{- if dig "enabled" true $settings -}}
{{- $image := $settings.image -}}
{{- $port := $settings.httpPort | default $.Values.httpPort -}}
{{- $lease := $settings.lease | default $check -}}
{{- $sdk := dig "sdkOptions" true $settings -}}
{{- if and $settings.lease (not $sdk) -}}
{{- fail (printf "customChecks.%s.lease needs sdkOptions: without them the program gets neither --lease nor the right to a Lease; leave it out, or name the Lease in args and grant it in namespaceRules" $check) -}}
{{- end -}}
{{- $one := dict "name" $check "settings" $settings "controllerName" $settings.controllerName "lease" $lease "command" $settings.command -}}
{{- $_ := set $one "image" (ternary (printf "%s:%s" $image.repository (toString $image.tag)) $image.repository (not (empty $image.tag))) -}}
{{- $_ := set $one "pullPolicy" ($image.pullPolicy | default $.Values.image.pullPolicy) -}}
{{- $_ := set $one "args" (concat (ternary (list "--leader-elect" (printf "--lease=%s" $lease) (printf "--http-port=%d" (int $port))) list $sdk) ($settings.args | default list)) -}}
{{- $_ := set $one "port" $port -}}
{{- $_ := set $one "sdk" $sdk -}}
{{- $_ := set $one "probes" (dig "probes" true $settings) -}}
{{- $_ := set $one "rules" $settings.rules -}}
{{- $_ := set $one "namespaceRules" $settings.namespaceRules -}}
{{- $all = append $all $one -}}
{{- end -}}
{{- end -}}
{{- range $one := $all -}}
{{- $_ := set $one "account" (include "admission-checks.account" (dict "root" $ "component" $one)) -}}
{{- $names := $one.settings.names | default list -}}
{{- if not $names -}}
{{- range $.Values.admissionChecks -}}
{{- if eq .controllerName $one.controllerName -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $_ := set $one "names" $names -}}
{{- end -}}
{{- dict "components" $all | toJson -}}
{{- end -}}

{{- /* The name of a component's service account. */ -}}
{{- define "admission-checks.account" -}}
{{- $account := .component.settings.serviceAccount | default dict -}}
{{- if dig "create" true $account -}}
{{- $account.name | default (printf "%s-%s" (include "admission-checks.fullname" .root) .component.name) -}}
{{- else -}}
{{- if $account.annotations -}}
{{- fail (printf "serviceAccount.annotations of the check %s needs serviceAccount.create: annotate the existing one yourself" .component.name) -}}
{{- end -}}
{{- required (printf "serviceAccount.create of the check %s is false: name the existing one in serviceAccount.name" .component.name) $account.name -}}
{{- end -}}
{{- end -}}

{{- /* What a check reads and writes beyond Workloads and AdmissionChecks, as rules of a ClusterRole. */ -}}
{{- define "admission-checks.rules.budget" -}}
- apiGroups: [""]
  resources: [namespaces]
  verbs: [list, watch]
- apiGroups: [kueue.x-k8s.io]
  resources: [localqueues]
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
{{- /* Whose pods they are: a JobSet's belong to its Jobs. */}}
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
{{- /* Owner references with blockOwnerDeletion need the right to finalize the owner. */}}
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

{{- define "admission-checks.rules.policy" -}}
- apiGroups: [""]
  resources: [namespaces]
  verbs: [list, watch]
- apiGroups: [checks.kueue4j.io]
  resources: [policychecks]
  verbs: [list, watch]
- apiGroups: [checks.kueue4j.io]
  resources: [policychecks/status]
  verbs: [patch]
{{- end -}}

{{- define "admission-checks.rules.approval" -}}
- apiGroups: [checks.kueue4j.io]
  resources: [approvals, approvalchecks]
  verbs: [list, watch]
- apiGroups: [checks.kueue4j.io]
  resources: [approvalchecks/status]
  verbs: [patch]
{{- end -}}

{{- define "admission-checks.rules.dependency" -}}
- apiGroups: [checks.kueue4j.io]
  resources: [dependencychecks]
  verbs: [list, watch]
- apiGroups: [checks.kueue4j.io]
  resources: [dependencychecks/status]
  verbs: [patch]
{{- end -}}

{{- /*
What of the monitoring the values ask for and this cluster has no place for, as a JSON array: kinds of Prometheus'
operator that it doesn't serve, and "dashboards" where their namespace doesn't exist. Without a cluster ('helm template')
nothing is left out: only a cluster's versions come with the kinds, such as v1/Namespace. Where they are known but
objects can't be looked up (Argo CD), even kube-system seems to be missing.
*/ -}}
{{- define "admission-checks.leftOut" -}}
{{- $out := list -}}
{{- $versions := .Capabilities.APIVersions -}}
{{- if $versions.Has "v1/Namespace" -}}
{{- range $kind, $asked := dict "ServiceMonitor" .Values.enablePrometheus "PrometheusRule" .Values.metrics.prometheusRule.enabled -}}
{{- if and $asked (not ($versions.Has (printf "monitoring.coreos.com/v1/%s" $kind))) -}}
{{- $out = append $out $kind -}}
{{- end -}}
{{- end -}}
{{- with .Values.metrics.dashboards -}}
{{- if and .enabled .namespace (ne .namespace $.Release.Namespace) (not (lookup "v1" "Namespace" "" .namespace)) (lookup "v1" "Namespace" "" "kube-system") -}}
{{- $out = append $out "dashboards" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $out -}}
{{- end -}}

{{- /* What NOTES.txt says of it. */ -}}
{{- define "admission-checks.leftOutNote" -}}
{{- $out := include "admission-checks.leftOut" . | fromJsonArray -}}
{{- with without $out "dashboards" }}

Left out: {{ join " and " . }} (monitoring.coreos.com/v1). The values ask for it, but this cluster doesn't serve it.
Install Prometheus' operator, then add it by:

  helm upgrade {{ $.Release.Name }} <chart> --namespace {{ $.Release.Namespace }} --reset-then-reuse-values
{{- end }}
{{- if has "dashboards" $out }}

Left out: the dashboards. Their namespace {{ .Values.metrics.dashboards.namespace }} (metrics.dashboards.namespace) doesn't exist. Create it, then
upgrade this release.
{{- end }}
{{- end -}}
