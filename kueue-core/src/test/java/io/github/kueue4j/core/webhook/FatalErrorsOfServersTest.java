// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.core.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kueue4j.api.time.ManualTime;
import io.github.kueue4j.runtime.FatalErrors;
import io.github.kueue4j.runtime.client.ClusterConnection;
import io.github.kueue4j.testdefaults.ExpectedLog;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/** An Error on a thread of the webhooks is reported. */
@ExpectedLog(level = Level.ERROR, logger = "FatalErrors", message = "An Error ended a thread")
class FatalErrorsOfServersTest {
  private final CompletableFuture<String> reported = new CompletableFuture<>();
  private final FatalErrors errors =
      FatalErrors.then((thread, error) -> reported.complete(thread.getName() + ": " + error));

  @Test
  void ofTheCertificateKeeper() {
    try (ClusterConnection connection =
            ClusterConnection.builder("test")
                .url(URI.create("http://127.0.0.1:1"))
                .fatalErrors(errors)
                .open();
        CertificateKeeper keeper =
            new CertificateKeeper(
                "webhooks",
                now -> {
                  throw new StackOverflowError("provoked");
                },
                certificates -> {},
                connection)) {
      keeper.start();

      assertThat(reported.join())
          .isEqualTo("kueue4j-certificates: java.lang.StackOverflowError: provoked");
    }
  }

  @Test
  void ofAReviewer() throws Exception {
    try (ManualTime time = ManualTime.create();
        ServedWebhooks webhooks =
            ServedWebhooks.start(
                time,
                errors,
                review -> {
                  throw new LinkageError("provoked");
                })) {
      webhooks.post("{}");

      assertThat(reported.join())
          .startsWith("kueue4j-webhooks-")
          .endsWith("java.lang.LinkageError: provoked");
    }
  }
}
