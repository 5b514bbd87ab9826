// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.budget;

import io.github.kueue4j.api.CoreTypes;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.Workload;
import io.github.kueue4j.sdk.Evaluation;
import io.github.kueue4j.sdk.objects.ResourceClient;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import java.time.ZoneOffset;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warnings as events of the Workload. */
final class WarningEvents implements Warnings {

  private static final Logger log = LoggerFactory.getLogger(WarningEvents.class);

  private static final String CONTROLLER = "kueue4j.io/budget";

  private final ResourceClient resources;

  WarningEvents(ResourceClient resources) {
    this.resources = resources;
  }

  /** The Workload's entry says that little is left, too: the event keeps none from starting. */
  @Override
  public void warn(Evaluation<?> evaluation, Kind kind, String message) {
    try {
      create(evaluation, kind, message);
    } catch (RuntimeException e) {
      if (kind != Kind.SOFT_LIMIT_REACHED || Thread.currentThread().isInterrupted()) {
        throw e;
      }
      log.atWarn()
          .addKeyValue("workload", evaluation.workload().key())
          .addKeyValue("reason", kind.reason())
          .setCause(e)
          .log("The event could not be created; the Workload's admission check has its text");
    }
  }

  /** The server makes the name: an event of the same name would have to be read. */
  private void create(Evaluation<?> evaluation, Kind kind, String message) {
    Workload workload = evaluation.workload();
    resources.createIfAbsent(
        CoreTypes.EVENT,
        new EventsV1Event()
            .apiVersion("events.k8s.io/v1")
            .kind("Event")
            .metadata(new V1ObjectMeta().namespace(evaluation.namespace()).generateName("budget-"))
            .eventTime(evaluation.now().atOffset(ZoneOffset.UTC))
            .type("Warning")
            .reason(kind.reason())
            .action(kind.reason())
            .note(message)
            .reportingController(CONTROLLER)
            .reportingInstance(CONTROLLER)
            .regarding(
                new V1ObjectReference()
                    .apiVersion(resources.served(KueueTypes.WORKLOAD).apiVersion())
                    .kind("Workload")
                    .namespace(evaluation.namespace())
                    .name(workload.key().name())
                    .uid(workload.metadata().getUid())));
  }
}
