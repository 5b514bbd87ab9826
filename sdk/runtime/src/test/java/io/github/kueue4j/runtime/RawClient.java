/*
 * Copyright 2026 The kueue4j Authors
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.kueue4j.runtime;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.net.URI;

/** The client library as its documentation tells to use it. */
public final class RawClient implements AutoCloseable {

  private final ApiClient client;
  private final SharedInformerFactory factory;

  public RawClient(URI server) {
    client = new ClientBuilder().setBasePath(server.toString()).build();
    factory = new SharedInformerFactory(client);
  }

  public ApiClient client() {
    return client;
  }

  /** A started informer of config maps. */
  public SharedIndexInformer<V1ConfigMap> configMaps() {
    return informer(V1ConfigMap.class, V1ConfigMapList.class, "configmaps");
  }

  /** A started informer of a core type. */
  public <T extends KubernetesObject, L extends KubernetesListObject>
      SharedIndexInformer<T> informer(Class<T> type, Class<L> listType, String plural) {
    var api = new GenericKubernetesApi<>(type, listType, "", "v1", plural, client);
    SharedIndexInformer<T> informer = factory.sharedIndexInformerFor(api, type, 0);
    factory.startAllRegisteredInformers();
    return informer;
  }

  @Override
  public void close() {
    factory.stopAllRegisteredInformers();
    client.getHttpClient().dispatcher().cancelAll();
    client.getHttpClient().connectionPool().evictAll();
  }
}
