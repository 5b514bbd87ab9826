// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.apiserver.http;

import io.github.kueue4j.apiserver.status.ApiErrors;
import io.github.kueue4j.apiserver.status.ApiException;
import io.github.kueue4j.apiserver.status.StatusObject;
import io.github.kueue4j.apiserver.store.StoredObject;
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
