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
package io.github.kueue4j.testkit.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.testkit.tree.Trees;
import java.net.URI;
import org.apiguardian.api.API;

/**
 * How a webhook is reached: the {@code clientConfig} of a configuration.
 *
 * @param shown the URL that messages name
 * @param service namespace and name of the service behind it, both empty if it is just a URL
 * @param host what the webhook's certificate must be for
 * @param authority PEM text of the authority to trust, empty for the system's
 */
@API(status = API.Status.INTERNAL)
public record ClientConfig(URI shown, Service service, String host, String authority) {
  private static final int HTTPS = 443;

  /** A service of the cluster. */
  public record Service(String namespace, String name) {
    static final Service NONE = new Service("", "");
  }

  /**
   * Reads a clientConfig.
   *
   * @throws IllegalArgumentException if its URL is none
   */
  public static ClientConfig read(JsonNode config) {
    String authority = Certificates.decode(Trees.text(config, "caBundle"));
    if (config.path("service").isObject()) {
      JsonNode service = config.path("service");
      Service named = new Service(Trees.text(service, "namespace"), Trees.text(service, "name"));
      String host = named.name() + "." + named.namespace() + ".svc";
      String path = Trees.text(service, "path");
      URI shown =
          URI.create(
              "https://"
                  + host
                  + ":"
                  + service.path("port").asInt(HTTPS)
                  + (path.startsWith("/") ? path : "/" + path));
      return new ClientConfig(shown, named, host, authority);
    }
    URI url = URI.create(Trees.text(config, "url"));
    String host = url.getHost();
    return new ClientConfig(url, Service.NONE, host == null ? "" : host, authority);
  }
}
