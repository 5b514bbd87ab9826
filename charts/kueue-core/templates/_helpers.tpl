{{- define "kueue-core.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- /* At most 28 characters, so that the longest suffix still fits a name of 63. */ -}}
{{- define "kueue-core.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else -}}
{{- $name := .Release.Name -}}
{{- if .Values.nameOverride -}}
{{- $name = printf "%s-%s" $name .Values.nameOverride -}}
{{- end -}}
{{- /* Not cut: two releases could come to the same names. */ -}}
{{- if gt (len $name) 28 -}}
{{- fail (printf "the names of all objects begin with the name of the release and nameOverride, here %q, which is longer than 28 characters: write shorter ones, or the whole in fullnameOverride; an installed release keeps its objects with fullnameOverride: %q" $name ($name | trunc 28 | trimSuffix "-")) -}}
{{- end -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{- define "kueue-core.selectorLabels" -}}
app.kubernetes.io/name: {{ include "kueue-core.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
control-plane: controller-manager
{{- end -}}

{{- define "kueue-core.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "kueue-core.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "kueue-core.serviceAccountName" -}}
{{- $account := .Values.controllerManager.serviceAccount -}}
{{- if $account.create -}}
{{- $account.name | default (printf "%s-controller-manager" (include "kueue-core.fullname" .)) -}}
{{- else -}}
{{- if $account.annotations -}}
{{- fail "controllerManager.serviceAccount.annotations needs serviceAccount.create: annotate the existing one yourself" -}}
{{- end -}}
{{- required "controllerManager.serviceAccount.create is false: name the existing one in controllerManager.serviceAccount.name" $account.name -}}
{{- end -}}
{{- end -}}

{{- /* The user as which the API server knows the core. */ -}}
{{- define "kueue-core.user" -}}
system:serviceaccount:{{ .Release.Namespace }}:{{ include "kueue-core.serviceAccountName" . }}
{{- end -}}

{{- /* What a role binding binds. */ -}}
{{- define "kueue-core.subjects" -}}
- kind: ServiceAccount
  name: {{ include "kueue-core.serviceAccountName" . }}
  namespace: {{ .Release.Namespace }}
{{- end -}}

{{- /*
The kinds of Jobs that the Configuration has managed, in the core's order, as a JSON array. Each has framework, group,
version, all its versions, kind, its name in lower case, its resource (the plural), and suspend: the path of the field that
stops it.
*/ -}}
{{- define "kueue-core.jobKinds" -}}
{{- $configuration := include "kueue-core.configuration" . | fromYaml -}}
{{- $frameworks := ($configuration.integrations | default dict).frameworks -}}
{{- $frameworks = kindIs "slice" $frameworks | ternary $frameworks (list "batch/job") -}}
{{- $known := .Files.Get "files/jobkinds.yaml" | fromYamlArray -}}
{{- $own := ($configuration.kueue4j | default dict).jobKinds | default list -}}
{{- /* Names of webhooks that aren't for Jobs, or what has taken a name. */ -}}
{{- $taken := dict "clusterqueue" "" "cohort" "" "localqueue" "" "resourceflavor" "" "workload" "" -}}
{{- $kinds := list -}}
{{- range $index, $declared := concat $known $own -}}
{{- $named := has $declared.framework $frameworks -}}
{{- if and $named $declared.needs (not (has $declared.needs $frameworks)) -}}
{{- if not $.Values.managerConfig.ignoreUnsupported -}}
{{- fail (printf "integrations.frameworks of the Configuration names %s, whose pods are those of another kind: name %s, too" $declared.framework $declared.needs) -}}
{{- end -}}
{{- $named = false -}}
{{- end -}}
{{- if or (ge $index (len $known)) $named -}}
{{- $where := printf "kueue4j.jobKinds[%d] of the Configuration" (sub $index (len $known)) -}}
{{- range $key := list "framework" "apiVersion" "kind" "suspend" -}}
{{- if not (and (get $declared $key) (kindIs "string" (get $declared $key))) -}}
{{- fail (printf "%s has no %s" $where $key) -}}
{{- end -}}
{{- end -}}
{{- if not (regexMatch "^[^/]+/[^/]+$" $declared.apiVersion) -}}
{{- fail (printf "%s: apiVersion must be a group and a version, such as ray.io/v1, but is %q" $where $declared.apiVersion) -}}
{{- end -}}
{{- if not (regexMatch "^[A-Za-z][A-Za-z0-9_]*([.][A-Za-z][A-Za-z0-9_]*)*$" $declared.suspend) -}}
{{- fail (printf "%s: suspend must be names of letters, digits and _ with dots between them, such as spec.suspend, since the API server asks for the field by an expression; it is %q" $where $declared.suspend) -}}
{{- end -}}
{{- $others := $declared.otherVersions | default list -}}
{{- if not (kindIs "slice" $others) -}}
{{- fail (printf "%s: otherVersions must be a list of versions, such as [v1beta1], but is %v" $where $others) -}}
{{- end -}}
{{- range $position, $other := $others -}}
{{- if not (and (kindIs "string" $other) (regexMatch "^v[0-9][a-z0-9]*$" (toString $other))) -}}
{{- fail (printf "%s: otherVersions[%d] must be a version, such as v1beta1, but is %v" $where $position $other) -}}
{{- end -}}
{{- end -}}
{{- $name := lower $declared.kind -}}
{{- if hasKey $taken $name -}}
{{- fail (printf "%s: a managed kind or one of kueue.x-k8s.io is called %s, too, and the names of webhooks and roles come from it; only one of the two can be managed" $where $declared.kind) -}}
{{- end -}}
{{- $_ := set $taken $name "" -}}
{{- /* As English has it, see ResourceType. */ -}}
{{- $plural := printf "%ss" $name -}}
{{- if regexMatch "(s|x|z|ch|sh)$" $name -}}
{{- $plural = printf "%ses" $name -}}
{{- else if regexMatch "[^aeiou]y$" $name -}}
{{- $plural = printf "%sies" (trimSuffix "y" $name) -}}
{{- end -}}
{{- $kinds = append $kinds (dict
    "framework" $declared.framework "kind" $declared.kind "name" $name "suspend" $declared.suspend
    "group" (splitList "/" $declared.apiVersion | first) "version" (splitList "/" $declared.apiVersion | last)
    "versions" (prepend $others (splitList "/" $declared.apiVersion | last))
    "resource" ($declared.plural | default $plural)) -}}
{{- end -}}
{{- end -}}
{{- toJson $kinds -}}
{{- end -}}

{{- /* Not empty if the Configuration has plain pods managed. */ -}}
{{- define "kueue-core.managesPods" -}}
{{- $frameworks := ((include "kueue-core.configuration" . | fromYaml).integrations | default dict).frameworks -}}
{{- if and (kindIs "slice" $frameworks) (has "pod" $frameworks) -}}
{{- if not (include "kueue-core.webhook" .) -}}
{{- fail "integrations.frameworks of the Configuration names pod, which needs its block webhook: without webhooks pods run without quota" -}}
{{- end -}}
true
{{- end -}}
{{- end -}}

{{- /* The kinds whose pods are queued in place of their objects, as far as the Configuration has them managed, as a JSON array. */ -}}
{{- define "kueue-core.servingKinds" -}}
{{- $frameworks := ((include "kueue-core.configuration" . | fromYaml).integrations | default dict).frameworks -}}
{{- $kinds := list -}}
{{- range .Files.Get "files/servingkinds.yaml" | fromYamlArray -}}
{{- if and (kindIs "slice" $frameworks) (has .framework $frameworks) -}}
{{- if include "kueue-core.managesPods" $ -}}
{{- $kinds = append $kinds (merge (dict "group" (splitList "/" .apiVersion | first) "version" (splitList "/" .apiVersion | last)) .) -}}
{{- else if not $.Values.managerConfig.ignoreUnsupported -}}
{{- fail (printf "integrations.frameworks of the Configuration names %s, whose pods are queued as pods: name pod, too" .framework) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $kinds -}}
{{- end -}}

{{- /* An object of which only the field at this path is given, and true, as an expression: Object{spec: Object.spec{suspend: true}} */ -}}
{{- define "kueue-core.suspended" -}}
{{- $place := "Object" -}}
{{- $expression := "Object{" -}}
{{- $steps := splitList "." . -}}
{{- range initial $steps -}}
{{- $place = printf "%s.%s" $place . -}}
{{- $expression = printf "%s%s: %s{" $expression . $place -}}
{{- end -}}
{{- $expression }}{{ last $steps }}: true{{ repeat (len $steps) "}" }}
{{- end -}}

{{- /* Which namespaces' Jobs are managed: a selector, as YAML. */ -}}
{{- define "kueue-core.managedNamespaces" -}}
{{- $others := dict "key" "kubernetes.io/metadata.name" "operator" "NotIn" "values" (list "kube-system" .Release.Namespace) -}}
{{- (include "kueue-core.configuration" . | fromYaml).managedJobsNamespaceSelector | default (dict "matchExpressions" (list $others)) | toYaml -}}
{{- end -}}

{{- /* The kinds of Jobs that have Workloads, such as "batch/v1 Job", as a JSON array. */ -}}
{{- define "kueue-core.managedKinds" -}}
{{- $kinds := list -}}
{{- range include "kueue-core.jobKinds" . | fromJsonArray -}}
{{- $kind := . -}}
{{- range .versions -}}
{{- $kinds = append $kinds (printf "%s/%s %s" $kind.group . $kind.kind) -}}
{{- end -}}
{{- end -}}
{{- range ((include "kueue-core.configuration" . | fromYaml).integrations | default dict).externalFrameworks -}}
{{- $parts := splitn "." 3 . -}}
{{- $kinds = append $kinds (printf "%s/%s %s" $parts._2 $parts._1 $parts._0) -}}
{{- end -}}
{{- toJson $kinds -}}
{{- end -}}

{{- /* Not empty if Jobs that the core has deactivated are deleted after a time. */ -}}
{{- define "kueue-core.deletesJobs" -}}
{{- $configuration := include "kueue-core.configuration" . | fromYaml -}}
{{- $policies := ($configuration.objectRetentionPolicies | default dict).workloads | default dict -}}
{{- if not (kindIs "invalid" $policies.afterDeactivatedByKueue) -}}
true
{{- end -}}
{{- end -}}

{{- /* The Configuration as a value; fails with the reason when the text is no YAML mapping. */ -}}
{{- define "kueue-core.configuration" -}}
{{- $configuration := .Values.managerConfig.controllerManagerConfigYaml | fromYaml -}}
{{- if hasKey $configuration "Error" -}}
{{- fail (printf "managerConfig.controllerManagerConfigYaml is no YAML mapping: %s" $configuration.Error) -}}
{{- end -}}
{{- $configuration | toYaml -}}
{{- end -}}

{{- /* usage: include "kueue-core.port" (dict "address" ":8081" "what" "...") */ -}}
{{- define "kueue-core.port" -}}
{{- $port := regexFind "[0-9]+$" .address -}}
{{- if not $port -}}
{{- fail (printf "%s of the Configuration must end in a port, such as \":8081\", but is %q" .what .address) -}}
{{- end -}}
{{- $port -}}
{{- end -}}

{{- define "kueue-core.healthPort" -}}
{{- $configuration := include "kueue-core.configuration" . | fromYaml -}}
{{- $health := $configuration.health | default dict -}}
{{- include "kueue-core.port" (dict "address" ($health.healthProbeBindAddress | default ":8081") "what" "health.healthProbeBindAddress") -}}
{{- end -}}

{{- /* usage: include "kueue-core.endpoint" (list . "readinessEndpointName" "readyz") */ -}}
{{- define "kueue-core.endpoint" -}}
{{- $configuration := include "kueue-core.configuration" (first .) | fromYaml -}}
/{{ get ($configuration.health | default dict) (index . 1) | default (last .) }}
{{- end -}}

{{- /* Empty if /metrics isn't served: metrics.bindAddress "0". */ -}}
{{- define "kueue-core.metricsPort" -}}
{{- $configuration := include "kueue-core.configuration" . | fromYaml -}}
{{- $metrics := $configuration.metrics | default dict -}}
{{- $address := ternary ":8443" (toString $metrics.bindAddress) (kindIs "invalid" $metrics.bindAddress) | default ":8443" -}}
{{- $port := include "kueue-core.port" (dict "address" $address "what" "metrics.bindAddress") -}}
{{- if ne $port "0" -}}
{{- $port -}}
{{- end -}}
{{- end -}}

{{- /* Not empty if /metrics is served over HTTPS with authentication. */ -}}
{{- define "kueue-core.secureMetrics" -}}
{{- $configuration := include "kueue-core.configuration" . | fromYaml -}}
{{- if and (include "kueue-core.metricsPort" .) (not ($configuration.kueue4j | default dict).insecureMetrics) -}}
true
{{- end -}}
{{- end -}}

{{- /* Empty if the view isn't served to others: kueue4j.view.bindAddress. */ -}}
{{- define "kueue-core.viewPort" -}}
{{- $configuration := include "kueue-core.configuration" . | fromYaml -}}
{{- $view := ($configuration.kueue4j | default dict).view | default dict -}}
{{- if and $view.bindAddress (ternary true $view.secureServing (kindIs "invalid" $view.secureServing)) -}}
{{- $port := include "kueue-core.port" (dict "address" (toString $view.bindAddress) "what" "kueue4j.view.bindAddress") -}}
{{- if ne $port "0" -}}
{{- $port -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The webhooks' part of the Configuration with its defaults; empty if they aren't served. A null is as good as absent. */ -}}
{{- define "kueue-core.webhook" -}}
{{- $configuration := include "kueue-core.configuration" . | fromYaml -}}
{{- if not (kindIs "invalid" $configuration.webhook) -}}
{{- $webhook := $configuration.webhook | default dict -}}
{{- $management := $configuration.internalCertManagement | default dict -}}
port: {{ $webhook.port | default 9443 }}
certDir: {{ $webhook.certDir | default "/tmp/k8s-webhook-server/serving-certs" }}
managed: {{ ternary true $management.enable (kindIs "invalid" $management.enable) }}
service: {{ $management.webhookServiceName | default "kueue-webhook-service" }}
secret: {{ $management.webhookSecretName | default "kueue-webhook-server-cert" }}
{{- end -}}
{{- end -}}

{{- /* Not empty if cert-manager makes the webhooks' certificate; the Configuration has to agree. */ -}}
{{- define "kueue-core.certManager" -}}
{{- if .Values.enableCertManager -}}
{{- $webhook := include "kueue-core.webhook" . | fromYaml -}}
{{- if or (not $webhook.port) $webhook.managed -}}
{{- fail "enableCertManager needs a block webhook and internalCertManagement.enable: false in managerConfig.controllerManagerConfigYaml, or the core would make certificates, too" -}}
{{- end -}}
true
{{- end -}}
{{- end -}}

{{- define "kueue-core.certManagerAnnotation" -}}
{{- if include "kueue-core.certManager" . -}}
cert-manager.io/inject-ca-from: {{ .Release.Namespace }}/{{ include "kueue-core.fullname" . }}-serving-cert
{{- end -}}
{{- end -}}

{{- /* What --feature-gates takes; empty without any. */ -}}
{{- define "kueue-core.featureGates" -}}
{{- $gates := list -}}
{{- range .Values.controllerManager.featureGates -}}
{{- $gates = append $gates (printf "%s=%t" .name .enabled) -}}
{{- end -}}
{{- if and $gates (include "kueue-core.configuration" . | fromYaml).featureGates -}}
{{- fail "feature gates stand in controllerManager.featureGates and in the Configuration: put all of them in one of the two" -}}
{{- end -}}
{{- join "," $gates -}}
{{- end -}}

{{- /*
What of the monitoring the values ask for and this cluster has no place for, as a JSON array: kinds of Prometheus'
operator that it doesn't serve, and "dashboards" where their namespace doesn't exist. Without a cluster ('helm template')
nothing is left out: only a cluster's versions come with the kinds, such as v1/Namespace. Where they are known but
objects can't be looked up (Argo CD), even kube-system seems to be missing.
*/ -}}
{{- define "kueue-core.leftOut" -}}
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
{{- define "kueue-core.leftOutNote" -}}
{{- $out := include "kueue-core.leftOut" . | fromJsonArray -}}
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
