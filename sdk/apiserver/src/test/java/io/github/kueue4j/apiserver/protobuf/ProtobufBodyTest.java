// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.protobuf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.kubernetes.client.proto.IntStr.IntOrString;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Resource.Quantity;
import io.kubernetes.client.proto.Runtime.RawExtension;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Rbac;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ProtobufBodyTest {

  private static byte[] body(String apiVersion, String kind, Message message) {
    return body(
        Unknown.newBuilder()
            .setTypeMeta(TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
            .setRaw(message.toByteString())
            .build());
  }

  private static byte[] body(Unknown envelope) {
    byte[] bytes = envelope.toByteArray();
    return ByteBuffer.allocate(bytes.length + 4)
        .put(new byte[] {'k', '8', 's', 0})
        .put(bytes)
        .array();
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertDecodes(byte[] body, String expected) {
    assertThat(ProtobufBody.decode(body)).isEqualTo(json(expected));
  }

  @Test
  void readsTheSecretThatHelmWrites() {
    V1.Secret secret =
        V1.Secret.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setName("sh.helm.release.v1.core.v1")
                    .setGenerateName("")
                    .setGeneration(0)
                    .setCreationTimestamp(Meta.Time.getDefaultInstance())
                    .putLabels("owner", "helm"))
            .putData("release", ByteString.copyFrom("H4sI", UTF_8))
            .setType("helm.sh/release.v1")
            .build();

    assertDecodes(
        body("v1", "Secret", secret),
        """
        {'kind': 'Secret', 'apiVersion': 'v1',
         'metadata': {'name': 'sh.helm.release.v1.core.v1', 'labels': {'owner': 'helm'}},
         'data': {'release': 'SDRzSQ=='}, 'type': 'helm.sh/release.v1'}
        """);
  }

  @Test
  void readsAJobWithItsPodTemplate() {
    V1.Container container =
        V1.Container.newBuilder()
            .setName("c")
            .setTty(false)
            .setResources(
                V1.ResourceRequirements.newBuilder()
                    .putRequests("cpu", Quantity.newBuilder().setString("500m").build()))
            .addEnv(
                V1.EnvVar.newBuilder()
                    .setName("E")
                    .setValueFrom(
                        V1.EnvVarSource.newBuilder()
                            .setSecretKeyRef(
                                V1.SecretKeySelector.newBuilder()
                                    .setLocalObjectReference(
                                        V1.LocalObjectReference.newBuilder().setName("s"))
                                    .setKey("k"))))
            .setLivenessProbe(
                V1.Probe.newBuilder()
                    .setHandler(
                        V1.ProbeHandler.newBuilder()
                            .setHttpGet(
                                V1.HTTPGetAction.newBuilder()
                                    .setPort(
                                        IntOrString.newBuilder().setType(1).setStrVal("http"))))
                    .setInitialDelaySeconds(0))
            .build();
    V1Batch.Job job =
        V1Batch.Job.newBuilder()
            .setSpec(
                V1Batch.JobSpec.newBuilder()
                    .setSuspend(false)
                    .setBackoffLimit(0)
                    .setTemplate(
                        V1.PodTemplateSpec.newBuilder()
                            .setSpec(
                                V1.PodSpec.newBuilder()
                                    .addContainers(container)
                                    .addVolumes(
                                        V1.Volume.newBuilder()
                                            .setName("v")
                                            .setVolumeSource(
                                                V1.VolumeSource.newBuilder()
                                                    .setEmptyDir(
                                                        V1.EmptyDirVolumeSource
                                                            .getDefaultInstance()))))))
            .build();

    assertDecodes(
        body("batch/v1", "Job", job),
        """
        {'kind': 'Job', 'apiVersion': 'batch/v1', 'spec': {
          'template': {'spec': {
            'volumes': [{'name': 'v', 'emptyDir': {}}],
            'containers': [{'name': 'c',
              'resources': {'requests': {'cpu': '500m'}},
              'env': [{'name': 'E', 'valueFrom': {'secretKeyRef': {'name': 's', 'key': 'k'}}}],
              'livenessProbe': {'httpGet': {'port': 'http'}}}]}},
          'backoffLimit': 0, 'suspend': false}}
        """);
  }

  @Test
  void readsDeploymentsAndServices() {
    V1Apps.Deployment deployment =
        V1Apps.Deployment.newBuilder()
            .setSpec(
                V1Apps.DeploymentSpec.newBuilder()
                    .setReplicas(0)
                    .setPaused(false)
                    .setStrategy(
                        V1Apps.DeploymentStrategy.newBuilder()
                            .setRollingUpdate(
                                V1Apps.RollingUpdateDeployment.newBuilder()
                                    .setMaxSurge(IntOrString.newBuilder().setIntVal(1)))))
            .build();

    assertDecodes(
        body("apps/v1", "Deployment", deployment),
        """
        {'kind': 'Deployment', 'apiVersion': 'apps/v1', 'spec': {
          'replicas': 0, 'strategy': {'rollingUpdate': {'maxSurge': 1}}}}
        """);
  }

  @Test
  void readsTimes() {
    V1.Event event =
        V1.Event.newBuilder()
            .setFirstTimestamp(Meta.Time.newBuilder().setSeconds(1_767_225_600L).setNanos(5))
            .setEventTime(Meta.MicroTime.newBuilder().setSeconds(1_767_225_600L).setNanos(1_000))
            .setCount(0)
            .build();

    assertDecodes(
        body("v1", "Event", event),
        """
        {'kind': 'Event', 'apiVersion': 'v1',
         'firstTimestamp': '2026-01-01T00:00:00Z',
         'eventTime': '2026-01-01T00:00:00.000001Z'}
        """);
  }

  @Test
  void readsManagedFieldsAndRawObjects() {
    V1Apps.ControllerRevision revision =
        V1Apps.ControllerRevision.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .addManagedFields(
                        Meta.ManagedFieldsEntry.newBuilder()
                            .setManager("m")
                            .setFieldsV1(
                                Meta.FieldsV1.newBuilder()
                                    .setRaw(ByteString.copyFrom("{\"f:a\":{}}", UTF_8)))))
            .setData(RawExtension.newBuilder().setRaw(ByteString.copyFrom("{\"x\":1}", UTF_8)))
            .setRevision(3)
            .build();

    assertDecodes(
        body("apps/v1", "ControllerRevision", revision),
        """
        {'kind': 'ControllerRevision', 'apiVersion': 'apps/v1',
         'metadata': {'managedFields': [{'manager': 'm', 'fieldsV1': {'f:a': {}}}]},
         'data': {'x': 1}, 'revision': 3}
        """);
  }

  @Test
  void readsRolesAndWebhooks() {
    assertDecodes(
        body(
            "rbac.authorization.k8s.io/v1",
            "ClusterRole",
            V1Rbac.ClusterRole.newBuilder()
                .addRules(V1Rbac.PolicyRule.newBuilder().addVerbs("get").addApiGroups(""))
                .build()),
        """
        {'kind': 'ClusterRole', 'apiVersion': 'rbac.authorization.k8s.io/v1',
         'rules': [{'verbs': ['get'], 'apiGroups': ['']}]}
        """);
    assertDecodes(
        body(
            "admissionregistration.k8s.io/v1",
            "ValidatingWebhookConfiguration",
            V1Admissionregistration.ValidatingWebhookConfiguration.newBuilder()
                .addWebhooks(
                    V1Admissionregistration.ValidatingWebhook.newBuilder()
                        .setName("w")
                        .addRules(
                            V1Admissionregistration.RuleWithOperations.newBuilder()
                                .addOperations("CREATE")
                                .setRule(
                                    V1Admissionregistration.Rule.newBuilder()
                                        .addResources("jobs"))))
                .build()),
        """
        {'kind': 'ValidatingWebhookConfiguration', 'apiVersion': 'admissionregistration.k8s.io/v1',
         'webhooks': [{'name': 'w', 'rules': [{'operations': ['CREATE'], 'resources': ['jobs']}]}]}
        """);
  }

  @Test
  void readsLeasesEventsAndRuntimeClassesWithoutGeneratedClasses() {
    Descriptor lease = AdditionalMessages.COORDINATION.findMessageTypeByName("Lease");
    Descriptor spec = AdditionalMessages.COORDINATION.findMessageTypeByName("LeaseSpec");
    DynamicMessage message =
        DynamicMessage.newBuilder(lease)
            .setField(
                lease.findFieldByNumber(2),
                DynamicMessage.newBuilder(spec)
                    .setField(spec.findFieldByName("holderIdentity"), "me")
                    .setField(spec.findFieldByName("leaseDurationSeconds"), 15)
                    .setField(
                        spec.findFieldByName("renewTime"),
                        Meta.MicroTime.newBuilder().setSeconds(1_767_225_600L).build())
                    .build())
            .build();

    assertDecodes(
        body("coordination.k8s.io/v1", "Lease", message),
        """
        {'kind': 'Lease', 'apiVersion': 'coordination.k8s.io/v1', 'spec': {
          'holderIdentity': 'me', 'leaseDurationSeconds': 15,
          'renewTime': '2026-01-01T00:00:00.000000Z'}}
        """);
    assertThat(ProtobufKinds.messageOf("events.k8s.io/v1", "Event")).isPresent();
    assertThat(ProtobufKinds.messageOf("node.k8s.io/v1", "RuntimeClass")).isPresent();
  }

  @Test
  void readsDeleteOptionsOfAnyGroup() {
    assertDecodes(
        body(
            "batch/v1",
            "DeleteOptions",
            Meta.DeleteOptions.newBuilder()
                .setPropagationPolicy("Background")
                .setPreconditions(Meta.Preconditions.newBuilder().setUid("u"))
                .build()),
        """
        {'kind': 'DeleteOptions', 'apiVersion': 'batch/v1',
         'preconditions': {'uid': 'u'}, 'propagationPolicy': 'Background'}
        """);
  }

  @Test
  void readsJsonInTheEnvelope() {
    Unknown envelope =
        Unknown.newBuilder()
            .setContentType("application/json")
            .setRaw(ByteString.copyFrom("{\"kind\":\"K\"}", UTF_8))
            .build();

    assertDecodes(body(envelope), "{'kind': 'K'}");
  }

  @Test
  void refusesWhatItCannotRead() {
    assertThatThrownBy(() -> ProtobufBody.decode("{}".getBytes(UTF_8)))
        .isInstanceOf(ProtobufBodyException.class)
        .hasMessageContaining("k8s\\0");
    assertThatThrownBy(() -> ProtobufBody.decode(new byte[] {'k', '8', 's', 0, 7, 7, 7}))
        .isInstanceOf(ProtobufBodyException.class)
        .hasMessageContaining("runtime.Unknown");
    assertThatThrownBy(
            () -> ProtobufBody.decode(body("x.io/v1", "Odd", V1.Secret.getDefaultInstance())))
        .isInstanceOf(ProtobufBodyException.class)
        .hasMessageContaining("Odd of x.io/v1");
  }
}
