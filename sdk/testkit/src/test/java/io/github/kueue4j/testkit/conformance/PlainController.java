// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The kueue4j Authors
package io.github.kueue4j.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.kueue4j.api.KueueTypes;
import io.github.kueue4j.api.ObjectKey;
import io.github.kueue4j.testdefaults.Actors;
import io.github.kueue4j.testkit.client.JsonApi;
import io.github.kueue4j.testkit.client.PatchFormat;
import io.github.kueue4j.testkit.client.RefusedRequestException;
import io.github.kueue4j.testkit.client.UnreachableServerException;
import io.github.kueue4j.testkit.client.Watch;
import io.github.kueue4j.testkit.tree.Trees;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check controller as an author writes it from the API's description alone, which answers Ready
 * to everything. It keeps all rules but the one that it is told to break.
 */
final class PlainController implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PlainController.class);
  private static final Clock CLOCK = Clock.systemUTC();
  private static final int TRIES = 10;
  private static final Duration A_MOMENT = Duration.ofMillis(20);
  private static final String CHECKS = KueueTypes.ADMISSION_CHECK.path();
  private static final String WORKLOADS = KueueTypes.WORKLOAD.path();

  private final JsonApi api;
  private final String controllerName;
  private final @Nullable Rule broken;
  private final Set<String> own = ConcurrentHashMap.newKeySet();
  private final Set<String> answered = new HashSet<>();
  private final BlockingQueue<ObjectNode> work = new LinkedBlockingQueue<>();

  /** The versions of objects that have been looked at, or wait in {@link #work}. */
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  /** Workloads that wait or are being judged. */
  private final AtomicInteger unfinished = new AtomicInteger();

  private final Actors threads = Actors.named("plain-controller");
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private volatile boolean deaf;
  private volatile boolean closed;

  /** Starts one at this server. */
  PlainController(URI server, String controllerName, @Nullable Rule broken) {
    this.api = JsonApi.at(server);
    this.controllerName = controllerName;
    this.broken = broken;
    follow(CHECKS, this::checkSeen, false);
    follow(WORKLOADS, this::workloadSeen, breaks(Rule.RESTART));
    threads.start(this::work);
  }

  private boolean breaks(Rule rule) {
    return broken == rule;
  }

  /**
   * Whether it has seen all that is on the server, and does nothing until something changes.
   *
   * @param direct to the server, whatever stands between it and the controller
   */
  boolean isIdle(JsonApi direct) {
    List<JsonNode> before = objects(direct);
    boolean sawAll =
        deaf || before.stream().allMatch(each -> seen.contains(version((ObjectNode) each)));
    // What it has written meanwhile, it has not seen yet.
    return sawAll && unfinished.get() == 0 && objects(direct).equals(before);
  }

  private static List<JsonNode> objects(JsonApi direct) {
    List<JsonNode> all = new ArrayList<>();
    for (String collection : List.of(CHECKS, WORKLOADS)) {
      direct.get(collection).orElseThrow().path("items").forEach(all::add);
    }
    return all;
  }

  private static String version(ObjectNode object) {
    return Trees.text(Trees.metadata(object), "resourceVersion");
  }

  private void workloadSeen(ObjectNode workload) {
    unfinished.incrementAndGet();
    work.add(workload);
  }

  private void follow(String collection, Consumer<ObjectNode> handler, boolean onlyNews) {
    ObjectNode list = api.get(collection).orElseThrow();
    for (JsonNode item : list.path("items")) {
      ObjectNode object = (ObjectNode) item;
      if (!onlyNews) {
        handler.accept(object);
      }
      seen.add(version(object));
    }
    watches.add(
        api.watch(
            collection,
            Trees.text(Trees.metadata(list), "resourceVersion"),
            event -> {
              if (!Set.of("BOOKMARK", "ERROR").contains(Trees.text(event, "type"))) {
                ObjectNode object = Trees.object(event, "object");
                handler.accept(object);
                seen.add(version(object));
              }
            },
            () -> {
              if (breaks(Rule.RECOVERS)) {
                deaf = true;
              } else {
                followAgain(collection, handler);
              }
            }));
  }

  private void followAgain(String collection, Consumer<ObjectNode> handler) {
    while (!closed) {
      try {
        follow(collection, handler, false);
        return;
      } catch (RefusedRequestException | UnreachableServerException notYet) {
        LockSupport.parkNanos(A_MOMENT.toNanos());
      }
    }
  }

  private void checkSeen(ObjectNode check) {
    boolean mine = check.path("spec").path("controllerName").asText().equals(controllerName);
    if (mine) {
      own.add(Trees.name(check));
    }
    boolean says = mine ? !breaks(Rule.ACTIVE) : breaks(Rule.FOREIGN_CHECK);
    if (says && check.path("status").path("conditions").isEmpty()) {
      ObjectNode patch = Trees.empty();
      patch
          .putObject("status")
          .putArray("conditions")
          .addObject()
          .put("type", "Active")
          .put("status", "True")
          .put("reason", "Active")
          .put("message", "ready to judge")
          .put("lastTransitionTime", Trees.time(CLOCK.instant()));
      api.patch(CHECKS + '/' + Trees.name(check) + "/status", PatchFormat.MERGE, patch);
    }
  }

  private void work() {
    while (!closed) {
      try {
        ObjectNode next = work.poll(1, TimeUnit.SECONDS);
        if (next != null) {
          try {
            judge(next);
          } finally {
            unfinished.decrementAndGet();
          }
        }
      } catch (InterruptedException e) {
        return;
      } catch (UnreachableServerException | RefusedRequestException outOfReach) {
        // It comes again with the next list.
        log.atDebug().setCause(outOfReach).log("left for later");
      }
    }
  }

  private void judge(ObjectNode seen) {
    ObjectNode workload = seen;
    for (int i = 0; i < TRIES; i++) {
      Optional<ObjectNode> patch = answer(workload);
      if (patch.isEmpty()) {
        return;
      }
      try {
        send(workload, patch.get());
        answered.add(Trees.uid(workload));
        return;
      } catch (RefusedRequestException e) {
        ObjectNode stale = workload;
        Optional<ObjectNode> live = api.get(path(workload));
        if (live.isEmpty()) {
          return;
        }
        workload = live.get();
        if (breaks(Rule.CONCURRENT_WRITES)
            && sameReservation(stale, workload)
            && ownEntry(stale).equals(ownEntry(workload))) {
          force(stale, patch.get(), workload);
          return;
        }
      }
    }
  }

  private static String path(ObjectNode workload) {
    return KueueTypes.WORKLOAD.path(new ObjectKey(Trees.namespace(workload), Trees.name(workload)));
  }

  private static boolean sameReservation(ObjectNode one, ObjectNode other) {
    return isTrue(other, "QuotaReserved")
        && !isTrue(other, "Evicted")
        && condition(one, "QuotaReserved").equals(condition(other, "QuotaReserved"));
  }

  /** What it writes of this Workload; empty for nothing. */
  private Optional<ObjectNode> answer(ObjectNode workload) {
    Optional<ObjectNode> listed = ownEntry(workload);
    boolean reserved = isTrue(workload, "QuotaReserved") || breaks(Rule.NOT_RESERVED);
    boolean stopped =
        (isTrue(workload, "Evicted") && !breaks(Rule.EVICTING))
            || (isTrue(workload, "Finished") && !breaks(Rule.FINISHED))
            || (!workload.path("spec").path("active").asBoolean(true) && !breaks(Rule.INACTIVE))
            || (Trees.deleting(workload) && !breaks(Rule.DELETING));
    if (!reserved || stopped || breaks(Rule.ANSWERS)) {
      return Optional.empty();
    }
    if (listed.isEmpty()) {
      return breaks(Rule.NOT_LISTED) && !own.isEmpty() && !workload.path("status").isEmpty()
          ? Optional.of(ready(Trees.empty().put("name", own.iterator().next())))
          : Optional.empty();
    }
    ObjectNode entry = listed.get();
    if (Trees.text(entry, "state").equals("Ready")) {
      return afterwards(workload, entry);
    }
    boolean again = !breaks(Rule.ANSWERS_AGAIN) || !answered.contains(Trees.uid(workload));
    return Trees.text(entry, "state").equals("Pending") && again
        ? Optional.of(ready(entry))
        : Optional.empty();
  }

  private Optional<ObjectNode> afterwards(ObjectNode workload, ObjectNode entry) {
    String poke =
        workload.path("metadata").path("annotations").path("example.com/poked-at").asText();
    String message = "looked at after " + poke;
    if (poke.isEmpty()) {
      return Optional.empty();
    }
    if (breaks(Rule.NO_NEEDLESS_WRITES) && !Trees.text(entry, "message").equals(message)) {
      return Optional.of(entry.put("message", message));
    }
    if (breaks(Rule.ADMITTED_LEFT_ALONE) && isTrue(workload, "Admitted")) {
      entry.put("state", "Retry").put("message", "on second thoughts");
      return Optional.of(entry.put("lastTransitionTime", Trees.time(CLOCK.instant())));
    }
    return Optional.empty();
  }

  private ObjectNode ready(ObjectNode entry) {
    entry.put("state", "Ready").put("message", "fine");
    if (!breaks(Rule.TRANSITION_TIME)) {
      entry.put("lastTransitionTime", Trees.time(CLOCK.instant()));
    }
    if (breaks(Rule.RETRY_COUNT)) {
      entry.put("retryCount", entry.path("retryCount").asInt(0) + 1);
    }
    if (breaks(Rule.DELAY)) {
      entry.put("requeueAfterSeconds", 60);
    }
    if (breaks(Rule.MESSAGE)) {
      entry.put("state", "Retry").put("message", "");
    }
    if (breaks(Rule.POD_SET_UPDATES)) {
      entry.putArray("podSetUpdates").addObject().put("name", "no-such-pod-set");
    }
    return entry;
  }

  /** A copy of its entry. */
  private Optional<ObjectNode> ownEntry(ObjectNode workload) {
    for (JsonNode entry : workload.path("status").path("admissionChecks")) {
      if (own.contains(Trees.text(entry, "name"))) {
        return Optional.of(entry.deepCopy());
      }
    }
    return Optional.empty();
  }

  private void send(ObjectNode workload, ObjectNode entry) {
    if (breaks(Rule.LATE_WRITE) || breaks(Rule.OTHER_RESERVATION)) {
      api.patch(path(workload) + "/status", PatchFormat.JSON, withoutVersion(workload, entry));
    } else {
      api.patch(path(workload) + "/status", PatchFormat.MERGE, merge(workload, entry, workload));
    }
  }

  /** Repeats its answer on top of what another client has written meanwhile. */
  private void force(ObjectNode stale, ObjectNode entry, ObjectNode live) {
    api.patch(path(live) + "/status", PatchFormat.MERGE, merge(stale, entry, live));
  }

  private ObjectNode merge(ObjectNode read, ObjectNode entry, ObjectNode versioned) {
    ObjectNode patch = Trees.empty();
    patch
        .putObject("metadata")
        .put("resourceVersion", Trees.text(Trees.metadata(versioned), "resourceVersion"));
    ArrayNode entries = patch.putObject("status").putArray("admissionChecks");
    boolean replaced = false;
    for (JsonNode each : read.path("status").path("admissionChecks")) {
      ObjectNode copy = each.deepCopy();
      if (Trees.text(copy, "name").equals(Trees.text(entry, "name"))) {
        copy = entry;
        replaced = true;
      } else if (breaks(Rule.OWN_ENTRY)) {
        copy.put("lastTransitionTime", Trees.time(CLOCK.instant()));
      }
      entries.add(copy);
    }
    if (!replaced) {
      entries.add(entry.put("lastTransitionTime", Trees.time(CLOCK.instant())));
    }
    if (breaks(Rule.OTHER_FIELDS)) {
      Trees.object(patch, "status").putObject("requeueState").put("count", 1);
    }
    return patch;
  }

  /**
   * Sure of the entry that it has seen; or only of its state, so that it says nothing twice, and
   * that there is an admission; not of more.
   */
  private ArrayNode withoutVersion(ObjectNode workload, ObjectNode entry) {
    int index = 0;
    for (JsonNode each : workload.path("status").path("admissionChecks")) {
      if (own.contains(Trees.text(each, "name"))) {
        break;
      }
      index++;
    }
    JsonNode before = workload.path("status").path("admissionChecks").path(index);
    String path = "/status/admissionChecks/" + index;
    ArrayNode operations = JsonNodeFactory.instance.arrayNode();
    if (breaks(Rule.LATE_WRITE)) {
      operations.addObject().put("op", "test").put("path", path).set("value", before);
    } else {
      operations
          .addObject()
          .put("op", "test")
          .put("path", path + "/state")
          .put("value", Trees.text(before, "state"));
      operations
          .addObject()
          .put("op", "test")
          .put("path", "/status/admission/clusterQueue")
          .put("value", workload.path("status").path("admission").path("clusterQueue").asText());
    }
    operations.addObject().put("op", "replace").put("path", path).set("value", entry);
    return operations;
  }

  private static boolean isTrue(ObjectNode workload, String type) {
    return condition(workload, type).path("status").asText().equals("True");
  }

  private static JsonNode condition(ObjectNode workload, String type) {
    for (JsonNode each : workload.path("status").path("conditions")) {
      if (Trees.text(each, "type").equals(type)) {
        return each;
      }
    }
    return JsonNodeFactory.instance.missingNode();
  }

  @Override
  public void close() {
    closed = true;
    // One that has ended may be followed by another until its consumer knows of the close.
    while (!watches.isEmpty()) {
      for (Watch each : List.copyOf(watches)) {
        each.close();
        watches.remove(each);
      }
    }
    threads.close();
    api.close();
  }
}
