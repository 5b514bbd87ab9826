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
package io.github.kueue4j.testkit.http;

import io.github.kueue4j.testkit.status.ApiErrors;
import io.github.kueue4j.testkit.status.ApiException;
import io.github.kueue4j.testkit.status.StatusObject;
import io.github.kueue4j.testkit.store.StoredObject;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers what the HTTP server refuses by itself, such as a broken URL, as the API would. */
final class StatusErrorHandler extends ErrorHandler {

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int code = response.getStatus();
    Object reason = request.getAttribute(ERROR_MESSAGE);
    ApiException refusal =
        code == 400
            ? ApiErrors.badRequest(reason == null ? "bad request" : reason.toString())
            : ApiErrors.forStatus(code, "", "", "");
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    byte[] body = StoredObject.write(StatusObject.failure(refusal));
    response.write(true, ByteBuffer.wrap(body), callback);
    return true;
  }
}
