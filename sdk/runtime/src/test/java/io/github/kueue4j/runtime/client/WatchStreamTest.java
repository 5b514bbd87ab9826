// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.runtime.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.TimeSource;
import io.github.kueue4j.runtime.ScriptedServer;
import io.github.kueue4j.testdefaults.Act;
import io.github.kueue4j.testdefaults.Actors;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Okio;
import org.junit.jupiter.api.Test;

class WatchStreamTest {
  /** Says when a body is being read, and notes if it is closed meanwhile. */
  private static final class WatchedBody {
    final CountDownLatch reading = new CountDownLatch(1);
    final AtomicInteger readers = new AtomicInteger();
    final AtomicBoolean closed = new AtomicBoolean();
    final AtomicBoolean closedWhileReading = new AtomicBoolean();

    Response around(Response response) {
      ResponseBody body = response.body();
      ForwardingSource source =
          new ForwardingSource(body.source()) {
            @Override
            public long read(Buffer sink, long byteCount) throws IOException {
              readers.incrementAndGet();
              reading.countDown();
              try {
                return super.read(sink, byteCount);
              } finally {
                readers.decrementAndGet();
              }
            }

            @Override
            public void close() throws IOException {
              closedWhileReading.compareAndSet(false, readers.get() > 0);
              closed.set(true);
              super.close();
            }
          };
      return response
          .newBuilder()
          .body(ResponseBody.create(Okio.buffer(source), body.contentType(), body.contentLength()))
          .build();
    }
  }

  @Test
  void isNotClosedWhileItIsRead() throws Exception {
    WatchedBody body = new WatchedBody();
    OkHttpClient client =
        new OkHttpClient.Builder()
            .addInterceptor(chain -> body.around(chain.proceed(chain.request())))
            .build();
    try (TimeSource time = TimeSource.system();
        ScriptedServer server = new ScriptedServer((request, answer) -> answer.open());
        Actors readers = Actors.named("reader")) {
      Call call = client.newCall(new Request.Builder().url(server.uri().toString()).build());
      WatchPulse pulse = new WatchPulse(time, new Random(1));
      WatchStream<V1ConfigMap> stream =
          new WatchStream<>(call, call.execute(), event -> List.of(), pulse, time);
      Act<Boolean> reader = readers.ask(stream::hasNext);
      assertThat(body.reading.await(60, TimeUnit.SECONDS)).isTrue();

      stream.close();

      assertThat(reader.get()).isFalse();
      assertThat(body.closed).isTrue();
      assertThat(body.closedWhileReading).isFalse();
    } finally {
      client.dispatcher().executorService().shutdown();
      client.connectionPool().evictAll();
    }
  }
}
