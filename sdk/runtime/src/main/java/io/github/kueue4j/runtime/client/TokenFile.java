// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.credentials.Authentication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * The token in a file that is replaced from time to time, as the kubelet does with a pod's.
 *
 * <p>It is read for each request: the client library keeps what it has read for a minute, in which
 * a token that was revoked fails every request. A request that is refused all the same (401), since
 * the file was replaced while it was under way, is sent once more with the new token.
 */
final class TokenFile implements Authentication, Interceptor {

  private static final int UNAUTHORIZED = 401;

  private final Path file;
  private volatile @Nullable String last;

  TokenFile(Path file) {
    this.file = file;
  }

  @Override
  public void provide(ApiClient client) {
    client.setHttpClient(client.getHttpClient().newBuilder().addInterceptor(this).build());
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    String sent = read();
    Response response = chain.proceed(with(chain.request(), sent));
    if (response.code() != UNAUTHORIZED) {
      return response;
    }
    String now = read();
    if (now.equals(sent)) {
      return response;
    }
    response.close();
    return chain.proceed(with(chain.request(), now));
  }

  private static Request with(Request request, String token) {
    return request.newBuilder().header("Authorization", "Bearer " + token).build();
  }

  /** The file's token; the last one while the file is missing or empty, as in a replacement. */
  private String read() throws IOException {
    @Nullable String known = last;
    try {
      String token = Files.readString(file).strip();
      if (!token.isEmpty()) {
        last = token;
        return token;
      }
    } catch (IOException missing) {
      if (known == null) {
        throw new IOException("can't read the token in " + file, missing);
      }
    }
    if (known == null) {
      throw new IOException("there is no token in " + file);
    }
    return known;
  }
}
