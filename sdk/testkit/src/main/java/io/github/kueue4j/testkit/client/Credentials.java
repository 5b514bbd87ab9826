// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.client;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.auth.ApiKeyAuth;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/** Logging in: the official client reads the kubeconfig, and only that. */
final class Credentials {
  /** How long a token from an exec plugin is used: the shortest-lived known ones live 15 min. */
  private static final Duration EXEC_TOKEN_LIFE = Duration.ofMinutes(5);

  private Credentials() {}

  record Login(URI server, OkHttpClient client) {}

  static OkHttpClient none() {
    return new OkHttpClient();
  }

  static Login read(Path kubeconfig, @Nullable String context) {
    try (Reader reader = Files.newBufferedReader(kubeconfig, StandardCharsets.UTF_8)) {
      KubeConfig config = KubeConfig.loadKubeConfig(reader);
      config.setFile(kubeconfig.toAbsolutePath().toFile());
      if (context != null && !config.setContext(context)) {
        throw new IllegalArgumentException("it has no context '" + context + "'");
      }
      ApiClient client = ClientBuilder.kubeconfig(config, EXEC_TOKEN_LIFE).build();
      String server = client.getBasePath();
      return new Login(
          URI.create(server.endsWith("/") ? server.substring(0, server.length() - 1) : server),
          authorized(client));
    } catch (NoSuchFileException e) {
      throw new UnreachableServerException("there is no kubeconfig " + kubeconfig, e);
    } catch (IOException | RuntimeException e) {
      throw new UnreachableServerException(
          "can't use the kubeconfig " + kubeconfig + ": " + e.getMessage(), e);
    }
  }

  /** Tokens that are renewed come from an interceptor of the client's own. */
  private static OkHttpClient authorized(ApiClient client) {
    @Nullable String header = authorization(client);
    OkHttpClient http = client.getHttpClient();
    if (header == null) {
      return http;
    }
    return http.newBuilder()
        .addInterceptor(
            chain ->
                chain.proceed(chain.request().newBuilder().header("Authorization", header).build()))
        .build();
  }

  private static @Nullable String authorization(ApiClient client) {
    if (client.getAuthentication("BearerToken") instanceof ApiKeyAuth auth
        && auth.getApiKey() != null) {
      return auth.getApiKeyPrefix() == null
          ? auth.getApiKey()
          : auth.getApiKeyPrefix() + ' ' + auth.getApiKey();
    }
    return null;
  }
}
