// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import java.util.Map;
import java.util.Optional;
import org.apiguardian.api.API;

/** The message that a kind is encoded with. */
@API(status = API.Status.INTERNAL)
public final class ProtobufKinds {

  private static final Map<String, FileDescriptor> FILES =
      Map.ofEntries(
          Map.entry("v1", V1.getDescriptor()),
          Map.entry("meta.k8s.io/v1", Meta.getDescriptor()),
          Map.entry("apps/v1", V1Apps.getDescriptor()),
          Map.entry("batch/v1", V1Batch.getDescriptor()),
          Map.entry("autoscaling/v1", V1Autoscaling.getDescriptor()),
          Map.entry("policy/v1", V1Policy.getDescriptor()),
          Map.entry("rbac.authorization.k8s.io/v1", V1Rbac.getDescriptor()),
          Map.entry("scheduling.k8s.io/v1", V1Scheduling.getDescriptor()),
          Map.entry("storage.k8s.io/v1", V1Storage.getDescriptor()),
          Map.entry("networking.k8s.io/v1", V1Networking.getDescriptor()),
          Map.entry("certificates.k8s.io/v1", V1Certificates.getDescriptor()),
          Map.entry("authentication.k8s.io/v1", V1Authentication.getDescriptor()),
          Map.entry("authorization.k8s.io/v1", V1Authorization.getDescriptor()),
          Map.entry("admissionregistration.k8s.io/v1", V1Admissionregistration.getDescriptor()),
          Map.entry("coordination.k8s.io/v1", AdditionalMessages.COORDINATION),
          Map.entry("events.k8s.io/v1", AdditionalMessages.EVENTS),
          Map.entry("node.k8s.io/v1", AdditionalMessages.NODE));

  private ProtobufKinds() {}

  /**
   * The message of a kind of the API; empty if none is known.
   *
   * @param apiVersion such as {@code apps/v1}
   */
  public static Optional<Descriptor> messageOf(String apiVersion, String kind) {
    FileDescriptor file = FILES.get(apiVersion);
    Descriptor message = file == null ? null : file.findMessageTypeByName(kind);
    if (message == null) {
      // Every group accepts the kinds of meta.k8s.io, such as DeleteOptions, under its own name.
      message = Meta.getDescriptor().findMessageTypeByName(kind);
    }
    return Optional.ofNullable(message);
  }
}
