// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.kueue4j.apiserver.tree.Trees;
import java.net.URI;
import org.apiguardian.api.API;

/**
 * How a webhook is reached: the {@code clientConfig} of a configuration, as it was written.
 *
 * @param url that messages name, of a service too; its certificate must be for the host in it
 * @param service namespace and name of the service behind it, both empty if it is just a URL
 * @param caBundle the authority to trust in base64, empty for the system's
 */
@API(status = API.Status.INTERNAL)
public record ClientConfig(String url, Service service, String caBundle) {
  private static final int HTTPS = 443;

  /** A service of the cluster. */
  public record Service(String namespace, String name) {
    static final Service NONE = new Service("", "");
  }

  /** Reads a clientConfig; what is wrong with it shows when it is used. */
  public static ClientConfig read(JsonNode config) {
    String caBundle = Trees.text(config, "caBundle");
    if (!config.path("service").isObject()) {
      return new ClientConfig(Trees.text(config, "url"), Service.NONE, caBundle);
    }
    JsonNode service = config.path("service");
    Service named = new Service(Trees.text(service, "namespace"), Trees.text(service, "name"));
    String path = Trees.text(service, "path");
    String url =
        "https://"
            + named.name()
            + "."
            + named.namespace()
            + ".svc:"
            + service.path("port").asInt(HTTPS)
            + (path.startsWith("/") ? path : "/" + path);
    return new ClientConfig(url, named, caBundle);
  }

  /** The URL with one more parameter. */
  URI withParameter(String parameter) throws WebhookException {
    try {
      URI uri = URI.create(url);
      if (!"https".equals(uri.getScheme()) || uri.getHost() == null) {
        throw new WebhookException("the URL \"" + url + "\" is no https://host[/path]", null);
      }
      return URI.create(url + (uri.getQuery() == null ? "?" : "&") + parameter);
    } catch (IllegalArgumentException e) {
      throw new WebhookException("the URL \"" + url + "\" is none: " + e.getMessage(), e);
    }
  }
}
