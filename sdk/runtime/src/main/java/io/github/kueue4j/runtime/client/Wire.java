// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import java.io.IOException;
import java.time.Duration;
import okhttp3.Call;
import okhttp3.Request;
import okhttp3.Response;
import org.apiguardian.api.API;

/** Carries requests to the API server and answers back in place of the network, in a simulation. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface Wire {

  /**
   * Sends a request and waits for the beginning of its answer.
   *
   * @param timeout how long the caller waits for it at most; zero for ever
   * @throws IOException if there is no answer
   */
  Response send(Call call, Request request, Duration timeout) throws IOException;

  /**
   * The call is given up; a thread that waits for its answer, or reads it, ends with an exception.
   */
  void cancelled(Call call);
}
