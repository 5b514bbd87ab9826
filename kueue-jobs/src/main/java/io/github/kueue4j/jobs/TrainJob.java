// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.jobs;

import com.google.gson.JsonDeserializationContext;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonSerializationContext;
import com.google.gson.JsonSerializer;
import com.google.gson.annotations.JsonAdapter;
import io.github.kueue4j.api.ResourceType;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * A TrainJob ({@code trainer.kubeflow.org/v1alpha1}), as JSON, with the JobSet that Trainer makes
 * for it. The JobSet is no part of its JSON.
 *
 * @param metadata name, namespace, labels; treat it as read-only
 * @param body the object but for its metadata; treat it as read-only
 * @param jobSet the object with its pods; empty until it exists
 */
@API(status = API.Status.INTERNAL)
@JsonAdapter(TrainJob.TrainJobJson.class)
public record TrainJob(V1ObjectMeta metadata, JsonObject body, Optional<JobSet> jobSet)
    implements KubernetesObject {
  public static final ResourceType<TrainJob> TYPE =
      ResourceType.of("trainer.kubeflow.org/v1alpha1", "TrainJob", TrainJob.class);

  TrainJob withBody(JsonObject other) {
    return new TrainJob(metadata, other, jobSet);
  }

  @Override
  public V1ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public String getApiVersion() {
    return TYPE.apiVersion();
  }

  @Override
  public String getKind() {
    return TYPE.kind();
  }

  static final class TrainJobJson implements JsonSerializer<TrainJob>, JsonDeserializer<TrainJob> {
    @Override
    public JsonElement serialize(TrainJob job, Type type, JsonSerializationContext json) {
      JsonObject tree = job.body().deepCopy();
      tree.add("metadata", json.serialize(job.metadata(), V1ObjectMeta.class));
      return tree;
    }

    @Override
    public TrainJob deserialize(JsonElement tree, Type type, JsonDeserializationContext json) {
      if (!(tree instanceof JsonObject object)) {
        throw new JsonParseException("a TrainJob is no JSON object");
      }
      JsonObject body = new JsonObject();
      object.asMap().forEach(body::add);
      V1ObjectMeta metadata = json.deserialize(body.remove("metadata"), V1ObjectMeta.class);
      return new TrainJob(
          Objects.requireNonNullElseGet(metadata, V1ObjectMeta::new), body, Optional.empty());
    }
  }
}
