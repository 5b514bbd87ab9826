// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.cli.objects;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import io.github.kueue4j.api.KueueJson;
import io.github.kueue4j.api.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.apiguardian.api.API;

/** An object of any kind with all fields of its spec and status, also those without a model. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class StoredObject implements KubernetesObject {
  private final String apiVersion;
  private final String kind;
  private final V1ObjectMeta metadata;
  private final JsonElement spec;
  private final JsonElement status;

  /** Called by Gson, which then sets the fields that the JSON has. */
  StoredObject() {
    this.apiVersion = "";
    this.kind = "";
    this.metadata = new V1ObjectMeta();
    this.spec = JsonNull.INSTANCE;
    this.status = JsonNull.INSTANCE;
  }

  /** The same object, read as one of the models. */
  public <T> T as(Class<T> model) {
    return KueueJson.fromTree(KueueJson.toTree(this), model);
  }

  public ObjectKey key() {
    return ObjectKey.of(this);
  }

  public JsonElement spec() {
    return spec;
  }

  public JsonElement status() {
    return status;
  }

  @Override
  public V1ObjectMeta getMetadata() {
    return metadata;
  }

  @Override
  public String getApiVersion() {
    return apiVersion;
  }

  @Override
  public String getKind() {
    return kind;
  }
}
