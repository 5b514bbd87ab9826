// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
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

/** The client library, used as its documentation recommends. */
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
