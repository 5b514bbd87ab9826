// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.function.BooleanSupplier;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Refuses writes of a replica whose lease may have expired. It is asked when a request is about to
 * be sent, after all waiting: a process that was stopped for a minute would otherwise go on with
 * the write that it had prepared, while another replica leads. Resource versions don't prevent
 * that, because two leaders give the same quota to different objects.
 *
 * <p>Writes end halfway between the renew deadline and the end of the lease (12.5 s after the last
 * renewal was sent, with the default times), so that a request has time to arrive. Reads always
 * pass.
 *
 * @see ClusterConnection#guardedBy
 * @see io.github.kueue4j.runtime.controller.ControllerHost.Builder#leaseGuard
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class LeaseGuard {

  private volatile @Nullable BooleanSupplier lease;

  /** A guard that lets all writes pass until it is given to a host with leader election. */
  public LeaseGuard() {}

  /** From now on writes need this. */
  @API(status = API.Status.INTERNAL)
  public void require(BooleanSupplier valid) {
    lease = valid;
  }

  /** Whether a write may be sent now. */
  public boolean permits() {
    @Nullable BooleanSupplier required = lease;
    return required == null || required.getAsBoolean();
  }

  /** Sends the request if that is permitted; for a client's network interceptors. */
  Response intercept(Interceptor.Chain chain) throws IOException {
    if (!chain.request().method().equals("GET") && !permits()) {
      throw new LeaseInvalidException();
    }
    return chain.proceed(chain.request());
  }

  /**
   * Thrown in place of a write. A ProtocolException, because the HTTP client never repeats those.
   */
  static final class LeaseInvalidException extends ProtocolException {
    private static final long serialVersionUID = 1L;

    LeaseInvalidException() {
      super("the lease of this replica may have expired");
    }
  }
}
